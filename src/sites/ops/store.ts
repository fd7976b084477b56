import { and, asc, desc, getTableColumns, gte, lte, type SQL, sql } from 'drizzle-orm';
import { lowestIdAt } from '../../core/ids.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { Queries } from '../../platform/db/database.ts';
import { disbursements } from '../../schema/disbursementTables.ts';
import { refunds, type TransactionRow, transactions } from '../../schema/moneyTables.ts';
import { outbox } from '../../schema/outboxTables.ts';
import { properties } from '../../schema/propertyTables.ts';

/** The most outcomes of one kind that are counted, which limits the cost of the page. */
export const MOST_COUNTED = 50_000;

/** The most schedules that are summed, and the most messages of one property that are counted. */
export const MOST_SUMMED = 1_000;

/** A literal, because D1 binds numbers as floats and would not divide as integers. */
const HOUR = sql.raw(String(HOUR_MS));

/** Which outcomes to count: their time, the outcome, and the query that finds the newest first. */
interface Counted {
  readonly atMs: SQL;
  /** Null for rows that do not count. */
  readonly outcome: SQL;
  readonly where: SQL | undefined;
  readonly newest: SQL;
}

/**
 * Counts transactions and sums their amounts in minor units, by hour (whole hours since 1970), currency, outcome and
 * decline code.
 */
function countOutcomes(queries: Queries, { atMs, outcome, where, newest }: Counted) {
  const { amountMinor, currency, declineCode } = transactions;
  const recent = queries
    .select({
      hour: sql<number>`${atMs} / ${HOUR}`.as('hour'),
      currency,
      outcome: sql<TransactionRow['status'] | 'Captured' | 'Held' | null>`${outcome}`.as('outcome'),
      declineCode: sql<string | null>`CASE ${outcome} WHEN 'Declined' THEN ${declineCode} END`.as(
        'code',
      ),
      amountMinor,
    })
    .from(transactions)
    .where(where)
    .orderBy(newest)
    .limit(MOST_COUNTED)
    .as('recent');
  return queries
    .select({
      hour: recent.hour,
      currency: recent.currency,
      outcome: recent.outcome,
      declineCode: recent.declineCode,
      number: sql<number>`count(*)`.as('number'),
      amountMinor: sql<number>`sum(${recent.amountMinor})`.as('sum_minor'),
    })
    .from(recent)
    .groupBy(
      sql`${recent.hour}`,
      recent.currency,
      sql`${recent.outcome}`,
      sql`${recent.declineCode}`,
    )
    .limit(MOST_COUNTED);
}

/**
 * Counts immediate charges that the gateway's first answer completed since an instant. Their ids find them without an
 * index of their own. A crash can delay a charge's completion, so ids start one hour earlier.
 */
export function selectChargeOutcomes(queries: Queries, sinceMs: number) {
  const { id, statusChecks, kind, completedAtMs, status } = transactions;
  return countOutcomes(queries, {
    atMs: sql`${completedAtMs}`,
    outcome: sql`CASE WHEN ${completedAtMs} >= ${sinceMs} AND ${kind} = 'charge' AND ${statusChecks} = 0 THEN ${status} END`,
    where: gte(id, lowestIdAt(sinceMs - HOUR_MS)),
    newest: desc(id),
  });
}

/**
 * Counts transactions that were completed since an instant but may be much older: schedules, captures, and charges
 * that needed a status check.
 */
export function selectLaterOutcomes(queries: Queries, sinceMs: number) {
  const { statusChecks, kind, completedAtMs, status } = transactions;
  return countOutcomes(queries, {
    atMs: sql`${completedAtMs}`,
    outcome: sql`CASE WHEN ${kind} = 'authorization' AND ${status} = 'Accepted' THEN 'Captured' ELSE ${status} END`,
    // Written exactly as in the index, so that SQLite uses the index.
    where: and(gte(completedAtMs, sinceMs), sql`(${kind} <> 'charge' OR ${statusChecks} > 0)`),
    newest: desc(completedAtMs),
  });
}

/** Counts the holds that were made since an instant and approved by their banks, by when they were made. */
export function selectHoldOutcomes(queries: Queries, sinceMs: number) {
  const { createdAtMs, gatewayReference, id, kind, pendingOperation, status } = transactions;
  const isApproved = sql`${gatewayReference} IS NOT NULL AND (${status} IN ('Authorized', 'Accepted', 'Released', 'Expired') OR ${status} = 'Processing' AND ${pendingOperation} <> 'authorize')`;
  return countOutcomes(queries, {
    atMs: sql`${createdAtMs}`,
    outcome: sql`CASE WHEN ${kind} = 'authorization' AND ${isApproved} THEN 'Held' END`,
    where: gte(id, lowestIdAt(sinceMs)),
    newest: desc(id),
  });
}

/** Counts schedules that were declined since an instant and will be retried, by their last attempt. */
export function selectRetriedOutcomes(queries: Queries, sinceMs: number) {
  const { askedAtMs, attempts, status } = transactions;
  return countOutcomes(queries, {
    atMs: sql`${askedAtMs}`,
    outcome: sql`'Declined'`,
    where: and(gte(askedAtMs, sinceMs), sql`${status} = 'Pending' AND ${attempts} > 0`),
    newest: desc(askedAtMs),
  });
}

/** Selects transactions whose status checks found no outcome yet, the oldest first. */
export function selectUnknownTransactions(queries: Queries, limit: number) {
  const { askedAtMs, statusChecks, status } = transactions;
  return (
    queries
      .select(unknownTransaction)
      .from(transactions)
      // Literals, as in the index of unknown outcomes: with bound values, SQLite might not use the index.
      .where(sql`${status} = 'Processing' AND ${statusChecks} > 0`)
      .orderBy(asc(askedAtMs))
      .limit(limit)
  );
}

/** Selects transactions that were due before an instant, the longest overdue first. */
export function selectLateTransactions(queries: Queries, beforeMs: number, limit: number) {
  const { dueAtMs } = transactions;
  return queries
    .select(unknownTransaction)
    .from(transactions)
    .where(lte(dueAtMs, beforeMs))
    .orderBy(asc(dueAtMs))
    .limit(limit);
}

const unknownTransaction = {
  id: transactions.id,
  propertyId: transactions.propertyId,
  bookingReference: transactions.bookingReference,
  kind: transactions.pendingOperation,
  status: transactions.status,
  statusChecks: transactions.statusChecks,
  sinceMs: transactions.askedAtMs,
  dueAtMs: transactions.dueAtMs,
};

/** Selects refunds whose status checks found no outcome yet, the oldest first. */
export function selectUnknownRefunds(queries: Queries, limit: number) {
  const { createdAtMs, statusChecks, status } = refunds;
  return queries
    .select(unknownRefund)
    .from(refunds)
    .where(sql`${status} = 'Processing' AND ${statusChecks} > 0`)
    .orderBy(asc(createdAtMs))
    .limit(limit);
}

/** Selects refunds that were due before an instant, the longest overdue first. */
export function selectLateRefunds(queries: Queries, beforeMs: number, limit: number) {
  const { dueAtMs } = refunds;
  return queries
    .select(unknownRefund)
    .from(refunds)
    .where(lte(dueAtMs, beforeMs))
    .orderBy(asc(dueAtMs))
    .limit(limit);
}

const unknownRefund = {
  id: refunds.id,
  propertyId: refunds.propertyId,
  bookingReference: refunds.bookingReference,
  kind: sql<'refund'>`'refund'`.as('kind'),
  status: refunds.status,
  statusChecks: refunds.statusChecks,
  sinceMs: refunds.createdAtMs,
  dueAtMs: refunds.dueAtMs,
};

/** Selects the number and sum of the scheduled charges that are due before an instant, by currency. */
export function selectUpcomingSums(queries: Queries, beforeMs: number) {
  const { amountMinor, currency, dueAtMs, status } = transactions;
  const upcoming = queries
    .select({ currency, amountMinor })
    .from(transactions)
    // A literal, as in the index of schedules: with bound values, SQLite might not use the index.
    .where(and(lte(dueAtMs, beforeMs), sql`${status} = 'Pending'`))
    .orderBy(asc(dueAtMs))
    .limit(MOST_SUMMED)
    .as('upcoming');
  return queries
    .select({
      currency: upcoming.currency,
      number: sql<number>`count(*)`.as('number'),
      amountMinor: sql<number>`sum(${upcoming.amountMinor})`.as('sum_minor'),
    })
    .from(upcoming)
    .groupBy(upcoming.currency)
    .limit(MOST_SUMMED);
}

/** Selects the scheduled charges that are due before an instant, the next first. */
export function selectUpcoming(queries: Queries, beforeMs: number, limit: number) {
  const { amountMinor, attempts, bookingReference, currency, dueAtMs, id, propertyId } =
    transactions;
  return queries
    .select({ id, propertyId, bookingReference, currency, amountMinor, attempts, dueAtMs })
    .from(transactions)
    .where(
      // Names the index: otherwise SQLite reads everything that is due, including holds and status checks.
      sql`${id} IN (SELECT scheduled.id FROM transactions AS scheduled INDEXED BY transactions_scheduled WHERE scheduled.status = 'Pending' AND scheduled.due_at_ms <= ${beforeMs} ORDER BY scheduled.due_at_ms LIMIT ${limit})`,
    )
    .orderBy(asc(dueAtMs), asc(id))
    .limit(limit);
}

/** Selects the newest payments with a warning since a time. Its literal makes SQLite use their index. */
export function selectWarned(queries: Queries, sinceMs: number, limit: number) {
  const { amountMinor, bookingReference, createdAtMs, currency, id, propertyId, warnings } =
    transactions;
  return queries
    .select({ id, propertyId, bookingReference, currency, amountMinor, warnings, createdAtMs })
    .from(transactions)
    .where(and(sql`${warnings} <> '[]'`, gte(createdAtMs, sinceMs)))
    .orderBy(desc(createdAtMs))
    .limit(limit);
}

/**
 * Undelivered messages. Names the index: otherwise SQLite reads all messages that a property ever queued. The states
 * are literals: with bound values, SQLite might not use this index.
 */
const UNDELIVERED = sql`outbox INDEXED BY outbox_unsettled WHERE outbox.status IN ('Pending', 'Dead')`;

/** Dead messages by property, with the index named for the same reason. */
const DEAD = sql`outbox INDEXED BY outbox_dead_of_property WHERE outbox.status = 'Dead'`;

/** Counts rows up to a limit. */
function countUpTo(rows: SQL, limit: number) {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${sql.raw(String(limit))}))`;
}

/**
 * Selects the properties with undelivered messages, those with dead ones first. Each row has the number of messages
 * (`depth`), the number of dead ones, when the oldest dead one was queued, and when the next other one is due. It reads
 * all properties, which are few.
 */
export function selectBacklogs(queries: Queries, limit: number) {
  const shown = queries
    .select({
      id: properties.id,
      hasDead:
        sql<number>`EXISTS (SELECT 1 FROM ${DEAD} AND outbox.property_id = properties.id)`.as(
          'has_dead',
        ),
    })
    .from(properties)
    .where(hasUndelivered)
    .orderBy(sql`has_dead DESC`, asc(properties.id))
    .limit(limit)
    .as('shown');
  const undelivered = sql`${UNDELIVERED} AND outbox.property_id = shown.id`;
  const dead = sql`${DEAD} AND outbox.property_id = shown.id`;
  return queries
    .select({
      propertyId: shown.id,
      depth: countUpTo(undelivered, MOST_SUMMED).as('depth'),
      dead: countUpTo(dead, MOST_SUMMED).as('dead'),
      oldestDeadAtMs: sql<
        number | null
      >`(SELECT outbox.created_at_ms FROM ${dead} ORDER BY outbox.message_id LIMIT 1)`.as(
        'oldest_dead',
      ),
      nextDueAtMs: sql<
        number | null
      >`(SELECT outbox.due_at_ms FROM ${undelivered} AND outbox.due_at_ms IS NOT NULL ORDER BY outbox.due_at_ms LIMIT 1)`.as(
        'next_due',
      ),
    })
    .from(shown)
    .orderBy(desc(shown.hasDead), asc(shown.id))
    .limit(limit);
}

const hasUndelivered = sql`EXISTS (SELECT 1 FROM ${UNDELIVERED} AND outbox.property_id = properties.id)`;

/** Selects how many properties have undelivered messages. */
export function selectPropertiesBehind(queries: Queries) {
  return queries
    .select({ number: sql<number>`count(*)`.as('number') })
    .from(properties)
    .where(hasUndelivered)
    .limit(1);
}

/** Selects dead messages, the oldest first. */
export function selectDead(queries: Queries, limit: number) {
  const { attempts, bookingReference, createdAtMs, lastError, messageId, messageType, propertyId } =
    outbox;
  return (
    queries
      .select({
        messageId,
        messageType,
        propertyId,
        bookingReference,
        attempts,
        lastError,
        createdAtMs,
      })
      .from(outbox)
      // A literal, as in the index of dead messages: with bound values, SQLite might not use the index.
      .where(sql`${outbox.status} = 'Dead'`)
      .orderBy(asc(messageId))
      .limit(limit)
  );
}

/** Selects the newest disbursements of all properties, out of the newest of each property. */
export function selectNewestDisbursements(queries: Queries, limit: number) {
  const newestOfProperty = sql`(SELECT newest.rowid FROM disbursements AS newest WHERE newest.property_id = ${properties.id} ORDER BY newest.effective_at_ms DESC, newest.id DESC LIMIT ${limit})`;
  return queries
    .select(getTableColumns(disbursements))
    .from(properties)
    .crossJoin(disbursements)
    .where(sql`${disbursements}.rowid IN ${newestOfProperty}`)
    .orderBy(desc(disbursements.effectiveAtMs), desc(disbursements.id))
    .limit(limit);
}
