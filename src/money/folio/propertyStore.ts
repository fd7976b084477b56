import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { SECOND_MS } from '../../core/time.ts';
import { queries } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
import { comesAfter, type Part } from '../../platform/db/page.ts';
import { cards } from '../../schema/cardTables.ts';
import { disputes } from '../../schema/disputeTables.ts';
import { refunds, type TransactionRow, transactions } from '../../schema/moneyTables.ts';
import { cardColumns, shownColumns } from '../payments/store.ts';
import { shownRefundColumns } from '../refunds/store.ts';

/** Filters the transactions of a property; `fromMs` and `beforeMs` bound their creation. */
export interface TransactionFilter {
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
  readonly status?: TransactionRow['status'] | undefined;
  /** Only what changed at this time or later, its refunds and disputes included. */
  readonly changedSinceMs?: number | undefined;
}

/** Changes within this time after the creation are found by the creation: the index of later ones leaves them out. */
const AT_ONCE_MS = 60 * SECOND_MS;

/**
 * A charge whose outcome is awaited has its first status check within a minute; after that, the index of unknown
 * outcomes has it.
 */
const FIRST_CHECK_MS = 600 * SECOND_MS;

/** Selects a property's transactions of one purpose, each with its card, newest first. */
export function selectOfPurpose(
  propertyId: string,
  purpose: TransactionRow['purpose'],
  filter: TransactionFilter,
  { after, limit, nowMs }: Part & { readonly nowMs: number },
) {
  const { id, createdAtMs } = transactions;
  const { fromMs, beforeMs, status, changedSinceMs } = filter;
  const isNarrowed =
    changedSinceMs !== undefined || (status !== undefined && status !== 'Accepted');
  return (
    queries
      // A batch returns columns by name only: the two tables' columns need different names.
      .select({
        transaction: shownColumns,
        card: cardColumns,
      })
      .from(transactions)
      .leftJoin(cards, eq(cards.token, transactions.cardToken))
      .where(
        and(
          isNarrowed
            ? // The plus keeps SQLite from reading every transaction in the order of the list.
              sql`+${transactions.propertyId} = ${propertyId}`
            : eq(transactions.propertyId, propertyId),
          isNarrowed
            ? sql`+${transactions.purpose} = ${purpose}`
            : eq(transactions.purpose, purpose),
          fromMs === undefined ? undefined : gte(createdAtMs, fromMs),
          beforeMs === undefined ? undefined : lt(createdAtMs, beforeMs),
          inStatus(propertyId, status, nowMs),
          changedSince(propertyId, purpose, changedSinceMs, nowMs),
          comesAfter('descending', [createdAtMs, id], after),
        ),
      )
      .orderBy(desc(createdAtMs), desc(id))
      .limit(limit + 1)
  );
}

/** Most charges are accepted: those are found in the order of the list. All others are few, and have their index. */
function inStatus(
  propertyId: string,
  status: TransactionFilter['status'],
  nowMs: number,
): SQL | undefined {
  if (status === undefined) return undefined;
  const { id } = transactions;
  const isInStatus = eq(transactions.status, status);
  if (status === 'Accepted') return isInStatus;
  // The literals are the conditions of the indexes.
  const found =
    status === 'Processing'
      ? underWay(propertyId, nowMs)
      : sql`SELECT ${id} FROM ${transactions} WHERE ${transactions.propertyId} = ${propertyId}
          AND ${transactions.status} NOT IN ('Processing', 'Accepted') AND ${isInStatus} `;
  return and(isInStatus, sql`${id} IN (${found})`);
}

function underWay(propertyId: string, nowMs: number): SQL {
  const { bankAskedAtMs, dueAtMs, id, status, statusChecks } = transactions;
  return sql`SELECT ${id} FROM ${transactions} WHERE ${status} = 'Processing' AND ${statusChecks} > 0
    UNION ALL SELECT ${id} FROM ${transactions} WHERE ${dueAtMs} < ${nowMs + FIRST_CHECK_MS}
    UNION ALL SELECT ${id} FROM ${transactions} INDEXED BY transactions_at_bank
      WHERE ${transactions.propertyId} = ${propertyId} AND ${status} = 'Processing' AND ${bankAskedAtMs} IS NOT NULL`;
}

/** What was created or changed since a time, or whose refund or dispute was: each by its index. */
function changedSince(
  propertyId: string,
  purpose: TransactionRow['purpose'],
  sinceMs: number | undefined,
  nowMs: number,
): SQL | undefined {
  if (sinceMs === undefined) return undefined;
  const { id, createdAtMs, changedAtMs, status } = transactions;
  const ofProperty = eq(transactions.propertyId, propertyId);
  // The literals are the condition of the index, which leaves out what is under way.
  return sql`${id} IN (
    SELECT ${id} FROM ${transactions} WHERE ${ofProperty} AND ${eq(transactions.purpose, purpose)}
      AND ${createdAtMs} >= ${sinceMs - AT_ONCE_MS} AND coalesce(${changedAtMs}, ${createdAtMs}) >= ${sinceMs}
    UNION ALL SELECT ${id} FROM ${transactions}
      WHERE ${ofProperty} AND ${changedAtMs} > ${createdAtMs} + 60000 AND ${status} <> 'Processing'
        AND ${changedAtMs} >= ${sinceMs}
    UNION ALL SELECT changing.id FROM transactions AS changing WHERE changing.id IN (${underWay(propertyId, nowMs)})
      AND changing.status = 'Processing' AND changing.changed_at_ms >= ${sinceMs}
    UNION ALL SELECT ${refunds.transactionId} FROM ${refunds}
      WHERE ${eq(refunds.propertyId, propertyId)} AND ${refunds.learntAtMs} >= ${sinceMs}
    UNION ALL SELECT ${disputes.transactionId} FROM ${disputes}
      WHERE ${eq(disputes.propertyId, propertyId)} AND ${disputes.learntAtMs} >= ${sinceMs})`;
}

/** Selects what lists show of the refunds of some bookings, oldest first. */
export function selectRefundsOf(propertyId: string, references: readonly string[]) {
  return queries
    .select(shownRefundColumns)
    .from(refunds)
    .where(
      and(
        eq(refunds.propertyId, propertyId),
        inArray(refunds.bookingReference, listed(references)),
      ),
    )
    .orderBy(asc(refunds.id));
}

/** Selects the disputes of some bookings, the earliest first. */
export function selectDisputesOf(propertyId: string, references: readonly string[]) {
  const ids = queries
    .select({ id: disputes.id })
    .from(disputes)
    .where(
      and(
        eq(disputes.propertyId, propertyId),
        inArray(disputes.bookingReference, listed(references)),
      ),
    );
  return queries
    .select()
    .from(disputes)
    .where(and(eq(disputes.propertyId, propertyId), inArray(disputes.id, ids)))
    .orderBy(asc(disputes.openedAtMs), asc(disputes.id));
}
