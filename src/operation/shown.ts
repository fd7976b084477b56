import { selectBooking } from '../records/bookings/store.ts';
import { withUse } from '../records/cards/rules/virtual.ts';
import type { KnownHistory } from '../records/history/sums.ts';
import { knownHistory, selectHistory } from '../records/history/sumsStore.ts';
import { selectPlan } from '../records/plans/store.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { PlanRow } from '../schema/planTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import type { CardUsed, Draft, Shown } from './draft.ts';
import { selectCards, selectDisputesOfBooking, selectRefunds } from './shownStore.ts';
import type { BookingWork } from './work.ts';

/** What the drafted entries of a batch are completed with. */
export interface Known {
  readonly shown: Shown;
  readonly booking: BookingRow;
  readonly history: KnownHistory;
  /** The booking's plan before the batch; null for none. */
  readonly plan: PlanRow | null;
}

/** Gathers what entries show and add up to: from memory, and the rest in one round trip. */
export async function gather(
  work: BookingWork,
  drafts: readonly Draft[],
  used: readonly CardUsed[],
): Promise<Known> {
  const { memory } = work;
  const remembered = new Map((memory.state?.cards ?? []).map((card) => [card.token, card]));
  const tokens = drafts.flatMap(({ event }) => event?.cardToken ?? []);
  const missing = tokens.filter((token) => !remembered.has(token));
  const { plan, rows } = memory;
  const charges = drafts.some(({ event }) => (event?.refundsOf ?? null) !== null);
  const isComplete = plan !== undefined && missing.length === 0 && (!charges || rows !== null);
  if (memory.state && memory.history && isComplete) {
    const { booking, property } = memory.state;
    const cards = [...remembered.values()];
    const left = cards.map((card) => afterUse(card, used));
    const shown = shownOf(property, left, rows?.refunds ?? [], rows?.disputes ?? []);
    return { shown, booking, history: memory.history, plan };
  }
  return read(work, missing, [...remembered.values()], used);
}

async function read(
  { database, memory, propertyId, reference }: BookingWork,
  missing: readonly string[],
  remembered: readonly CardRow[],
  used: readonly CardUsed[],
): Promise<Known> {
  const name = { propertyId, reference };
  const [property, booking, own, [plan], cards, refunds, disputes, ...entries] =
    await database.batch('d1.history.read', [
      ...selectBooking(propertyId, reference),
      selectPlan(name),
      selectCards(propertyId, missing),
      selectRefunds(propertyId, reference),
      selectDisputesOfBooking(propertyId, reference),
      ...selectHistory(name),
    ]);
  const state = memory.state ?? { property: property[0], booking: booking[0] };
  if (!state.property || !state.booking) {
    throw new Error('an entry of the history has no booking');
  }
  const all = [...remembered, ...own, ...cards].map((card) => afterUse(card, used));
  const shown = shownOf(state.property, all, refunds, disputes);
  const history = memory.history ?? knownHistory(...entries);
  return { shown, booking: state.booking, history, plan: plan ?? null };
}

/** A card as a batch leaves it. */
export function afterUse(card: CardRow, used: readonly CardUsed[]): CardRow {
  if (card.virtual === null) return card;
  const own = used.filter(({ cardToken }) => cardToken === card.token);
  return own.reduce((after, { use }) => withUse(after, use), card);
}

function shownOf(
  property: PropertyRow,
  cards: readonly CardRow[],
  refunds: ReturnType<Shown['refundsOf']>,
  disputes: readonly NonNullable<ReturnType<Shown['disputeOf']>>[],
): Shown {
  return {
    property,
    card: (token) => cards.find((card) => card.token === token) ?? null,
    refundsOf: (chargeId) => refunds.filter(({ transactionId }) => transactionId === chargeId),
    disputeOf: (chargeId) =>
      disputes.findLast(({ transactionId }) => transactionId === chargeId) ?? null,
  };
}
