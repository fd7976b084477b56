import type { Address } from '../bookings/reply.ts';
import { callBooking } from '../bookings/stub.ts';
import { vaultCard } from '../cards/actions.ts';
import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';
import type { CardRow, PropertyRow } from '../db/schema.ts';
import { selectGateway } from '../gateways/select.ts';
import type { AppContext } from '../http/context.ts';
import { statusOf } from '../http/problem.ts';
import { countCardEntry, MOST_ENTRIES } from './cardEntries.ts';
import { readCardForm } from './cardForm.ts';
import type { CardFaults } from './pages/card.tsx';
import { guestAddress } from './visit.ts';

/** Where a guest's card is to be kept. */
interface Place {
  readonly property: Pick<PropertyRow, 'id' | 'stripeAccount'>;
  /** The link that the guest came by: so many cards an hour. */
  readonly linkId: string;
  readonly enteredBy: CardRow['enteredBy'];
  readonly requestId: string | null;
  /** Keeps the card once the vault has it. */
  readonly keep: (card: CardRow) => Promise<Result<unknown, Failure>>;
}

/** What became of a card's form. */
export type Entered =
  | { readonly kind: 'added' }
  /** The same form once more: its card, if it was kept, was made at this time. */
  | { readonly kind: 'repeated'; readonly atMs: number }
  | { readonly kind: 'faulty'; readonly faults: CardFaults }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'refused'; readonly failure: Failure };

/** Takes a card from its form to the vault and keeps its token. The number is in no answer and no log. */
export async function enterCard(
  c: AppContext,
  form: Readonly<Record<string, string>>,
  place: Place,
): Promise<Entered> {
  const typed = readCardForm(form);
  if (!typed.ok) return { kind: 'faulty', faults: typed.error };
  const { entry, facts, attempt } = typed.value;
  const nowMs = Date.now();
  const { linkId, property, enteredBy, requestId, keep } = place;
  const { id: propertyId, stripeAccount } = property;
  const verdict = await countCardEntry(c.get('database'), { attempt, linkId, atMs: nowMs });
  if (verdict.kind !== 'counted') return verdict;
  const gateway = selectGateway(c.get('config'), c.env);
  const kept = { propertyId, enteredBy, requestId, createdAtMs: nowMs };
  const vaulted = await vaultCard(gateway, c.get('crossings'), entry, facts, stripeAccount, kept);
  const saved = vaulted.ok ? await keep(vaulted.value) : vaulted;
  return saved.ok ? { kind: 'added' } : { kind: 'refused', failure: saved.error };
}

/** Attaches a guest's card to a booking. */
export async function attachFor(
  c: AppContext,
  booking: Pick<Address, 'propertyId' | 'reference'>,
  card: CardRow,
): Promise<Result<CardRow, Failure>> {
  const address = guestAddress(c, booking);
  const { answer } = await callBooking(c.env, c.get('crossings'), address, (it) =>
    it.attachCard(address, card),
  );
  return answer;
}

/** Why no card was taken, in plain words; null when only its fields are at fault. */
export function refusalWords(entered: Entered): string | null {
  switch (entered.kind) {
    case 'too-many':
      return `At most ${MOST_ENTRIES} cards an hour can be tried. Please come back later.`;
    case 'refused':
      return 'The card could not be added. Nothing was charged: please try again, or use another card.';
    default:
      return null;
  }
}

/** The HTTP status of a form that is shown again. */
export function statusOfEntry(entered: Entered): number {
  switch (entered.kind) {
    case 'too-many':
      return 429;
    case 'refused':
      return statusOf(entered.failure.code);
    default:
      return 422;
  }
}
