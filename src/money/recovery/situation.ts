import { startOfDayMs } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import type { RecoveryRow } from '../../platform/db/recoveryTables.ts';
import { type BookingState, cardInUse } from '../../records/bookings/rules.ts';
import { selectBooking } from '../../records/bookings/store.ts';
import { selectRecoveries } from '../../records/recoveries/store.ts';
import { balanceOf, type ChargeTotals, processingOf } from '../balance/balance.ts';
import { selectChargeTotals } from '../balance/store.ts';
import { cardByToken } from '../payments/loadTransaction.ts';
import { cardExpired } from '../payments/rules.ts';
import { selectTransactions } from '../payments/store.ts';
import { coveredMinor, type DeclinedCharge, type Situation, stillWantedMinor } from './rules.ts';

/** What a booking's recoveries are decided on. */
export interface RecoveryFacts {
  readonly state: BookingState;
  readonly transactions: readonly TransactionRow[];
  readonly totals: readonly ChargeTotals[];
  readonly recoveries: readonly RecoveryRow[];
}

/** A recovery with its charge and the card that this would be made on now. */
export interface Recovery {
  readonly facts: RecoveryFacts;
  readonly row: RecoveryRow;
  readonly charge: TransactionRow;
  readonly card: CardRow | null;
}

/** Reads all that a booking's recoveries are decided on, as D1 has it; one round trip. */
export async function readFacts(work: BookingWork): Promise<RecoveryFacts> {
  const { database, propertyId, reference } = work;
  const { queries } = database;
  const [[property], [booking], cards, transactions, totals, recoveries] = await database.batch(
    'd1.recovery.read',
    [
      ...selectBooking(queries, propertyId, reference),
      selectTransactions(queries, propertyId, reference),
      selectChargeTotals(queries, propertyId, reference),
      selectRecoveries(queries, { propertyId, reference }),
    ],
  );
  if (!property || !booking) throw new Error('a recovery has no booking');
  work.follow(property);
  const state = { property, booking, cards };
  work.memory.state = state;
  return { state, transactions, totals, recoveries };
}

/** A charge, and what has been paid of its booking. */
export interface ChargeFacts {
  readonly facts: RecoveryFacts;
  readonly charge: TransactionRow;
}

/** One of the recoveries, with its charge and its card. */
export async function recoveryOf(
  work: BookingWork,
  facts: RecoveryFacts,
  row: RecoveryRow,
): Promise<Recovery> {
  const { state, transactions } = facts;
  const charge = transactions.find(({ id }) => id === row.transactionId);
  if (!charge) throw new Error('a recovery has no charge');
  const named = charge.cardNamed || charge.status !== 'Pending' ? charge.cardToken : null;
  const card = named === null ? cardInUse(state) : await cardByToken(work, state, named);
  return { facts, row, charge, card };
}

/** What the next step of a recovery is decided on. */
export function situationOf(recovery: Recovery, nowMs: number): Situation {
  const { row, charge, card, facts } = recovery;
  const { property, booking } = facts.state;
  const { timeZone } = property;
  return {
    row,
    charge,
    settings: property.cardRecovery,
    isCancelled: booking.status === 'cancelled',
    isPaid: row.cause === 'expiring' ? nothingIsDue(recovery) : wantedMinor(recovery) === 0,
    card: card && {
      token: card.token,
      willHaveExpired: cardExpired(card, timeZone, row.chargeAtMs),
    },
    replacements: facts.transactions.filter(({ replacesCharge }) => replacesCharge === charge.id),
    arrivalMs: startOfDayMs(booking.arrival, timeZone),
    nowMs,
  };
}

/** Whether the booking is paid, so that its guest is not asked for the card of a charge to come. */
function nothingIsDue({ facts, charge }: Recovery): boolean {
  return charge.purpose !== 'Bond' && openMinor(facts) === 0;
}

/** What is due less what is uncertain, in minor units; null if the booking's total is not known. */
function openMinor({ state, transactions, totals }: ChargeFacts['facts']): number | null {
  const { totalCostMinor } = state.booking;
  if (totalCostMinor === 0) return null;
  const { dueMinor } = balanceOf(totalCostMinor, transactions, totals);
  return Math.max(0, dueMinor - processingOf(transactions));
}

/** What of a declined charge is still wanted, in minor units without fees. */
export function wantedMinor({ facts, charge }: ChargeFacts): number {
  const covered = coveredMinor(declinedOf(facts)).get(charge.id) ?? 0;
  return stillWantedMinor(charge.requestedMinor, covered, openMinor(facts));
}

/** The booking's recovered charges that were declined and not made again, the one that was declined first first. */
function declinedOf({ transactions, recoveries }: ChargeFacts['facts']): DeclinedCharge[] {
  const recovered = new Set(recoveries.map(({ transactionId }) => transactionId));
  const replaced = transactions.filter(({ status }) => status === 'Accepted');
  return transactions
    .filter(({ id, status }) => status === 'Declined' && recovered.has(id))
    .filter(({ id }) => !replaced.some(({ replacesCharge }) => replacesCharge === id))
    .toSorted((one, other) => declinedAtMs(one) - declinedAtMs(other) || one.id - other.id)
    .map((charge) => ({
      ...charge,
      paidSinceMinor: paidSince(transactions, declinedAtMs(charge)),
    }));
}

function declinedAtMs({ completedAtMs, createdAtMs }: TransactionRow): number {
  return completedAtMs ?? createdAtMs;
}

/** What was charged by request or by the guest since an instant. A schedule pays for itself. */
function paidSince(transactions: readonly TransactionRow[], sinceMs: number): number {
  return transactions
    .filter(({ status, purpose }) => status === 'Accepted' && purpose !== 'Bond')
    .filter(({ kind, replacesCharge }) => kind === 'charge' && replacesCharge === null)
    .filter(({ completedAtMs }) => (completedAtMs ?? 0) >= sinceMs)
    .reduce((sum, { requestedMinor }) => sum + requestedMinor, 0);
}
