import { and, asc, desc, eq, getTableColumns, gte, lte, sql } from 'drizzle-orm';
import { lowestIdAt } from '../core/ids.ts';
import { DAY_MS, HOUR_MS } from '../core/time.ts';
import type { Queries } from '../db/database.ts';
import { disbursements } from '../db/disbursementTables.ts';
import { outbox, properties, refunds, transactions } from '../db/schema.ts';

/** How many rows are counted for one number at most, so that the page costs no more however much there is. */
export const MOST_COUNTED = 50_000;

/** How many messages of one property are counted at most. */
export const MOST_COUNTED_MESSAGES = 1_000;

/** As a literal, since D1 would divide by a bound number as by a fraction. */
const HOUR = sql.raw(String(HOUR_MS));

/**
 * Selects what became of the newest transactions made since an instant: how many there are of each hour (whole hours since
 * 1970), currency, status and, of declined ones, decline code, and what they come to in minor units.
 */
export function selectOutcomes(queries: Queries, sinceMs: number) {
  const { amountMinor, createdAtMs, currency, declineCode, id, status } = transactions;
  const recent = queries
    .select({
      hour: sql<number>`${createdAtMs} / ${HOUR}`.as('hour'),
      currency,
      status,
      declineCode: sql<string | null>`CASE ${status} WHEN 'Declined' THEN ${declineCode} END`.as(
        'code',
      ),
      amountMinor,
    })
    .from(transactions)
    // Found by id; but ids only grow, so that one can be ahead of its time where a clock was put back.
    .where(and(gte(id, lowestIdAt(sinceMs)), gte(createdAtMs, sinceMs)))
    .orderBy(desc(id))
    .limit(MOST_COUNTED)
    .as('recent');
  return queries
    .select({
      hour: recent.hour,
      currency: recent.currency,
      status: recent.status,
      declineCode: recent.declineCode,
      number: sql<number>`count(*)`.as('number'),
      amountMinor: sql<number>`sum(${recent.amountMinor})`.as('sum_minor'),
    })
    .from(recent)
    .groupBy(sql`${recent.hour}`, recent.currency, recent.status, sql`${recent.declineCode}`)
    .limit(MOST_COUNTED);
}

/** Selects transactions in `Processing`, the longest asked for first: each is due for a look within a day. */
export function selectOpenTransactions(queries: Queries, nowMs: number, limit: number) {
  const { askedAtMs, bookingReference, dueAtMs, id, pendingOperation, propertyId, status } =
    transactions;
  return queries
    .select({ id, propertyId, bookingReference, kind: pendingOperation, askedAtMs, dueAtMs })
    .from(transactions)
    .where(and(lte(dueAtMs, nowMs + DAY_MS), eq(status, 'Processing')))
    .orderBy(asc(askedAtMs), asc(id))
    .limit(limit);
}

/** Selects refunds in `Processing`, the oldest first. */
export function selectOpenRefunds(queries: Queries, nowMs: number, limit: number) {
  const { bookingReference, createdAtMs, dueAtMs, id, propertyId, status } = refunds;
  return (
    queries
      .select({ id, propertyId, bookingReference, askedAtMs: createdAtMs, dueAtMs })
      .from(refunds)
      .where(and(lte(dueAtMs, nowMs + DAY_MS), eq(status, 'Processing')))
      // `+`: found by what is due, not by going through every refund.
      .orderBy(sql`+${id}`)
      .limit(limit)
  );
}

/** Selects how many scheduled charges are due before an instant, and what they come to, by currency. */
export function selectUpcomingSums(queries: Queries, beforeMs: number) {
  const { amountMinor, currency, dueAtMs } = transactions;
  const upcoming = queries
    .select({ currency, amountMinor })
    .from(transactions)
    .where(isUpcoming(beforeMs))
    .orderBy(asc(dueAtMs))
    .limit(MOST_COUNTED)
    .as('upcoming');
  return queries
    .select({
      currency: upcoming.currency,
      number: sql<number>`count(*)`.as('number'),
      amountMinor: sql<number>`sum(${upcoming.amountMinor})`.as('sum_minor'),
    })
    .from(upcoming)
    .groupBy(upcoming.currency)
    .limit(MOST_COUNTED);
}

/** Selects the scheduled charges that are due before an instant, the next one first. */
export function selectUpcoming(queries: Queries, beforeMs: number, limit: number) {
  const { amountMinor, attempts, bookingReference, currency, dueAtMs, id, propertyId } =
    transactions;
  return queries
    .select({ id, propertyId, bookingReference, currency, amountMinor, attempts, dueAtMs })
    .from(transactions)
    .where(isUpcoming(beforeMs))
    .orderBy(asc(dueAtMs))
    .limit(limit);
}

function isUpcoming(beforeMs: number) {
  return and(lte(transactions.dueAtMs, beforeMs), eq(transactions.status, 'Pending'));
}

/**
 * Messages that are not settled. The index is named, since SQLite would rather go through all that a property ever
 * queued; the states are literals, since with bound values it could not tell that this index is meant.
 */
const UNSETTLED = sql`outbox INDEXED BY outbox_unsettled WHERE outbox.status IN ('Pending', 'Dead')`;

/**
 * Selects the properties with messages that are not settled, and of each, as a JSON object, how many of them wait
 * (`waiting`), how many are dead (`dead`) and when the oldest was queued (`oldestAtMs`). Goes through the properties,
 * which are few.
 */
export function selectBacklogs(queries: Queries, limit: number) {
  const ofProperty = sql`${UNSETTLED} AND outbox.property_id = properties.id`;
  const most = sql.raw(String(MOST_COUNTED_MESSAGES));
  return queries
    .select({
      propertyId: properties.id,
      backlog:
        sql<string>`(SELECT json_object('waiting', sum(status = 'Pending'), 'dead', sum(status = 'Dead'), 'oldestAtMs', min(created_at_ms)) FROM (SELECT status, created_at_ms FROM ${ofProperty} LIMIT ${most}))`.as(
          'backlog',
        ),
    })
    .from(properties)
    .where(sql`EXISTS (SELECT 1 FROM ${ofProperty})`)
    .orderBy(asc(properties.id))
    .limit(limit);
}

/** Selects dead messages, the oldest first. None of them is due, so that only what is held back is gone through. */
export function selectDead(queries: Queries, limit: number) {
  const { attempts, bookingReference, createdAtMs, lastError, messageId, messageType, propertyId } =
    outbox;
  const held = sql`SELECT message_id, status FROM ${UNSETTLED} AND outbox.due_at_ms IS NULL AND outbox.property_id IN (SELECT id FROM properties) LIMIT ${MOST_COUNTED}`;
  return queries
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
    .where(
      sql`${messageId} IN (SELECT message_id FROM (${held}) WHERE status = 'Dead' ORDER BY message_id LIMIT ${limit})`,
    )
    .orderBy(asc(messageId))
    .limit(limit);
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
