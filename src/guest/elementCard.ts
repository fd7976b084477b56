import { z } from 'zod';
import { elementCardRow } from '../cards/actions.ts';
import { failure } from '../core/failure.ts';
import { acquirerId } from '../gateways/acquirerId.ts';
import type { CardElement, ElementOutcome } from '../gateways/cardElement.ts';
import { publicBaseUrl } from '../http/baseUrl.ts';
import type { AppContext } from '../http/context.ts';
import { countCardEntry } from './cardEntries.ts';
import type { CardPlace, Entered } from './cardEntry.tsx';

/** What our script sends once the acquirer's form has taken a card. */
const elementForm = z.object({
  attempt: z.uuid(),
  confirmationToken: acquirerId,
});

/** Where the bank sends a guest back to, below the form's own address. */
export const RETURN = 'confirmed';

/** Keeps a card that the acquirer's own form took. */
export async function enterElementCard(
  c: AppContext,
  element: CardElement,
  form: Readonly<Record<string, string>>,
  place: CardPlace,
): Promise<Entered> {
  const sent = elementForm.safeParse(form);
  if (!sent.success) return notTaken();
  const { attempt, confirmationToken } = sent.data;
  const { linkId, property } = place;
  const entry = { attempt, linkId, atMs: Date.now() };
  const verdict = await countCardEntry(c.get('database'), entry);
  if (verdict.kind === 'too-many') return verdict;
  // The same form once more goes on: the acquirer knows the attempt, and answers as before.
  const outcome = await c.get('crossings').cross('gateway.tokenize', () =>
    element.keep({
      attempt,
      confirmationToken,
      linkId,
      account: property.stripeAccount,
      returnUrl: `${publicBaseUrl(c)}${place.action}/${RETURN}`,
    }),
  );
  return keepOutcome(outcome, place, entry.atMs);
}

/** Keeps a card whose holder comes back from their bank; loading the page again keeps it once. */
export async function returnFromBank(
  c: AppContext,
  element: CardElement,
  place: CardPlace,
): Promise<Entered> {
  const setup = acquirerId.safeParse(c.req.query('setup_intent'));
  if (!setup.success) return notTaken();
  const { linkId, property } = place;
  const outcome = await c
    .get('crossings')
    .cross('gateway.tokenize', () =>
      element.confirmed({ setup: setup.data, account: property.stripeAccount, linkId }),
    );
  return keepOutcome(outcome, place, Date.now());
}

async function keepOutcome(
  outcome: ElementOutcome,
  place: CardPlace,
  nowMs: number,
): Promise<Entered> {
  if (outcome.kind === 'bank') return outcome;
  if (outcome.kind === 'refused') return notTaken();
  const { enteredBy, keep, property, requestId } = place;
  const kept = { propertyId: property.id, enteredBy, requestId, createdAtMs: nowMs };
  const row = await elementCardRow('stripe', outcome.gatewayToken, outcome.card, kept);
  const saved = await keep(row);
  return saved.ok ? { kind: 'added' } : { kind: 'refused', failure: saved.error };
}

function notTaken(): Entered {
  return { kind: 'refused', failure: failure('gateway_error', 'The card was not taken.') };
}
