import { z } from 'zod';
import { failure } from '../../core/failure.ts';
import { acquirerId } from '../../gateways/acquirerId.ts';
import type { CardElement, ElementOutcome } from '../../gateways/cardElement.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext } from '../../http/context.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { elementCardRow } from '../../records/cards/actions.ts';
import { countCardEntry } from '../../records/cards/entryLimit.ts';
import { notVaulted } from '../../records/cards/notVaulted.ts';
import { agreementOf, isToPay } from '../../records/cards/rules.ts';
import { aboutEntry, type CardEntryContext, type EntryResult, notAgreed } from './entryResult.ts';

/** The fields that our script sends once the acquirer's form has taken a card. */
const elementForm = z.object({
  attempt: z.uuid(),
  confirmationToken: acquirerId,
});

/** The bank sends guests back to this path below the form's own. */
export const RETURN_PATH = 'confirmed';

/** Saves a card that the acquirer's own form took. */
export async function enterElementCard(
  c: AppContext,
  element: CardElement,
  form: Readonly<Record<string, string>>,
  context: CardEntryContext,
): Promise<EntryResult> {
  const sent = elementForm.safeParse(form);
  if (!sent.success) return cardNotTaken();
  const agreement = agreementOf(form, context.agreement);
  if (agreement === null) return notAgreed();
  const { attempt, confirmationToken } = sent.data;
  const { bookingReference, enteredBy, linkId, property, requestId } = context;
  const entered = { linkId, propertyId: property.id, bookingReference };
  const entry = { ...entered, attempt, atMs: propertyNow(property) };
  const verdict = await countCardEntry(c.get('database'), entry);
  if (verdict.kind === 'too-many') return verdict;
  // A repeated form continues: the acquirer recognises the attempt and gives its first answer.
  const outcome = await c.get('trace').span('gateway.tokenize', () =>
    element.keep({
      attempt,
      confirmationToken,
      purpose: { ...entered, requestId, enteredBy, agreement },
      account: property.merchantAccount,
      returnUrl: `${publicBaseUrl(c)}${context.action}/${RETURN_PATH}`,
    }),
  );
  return saveOutcome(c, element, outcome, context, entry.atMs);
}

/** Saves the card of a guest who returns from their bank. Reloading the page saves it only once. */
export async function returnFromBank(
  c: AppContext,
  element: CardElement,
  context: CardEntryContext,
): Promise<EntryResult> {
  const setup = acquirerId.safeParse(c.req.query('setup_intent'));
  if (!setup.success) return cardNotTaken();
  const { linkId, property } = context;
  const outcome = await c
    .get('trace')
    .span('gateway.tokenize', () =>
      element.confirmed({ setup: setup.data, account: property.merchantAccount, linkId }),
    );
  return saveOutcome(c, element, outcome, context, propertyNow(property));
}

async function saveOutcome(
  c: AppContext,
  { gateway }: CardElement,
  outcome: ElementOutcome,
  context: CardEntryContext,
  nowMs: number,
): Promise<EntryResult> {
  if (outcome.kind === 'bank') return outcome;
  if (outcome.kind !== 'vaulted') {
    return { kind: 'failed', failure: notVaulted(outcome, gateway, aboutEntry(c, context)) };
  }
  const { enteredBy, keep, property, requestId } = context;
  const { agreement, gatewayToken } = outcome;
  const { merchantAccount: account } = property;
  const enteredToPay = isToPay(agreement);
  const kept = { propertyId: property.id, enteredBy, enteredToPay, requestId, createdAtMs: nowMs };
  const row = await elementCardRow(gateway, { gatewayToken, account }, outcome.card, kept);
  const saved = await keep(row, agreement);
  return saved.ok ? { kind: 'added' } : { kind: 'failed', failure: saved.error };
}

function cardNotTaken(): EntryResult {
  return { kind: 'failed', failure: failure('gateway_error', 'The card was not taken.') };
}
