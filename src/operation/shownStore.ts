import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { prepared, type ValuesOrPlaceholders } from '../platform/db/prepared.ts';
import { type BookingName, isOfBooking } from '../records/bookings/store.ts';
import { isChargeOf } from '../records/history/chargesStore.ts';
import type { KnownHistory } from '../records/history/sums.ts';
import { selectDueRecoveries, selectRecoveries } from '../records/recoveries/store.ts';
import { cards } from '../schema/cardTables.ts';
import { type DisputeRow, disputes } from '../schema/disputeTables.ts';
import {
  type RefundRow,
  refunds,
  type TransactionRow,
  transactions,
} from '../schema/moneyTables.ts';
import type { RecoveryRow } from '../schema/recoveryTables.ts';
import { type SettlementRow, settlements } from '../schema/settlementTables.ts';

/** The rows that the operations of a booking start from, as D1 has them. */
export interface BookingRows {
  /** Oldest first, as are the refunds. */
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly RefundRow[];
  /** The earliest first. */
  readonly disputes: readonly DisputeRow[];
  readonly recoveries: readonly RecoveryRow[];
  /** Those that have not ended. */
  readonly settlements: readonly SettlementRow[];
}

/** What is remembered of a booking's rows: all, or of one with too many those that are due; null where it is not known. */
export interface RememberedRows {
  readonly rows: BookingRows | null;
  readonly due: BookingRows | null;
}

/** How many rows of a kind are remembered of a booking: few have more. */
const MOST_ROWS = 10;

/** Whether a booking may have few enough rows: each charge that was taken is one. Null if its history is not known. */
function mayBeRemembered(history: KnownHistory | null): boolean {
  return history === null || history.totals.length <= MOST_ROWS;
}

/** Selects what can be remembered of a booking, for the end of a batch; {@link rememberedOf} reads it. */
export function selectRemembered(name: BookingName, history: KnownHistory | null) {
  return mayBeRemembered(history) ? selectRows(name) : selectDueRows(name);
}

export function rememberedOf(
  results: readonly unknown[],
  history: KnownHistory | null,
): RememberedRows {
  const rows = rowsOf(...(results as Parameters<typeof rowsOf>));
  return mayBeRemembered(history) ? { rows, due: null } : { rows: null, due: rows };
}

/** What is remembered once some transactions are new, or are changed. */
export function withTransactions(
  { due, rows }: RememberedRows,
  after: readonly TransactionRow[],
): RememberedRows {
  const before = rows ?? due;
  if (before === null) return { rows: null, due: null };
  const byId = new Map([...before.transactions, ...after].map((row) => [row.id, row]));
  const transactions = [...byId.values()].toSorted((one, other) => one.id - other.id);
  const all = { ...before, transactions };
  if (rows && isFew(all)) return { rows: all, due: null };
  const waiting = {
    ...all,
    transactions: transactions.filter(isDue),
    refunds: all.refunds.filter(isDue),
    disputes: all.disputes.filter(isDue),
    recoveries: all.recoveries.filter(isDue),
  };
  return { rows: null, due: isFew(waiting) ? waiting : null };
}

function isDue({ dueAtMs }: { readonly dueAtMs: number | null }): boolean {
  return dueAtMs !== null;
}

function isFew(rows: BookingRows): boolean {
  return Object.values(rows).every(({ length }) => length <= MOST_ROWS);
}

/** Selects the rows that operations start from, for the end of a batch; {@link rowsOf} reads them. */
export function selectRows({ propertyId, reference }: BookingName) {
  const name = { propertyId, reference };
  return [
    firstTransactions(name),
    firstRefunds(name),
    disputesOfBooking(name),
    selectRecoveries(name),
    openSettlements(name),
  ] as const;
}

/** The rows of {@link selectRows} or {@link selectDueRows}; null if there are more than is remembered. */
export function rowsOf(...results: Parameters<typeof bookingRows>): BookingRows | null {
  const rows = bookingRows(...results);
  return isFew(rows) ? rows : null;
}

/** Selects a booking's rows of each kind that are due, the earliest first, for the end of a batch. */
export function selectDueRows({ propertyId, reference }: BookingName) {
  const name = { propertyId, reference };
  return [
    dueTransactions(name),
    dueRefunds(name),
    dueDisputes(name),
    selectDueRecoveries(name),
    openSettlements(name),
  ] as const;
}

/** The rows of {@link selectDueRows}. */
export function bookingRows(
  transactions: readonly TransactionRow[],
  refunds: readonly RefundRow[],
  disputes: readonly DisputeRow[],
  recoveries: readonly RecoveryRow[],
  settlements: readonly SettlementRow[],
): BookingRows {
  return { transactions, refunds, disputes, recoveries, settlements };
}

const dueTransactions = prepared<BookingName>()((booking) =>
  queries
    .select()
    .from(transactions)
    .where(and(isChargeOf(booking), isNotNull(transactions.dueAtMs)))
    // The plus keeps SQLite from looking through all that is due.
    .orderBy(sql`+${transactions.dueAtMs}`)
    .limit(MOST_ROWS + 1),
);

const dueRefunds = prepared<BookingName>()((booking) =>
  queries
    .select()
    .from(refunds)
    .where(and(isOfBooking(refunds, booking), isNotNull(refunds.dueAtMs)))
    .orderBy(sql`+${refunds.dueAtMs}`)
    .limit(MOST_ROWS + 1),
);

const dueDisputes = prepared<BookingName>()((name) =>
  queries
    .select()
    .from(disputes)
    .where(and(isDisputeOf(name), isNotNull(disputes.dueAtMs)))
    .orderBy(sql`+${disputes.dueAtMs}`)
    .limit(MOST_ROWS + 1),
);

const firstTransactions = prepared<BookingName>()((booking) =>
  queries
    .select()
    .from(transactions)
    .where(isChargeOf(booking))
    .orderBy(asc(transactions.id))
    .limit(MOST_ROWS + 1),
);

const firstRefunds = prepared<BookingName>()((booking) => refundsOf(booking).limit(MOST_ROWS + 1));

/** Selects the settlement of a booking that has not ended. A booking has few. */
const openSettlements = prepared<BookingName>()((booking) =>
  queries
    .select()
    .from(settlements)
    .where(and(isOfBooking(settlements, booking), isNull(settlements.endedAtMs))),
);

/**
 * Selects some of a property's cards by their tokens. The plus makes SQLite look up these few cards instead of scanning
 * every card of the property.
 */
export function selectCards(propertyId: string, tokens: readonly string[]) {
  return queries
    .select()
    .from(cards)
    .where(and(sql`+${cards.propertyId} = ${propertyId}`, inArray(cards.token, listed(tokens))));
}

/** Selects all refunds of a booking, oldest first. */
export function selectRefunds(propertyId: string, reference: string) {
  return refundsOfBooking({ propertyId, reference });
}

const refundsOfBooking = prepared<BookingName>()(refundsOf);

function refundsOf(booking: ValuesOrPlaceholders<BookingName>) {
  return queries
    .select()
    .from(refunds)
    .where(isOfBooking(refunds, booking))
    .orderBy(asc(refunds.id))
    .$dynamic();
}

/** The order of few disputes. The plus keeps SQLite from reading all of a property in that order. */
export const EARLIEST_DISPUTE = [sql`+${disputes.openedAtMs}`, asc(disputes.id)] as const;

/** Selects the disputes of a booking's charges, the earliest first. */
export function selectDisputesOfBooking(propertyId: string, reference: string) {
  return disputesOfBooking({ propertyId, reference });
}

const disputesOfBooking = prepared<BookingName>()((name) =>
  queries
    .select()
    .from(disputes)
    .where(isDisputeOf(name))
    .orderBy(...EARLIEST_DISPUTE),
);

/**
 * The condition for the disputes of a booking. Without the inner query SQLite reads every dispute of the property: it
 * prefers the primary key to the index by booking.
 */
export function isDisputeOf(booking: ValuesOrPlaceholders<BookingName>) {
  const ids = queries
    .select({ id: disputes.id })
    .from(disputes)
    .where(isOfBooking(disputes, booking));
  return and(eq(disputes.propertyId, booking.propertyId), inArray(disputes.id, ids));
}
