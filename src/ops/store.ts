import { and, asc, desc, eq, getTableColumns, gte, lt, lte, type SQL, sql } from 'drizzle-orm';
import { lowestIdAt } from '../core/ids.ts';
import { HOUR_MS } from '../core/time.ts';
import { endedSessions } from '../db/accessTables.ts';
import type { Queries } from '../db/database.ts';
import { disbursements } from '../db/disbursementTables.ts';
import { refunds, type TransactionRow, transactions } from '../db/moneyTables.ts';
import { outbox } from '../db/outboxTables.ts';
import { properties } from '../db/propertyTables.ts';

/** How many outcomes of one sort are counted at most, so that the page costs no more however much there is. */
export const MOST_COUNTED = 50_000;

/** How many schedules are summed, and how many messages of one property are counted, at most. */
export const MOST_SUMMED = 1_000;

/** As a literal, since D1 would divide by a bound number as by a fraction. */
const HOUR = sql.raw(String(HOUR_MS));

/** Which outcomes are counted: when they were known, what they were, and how they are found, the newest first. */
interface Counted {
  readonly atMs: SQL;
  /** Null for what is not to be counted. */
  readonly outcome: SQL;
  readonly where: SQL | undefined;
  readonly newest: SQL;
}

/**
 * Counts transactions by the hour (whole hours since 1970), their currency, outcome and, of declined ones, decline
 * code, with what they come to in minor units.
 */
function countOutcomes(queries: Queries, { atMs, outcome, where, newest }: Counted) {
  const { amountMinor, currency, declineCode } = transactions;
  const recent = queries
    .select({
      hour: sql<number>`${atMs} / ${HOUR}`.as('hour'),
      currency,
      outcome: sql<TransactionRow['status'] | null>`${outcome}`.as('outcome'),
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
 * Counts immediate charges that were settled since an instant by the first answer. They are found by their ids, so that
 * they need no index of their own; one that a crash held up was made up to an hour earlier.
 */
export function selectChargeOutcomes(queries: Queries, sinceMs: number) {
  const { id, inquiries, kind, settledAtMs, status } = transactions;
  return countOutcomes(queries, {
    atMs: sql`${settledAtMs}`,
    outcome: sql`CASE WHEN ${settledAtMs} >= ${sinceMs} AND ${kind} = 'charge' AND ${inquiries} = 0 THEN ${status} END`,
    where: gte(id, lowestIdAt(sinceMs - HOUR_MS)),
    newest: desc(id),
  });
}

/**
 * Counts what was settled since an instant and may have been made long before: schedules, captures, and charges whose
 * outcome had to be asked for.
 */
export function selectLaterOutcomes(queries: Queries, sinceMs: number) {
  const { inquiries, kind, settledAtMs, status } = transactions;
  return countOutcomes(queries, {
    atMs: sql`${settledAtMs}`,
    outcome: sql`${status}`,
    // In the index's own words, so that SQLite takes it.
    where: and(gte(settledAtMs, sinceMs), sql`(${kind} <> 'charge' OR ${inquiries} > 0)`),
    newest: desc(settledAtMs),
  });
}

/** Counts schedules that were declined since an instant and will be tried again, by their last attempt. */
export function selectRetriedOutcomes(queries: Queries, sinceMs: number) {
  const { askedAtMs, attempts, status } = transactions;
  return countOutcomes(queries, {
    atMs: sql`${askedAtMs}`,
    outcome: sql`'Declined'`,
    where: and(gte(askedAtMs, sinceMs), sql`${status} = 'Pending' AND ${attempts} > 0`),
    newest: desc(askedAtMs),
  });
}

/** Selects transactions whose outcome was asked for in vain, the longest open first. */
export function selectUnknownTransactions(queries: Queries, limit: number) {
  const { askedAtMs, inquiries, status } = transactions;
  return (
    queries
      .select(openTransaction)
      .from(transactions)
      // As literals, as in the index of unknown outcomes: SQLite takes it whatever it knows of bound values.
      .where(sql`${status} = 'Processing' AND ${inquiries} > 0`)
      .orderBy(asc(askedAtMs))
      .limit(limit)
  );
}

/** Selects transactions that something should have been done about by an instant, the longest overdue first. */
export function selectLateTransactions(queries: Queries, beforeMs: number, limit: number) {
  const { dueAtMs } = transactions;
  return queries
    .select(openTransaction)
    .from(transactions)
    .where(lte(dueAtMs, beforeMs))
    .orderBy(asc(dueAtMs))
    .limit(limit);
}

const openTransaction = {
  id: transactions.id,
  propertyId: transactions.propertyId,
  bookingReference: transactions.bookingReference,
  kind: transactions.pendingOperation,
  status: transactions.status,
  inquiries: transactions.inquiries,
  sinceMs: transactions.askedAtMs,
  dueAtMs: transactions.dueAtMs,
};

/** Selects refunds whose outcome was asked for in vain, the oldest first. */
export function selectUnknownRefunds(queries: Queries, limit: number) {
  const { createdAtMs, inquiries, status } = refunds;
  return queries
    .select(openRefund)
    .from(refunds)
    .where(sql`${status} = 'Processing' AND ${inquiries} > 0`)
    .orderBy(asc(createdAtMs))
    .limit(limit);
}

/** Selects refunds that something should have been done about by an instant, the longest overdue first. */
export function selectLateRefunds(queries: Queries, beforeMs: number, limit: number) {
  const { dueAtMs } = refunds;
  return queries
    .select(openRefund)
    .from(refunds)
    .where(lte(dueAtMs, beforeMs))
    .orderBy(asc(dueAtMs))
    .limit(limit);
}

const openRefund = {
  id: refunds.id,
  propertyId: refunds.propertyId,
  bookingReference: refunds.bookingReference,
  kind: sql<'refund'>`'refund'`.as('kind'),
  status: refunds.status,
  inquiries: refunds.inquiries,
  sinceMs: refunds.createdAtMs,
  dueAtMs: refunds.dueAtMs,
};

/** Selects how many of the next scheduled charges are due before an instant, and what they come to, by currency. */
export function selectUpcomingSums(queries: Queries, beforeMs: number) {
  const { amountMinor, currency, dueAtMs, status } = transactions;
  const upcoming = queries
    .select({ currency, amountMinor })
    .from(transactions)
    // As a literal, as in the index of schedules: SQLite takes it whatever it knows of bound values.
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

/** Selects the scheduled charges that are due before an instant, the next one first. */
export function selectUpcoming(queries: Queries, beforeMs: number, limit: number) {
  const { amountMinor, attempts, bookingReference, currency, dueAtMs, id, propertyId } =
    transactions;
  return queries
    .select({ id, propertyId, bookingReference, currency, amountMinor, attempts, dueAtMs })
    .from(transactions)
    .where(
      // The index is named, since SQLite would rather go through all that is due, holds and look-ups among it.
      sql`${id} IN (SELECT scheduled.id FROM transactions AS scheduled INDEXED BY transactions_scheduled WHERE scheduled.status = 'Pending' AND scheduled.due_at_ms <= ${beforeMs} ORDER BY scheduled.due_at_ms LIMIT ${limit})`,
    )
    .orderBy(asc(dueAtMs), asc(id))
    .limit(limit);
}

/**
 * Messages that are not settled. The index is named, since SQLite would rather go through all that a property ever
 * queued; the states are literals, since with bound values it could not tell that this index is meant.
 */
const UNSETTLED = sql`outbox INDEXED BY outbox_unsettled WHERE outbox.status IN ('Pending', 'Dead')`;

/** Messages that were given up, by property; named and literal for the same reasons. */
const DEAD = sql`outbox INDEXED BY outbox_dead_of_property WHERE outbox.status = 'Dead'`;

/** Counts rows up to a limit. */
function countUpTo(rows: SQL, limit: number) {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${sql.raw(String(limit))}))`;
}

/**
 * Selects the properties with messages that are not settled, those with dead ones first, and of each how many there are
 * (`depth`), how many of them are dead, when the oldest dead one was queued, and when the next of the others is due.
 * Goes through the properties, which are few.
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
    .where(hasUnsettled)
    .orderBy(sql`has_dead DESC`, asc(properties.id))
    .limit(limit)
    .as('shown');
  const unsettled = sql`${UNSETTLED} AND outbox.property_id = shown.id`;
  const dead = sql`${DEAD} AND outbox.property_id = shown.id`;
  return queries
    .select({
      propertyId: shown.id,
      depth: countUpTo(unsettled, MOST_SUMMED).as('depth'),
      dead: countUpTo(dead, MOST_SUMMED).as('dead'),
      oldestDeadAtMs: sql<
        number | null
      >`(SELECT outbox.created_at_ms FROM ${dead} ORDER BY outbox.message_id LIMIT 1)`.as(
        'oldest_dead',
      ),
      nextDueAtMs: sql<
        number | null
      >`(SELECT outbox.due_at_ms FROM ${unsettled} AND outbox.due_at_ms IS NOT NULL ORDER BY outbox.due_at_ms LIMIT 1)`.as(
        'next_due',
      ),
    })
    .from(shown)
    .orderBy(desc(shown.hasDead), asc(shown.id))
    .limit(limit);
}

const hasUnsettled = sql`EXISTS (SELECT 1 FROM ${UNSETTLED} AND outbox.property_id = properties.id)`;

/** Selects how many properties have messages that are not settled. */
export function selectPropertiesBehind(queries: Queries) {
  return queries
    .select({ number: sql<number>`count(*)`.as('number') })
    .from(properties)
    .where(hasUnsettled)
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
      // As a literal, as in the index of dead messages: SQLite takes it whatever it knows of bound values.
      .where(sql`${outbox.status} = 'Dead'`)
      .orderBy(asc(messageId))
      .limit(limit)
  );
}

/** Selects the newest disbursements of all properties, from the newest ones of each. */
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

/** Selects whether a session was signed out of. */
export function selectEndedSession(queries: Queries, id: string) {
  return queries
    .select({ id: endedSessions.id })
    .from(endedSessions)
    .where(eq(endedSessions.id, id))
    .limit(1);
}

/** Ends a session for good. */
export function insertEndedSession(queries: Queries, row: typeof endedSessions.$inferInsert) {
  return queries.insert(endedSessions).values(row).onConflictDoNothing();
}

/** Forgets sessions that would be over anyway. */
export function forgetEndedSessions(queries: Queries, nowMs: number) {
  return queries.delete(endedSessions).where(lt(endedSessions.untilMs, nowMs));
}
