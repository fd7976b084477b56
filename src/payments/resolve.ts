import type { BookingWork } from '../bookings/work.ts';
import { bookingState } from '../bookings/work.ts';
import type { CardRow, TransactionRow } from '../db/schema.ts';
import type { LookUp, Outcome } from '../gateways/gateway.ts';
import { RESEND_LIFE_MS } from './rules.ts';
import { awaitInquiry, sendCharge, settle } from './settle.ts';
import { selectDue, selectNextDue, selectTransactionCards } from './store.ts';

/** How many due transactions one alarm deals with; the next alarm goes on at once. */
const MOST_PER_ALARM = 20;

/** Does what is due for this booking, and returns when the next thing is; null when nothing is. */
export async function resolveDue(work: BookingWork): Promise<number | null> {
  const { queries } = work.database;
  const [due, cards] = await work.database.batch('d1.due.read', [
    selectDue(queries, work.propertyId, work.reference, work.now(), MOST_PER_ALARM),
    selectTransactionCards(queries, work.propertyId, work.reference),
  ]);
  const state = due.length > 0 ? await bookingState(work) : null;
  for (const row of due) {
    const card = cards.find((candidate) => candidate.token === row.cardToken);
    if (card && state) await resolve(work, row, card, state.property.timeZone);
  }
  const [[next]] = await work.database.batch('d1.due.next', [
    selectNextDue(queries, work.propertyId, work.reference),
  ]);
  return next?.atMs ?? null;
}

/**
 * Finds out what became of a charge whose outcome is unknown: the gateway is asked first; only when it has
 * no such operation is the same request sent again under the same key.
 */
async function resolve(
  work: BookingWork,
  row: TransactionRow,
  card: CardRow,
  timeZone: string,
): Promise<void> {
  const found = await lookUp(work, row);
  const outcome = found.kind === 'absent' ? await resend(work, row, card) : found;
  if (outcome.kind === 'unknown') await awaitInquiry(work, row);
  else await settle(work, row, card, timeZone, outcome);
}

function lookUp(work: BookingWork, row: TransactionRow): Promise<LookUp> {
  return work.crossings.cross('gateway.lookUp', () =>
    work.gateway.lookUp({
      kind: 'charge',
      idempotencyKey: row.gatewayKey ?? row.reference,
      propertyId: row.propertyId,
      reference: row.reference,
    }),
  );
}

/** Sends the identical request again, as long as the gateway still knows its key for certain. */
async function resend(work: BookingWork, row: TransactionRow, card: CardRow): Promise<Outcome> {
  if (work.now() - row.createdAtMs > RESEND_LIFE_MS) {
    return { kind: 'unknown', reason: 'the key may have been forgotten' };
  }
  return sendCharge(work, row, card);
}
