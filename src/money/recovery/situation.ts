import { and, asc, type Column, eq, inArray } from 'drizzle-orm';
import { startOfDayMs } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
import { cardInUse } from '../../records/bookings/rules.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { isOfFormerAccount } from '../../records/cards/rules.ts';
import { isChargeOfAny } from '../../records/history/chargesStore.ts';
import { selectTotalsOfBookings } from '../../records/history/sumsStore.ts';
import { bookings } from '../../schema/bookingTables.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { type TransactionRow, transactions } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { type RecoveryRow, recoveries } from '../../schema/recoveryTables.ts';
import { balanceOfRows, lesserOf, totalFor, unattendedDue } from '../balance/rules/balance.ts';
import { type History, readHistory } from '../folio/history.ts';
import { cardByToken } from '../payments/loadTransaction.ts';
import { cardExpired, hasOwnCard } from '../payments/rules.ts';
import { chargeOf, type RecoveredCharge } from './foretold.ts';
import { coveredMinor, type DeclinedCharge, type Situation } from './rules.ts';

/** What a booking's recoveries are decided on. */
export type RecoveryFacts = Pick<
  History,
  'state' | 'plan' | 'transactions' | 'totals' | 'recoveries'
>;

/** A recovery with its charge and the card that this would be made on now. */
export interface Recovery {
  readonly facts: RecoveryFacts;
  readonly row: RecoveryRow;
  readonly charge: RecoveredCharge;
  readonly card: CardRow | null;
}

/** Reads all that a booking's recoveries are decided on, as D1 has it; one round trip. */
export async function readFacts(database: Database, name: BookingName): Promise<History> {
  const facts = await readHistory(database, name);
  if (!facts) throw new Error('a recovery has no booking');
  return facts;
}

/** A charge, and what has been paid of its booking. */
interface ChargeFacts {
  readonly facts: RecoveryFacts;
  readonly charge: RecoveredCharge;
}

export async function recoveryOf(
  work: Pick<BookingWork, 'database' | 'propertyId'>,
  facts: RecoveryFacts,
  row: RecoveryRow,
): Promise<Recovery> {
  const { state } = facts;
  const charge = chargeOf(facts, row);
  const named = hasOwnCard(charge) ? charge.cardToken : null;
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
    isCancelled: booking.status === 'cancelled' && !row.ofSettlement,
    wantedMinor: wantedMinor(recovery),
    card: card && {
      token: card.token,
      willHaveExpired: cardExpired(card, timeZone, row.chargeAtMs),
      isOfFormerAccount: isOfFormerAccount(property, card),
    },
    ...(card?.virtual && { hasContact: property.contact?.email !== undefined }),
    replacements: facts.transactions.filter(({ replacesCharge }) => replacesCharge === charge.id),
    arrivalMs: startOfDayMs(booking.arrival, timeZone),
    nowMs,
  };
}

/**
 * What of a charge is still to be charged, in minor units without fees: of a declined one, what was not paid since, and
 * no more than is due (interface: Recovery). Null if only the outcome of another payment says. Bonds are no part of what
 * is due.
 */
function wantedMinor({ facts, charge }: ChargeFacts): number | null {
  const { requestedMinor, purpose } = charge;
  if (purpose === 'Bond') return requestedMinor;
  const { state, transactions, totals } = facts;
  const standing = balanceOfRows(state.booking.totalCostMinor, transactions, totals);
  const due = unattendedDue(totalFor(state.booking, charge), standing);
  // A charge to come is wanted as long as anything is due: more may be, by then.
  const isToCome = charge.status === 'Pending';
  const leftMinor = isToCome
    ? 1
    : requestedMinor - (coveredMinor(declinedOf(facts)).get(charge.id) ?? 0);
  const wanted = lesserOf(leftMinor, due);
  return isToCome && wanted === 1 ? requestedMinor : wanted;
}

/** What of a declined charge is still to be charged: nothing while that is under way, or was taken. */
export function openOfCharge({ facts, charge }: ChargeFacts): number {
  const isReplaced = facts.transactions.some(
    ({ replacesCharge, status }) =>
      replacesCharge === charge.id && (status === 'Accepted' || status === 'Processing'),
  );
  return isReplaced ? 0 : (wantedMinor({ facts, charge }) ?? 0);
}

/** The booking's recovered charges that were declined and not made again, the earliest declined first. */
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

/** What was charged or captured since an instant, without fees. A schedule pays for itself. */
function paidSince(transactions: readonly TransactionRow[], sinceMs: number): number {
  return transactions
    .filter(({ status, purpose }) => status === 'Accepted' && purpose !== 'Bond')
    .filter(({ kind, replacesCharge }) => kind !== 'schedule' && replacesCharge === null)
    .filter(({ completedAtMs }) => (completedAtMs ?? 0) >= sinceMs)
    .reduce((sum, { requestedMinor }) => sum + requestedMinor, 0);
}

/** What the recoveries of some bookings are decided on, by their references; without the bookings' cards. */
export type FactsByBooking = ReadonlyMap<string, RecoveryFacts>;

/** Reads what the recoveries of some of a property's bookings are decided on; one round trip, none for no booking. */
export async function readFactsOf(
  database: Database,
  property: PropertyRow,
  references: readonly string[],
): Promise<FactsByBooking> {
  if (references.length === 0) return new Map();
  const among = (propertyId: Column, reference: Column) =>
    and(eq(propertyId, property.id), inArray(reference, listed(references)));
  const of = (table: { readonly propertyId: Column; readonly bookingReference: Column }) =>
    among(table.propertyId, table.bookingReference);
  const [booked, charges, totals, recovered] = await database.batch('d1.recovery.read', [
    queries.select().from(bookings).where(among(bookings.propertyId, bookings.reference)),
    queries
      .select()
      .from(transactions)
      .where(isChargeOfAny(property.id, listed(references)))
      .orderBy(asc(transactions.id)),
    selectTotalsOfBookings(property.id, references),
    queries.select().from(recoveries).where(of(recoveries)),
  ]);
  return new Map(
    booked.map((booking) => {
      const isOf = ({ bookingReference }: { readonly bookingReference: string }) =>
        bookingReference === booking.reference;
      const ofBooking = charges.filter(isOf);
      return [
        booking.reference,
        {
          state: { property, booking, cards: [] },
          plan: null,
          transactions: ofBooking,
          totals: totals.filter(({ transactionId }) =>
            ofBooking.some(({ id }) => id === transactionId),
          ),
          recoveries: recovered.filter(isOf),
        },
      ];
    }),
  );
}
