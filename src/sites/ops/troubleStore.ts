import { asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/database.ts';
import { disputes } from '../../schema/disputeTables.ts';
import { webhookEndpoints } from '../../schema/eventTables.ts';
import { refunds, transactions } from '../../schema/moneyTables.ts';
import { outbox } from '../../schema/outboxTables.ts';
import { properties } from '../../schema/propertyTables.ts';
import { MOST_SUMMED } from './store.ts';

/** How many payments that ended later are searched for failed ones. */
const MOST_SEARCHED = 10_000;

/** The most properties whose time zone is read. */
const MOST_ZONES = 10_000;

const failedPayment = {
  id: transactions.id,
  propertyId: transactions.propertyId,
  bookingReference: transactions.bookingReference,
  kind: transactions.kind,
  currency: transactions.currency,
  amountMinor: transactions.amountMinor,
  completedAtMs: transactions.completedAtMs,
};

/** Selects the newest payments that were made since an instant and failed. The literals make SQLite use their index. */
export function selectFailedPayments(queries: Queries, sinceMs: number, limit: number) {
  const ofProperty = sql`(SELECT failed.id FROM transactions AS failed INDEXED BY transactions_by_status WHERE failed.property_id = ${properties.id} AND failed.status = 'Failed' AND failed.status NOT IN ('Processing', 'Accepted') AND failed.created_at_ms >= ${sinceMs} ORDER BY failed.created_at_ms DESC LIMIT ${limit})`;
  return queries
    .select(failedPayment)
    .from(properties)
    .crossJoin(transactions)
    .where(sql`${transactions.id} IN ${ofProperty}`)
    .orderBy(desc(transactions.id))
    .limit(limit);
}

/** Selects the newest payments that failed since an instant, of those that may be much older: schedules and captures. */
export function selectFailedLater(queries: Queries, sinceMs: number, limit: number) {
  const later = sql`(SELECT later.id FROM transactions AS later INDEXED BY transactions_completed_later WHERE later.completed_at_ms >= ${sinceMs} AND (later.kind <> 'charge' OR later.status_checks > 0) ORDER BY later.completed_at_ms DESC LIMIT ${MOST_SEARCHED})`;
  return queries
    .select(failedPayment)
    .from(transactions)
    .where(sql`${transactions.id} IN ${later} AND ${transactions.status} = 'Failed'`)
    .orderBy(desc(transactions.completedAtMs))
    .limit(limit);
}

/** The newest refunds of a property whose outcome was learnt since an instant, by their index. */
function refundsOfProperty(sinceMs: number, further: SQL, limit: number) {
  return sql`(SELECT learnt.id FROM refunds AS learnt INDEXED BY refunds_by_change WHERE learnt.property_id = ${properties.id} AND learnt.learnt_at_ms IS NOT NULL AND learnt.learnt_at_ms >= ${sinceMs}${further} ORDER BY learnt.learnt_at_ms DESC LIMIT ${limit})`;
}

/** Selects the number and sum of the refunds since an instant, by currency and outcome; of each property the newest. */
export function selectRefundSums(queries: Queries, sinceMs: number) {
  const { amountMinor, currency, id, status } = refunds;
  return queries
    .select({
      currency,
      status,
      number: sql<number>`count(*)`.as('number'),
      amountMinor: sql<number>`sum(${amountMinor})`.as('sum_minor'),
    })
    .from(properties)
    .crossJoin(refunds)
    .where(sql`${id} IN ${refundsOfProperty(sinceMs, sql``, MOST_SUMMED)}`)
    .groupBy(currency, status)
    .limit(MOST_SUMMED);
}

/** Selects the newest refunds that failed since an instant. */
export function selectFailedRefunds(queries: Queries, sinceMs: number, limit: number) {
  const { amountMinor, bookingReference, currency, id, learntAtMs, propertyId, transactionId } =
    refunds;
  const failed = refundsOfProperty(sinceMs, sql` AND learnt.status = 'Failed'`, limit);
  return queries
    .select({ id, transactionId, propertyId, bookingReference, currency, amountMinor, learntAtMs })
    .from(properties)
    .crossJoin(refunds)
    .where(sql`${id} IN ${failed}`)
    .orderBy(desc(learntAtMs))
    .limit(limit);
}

/** Selects the open disputes, the one to answer first first. The literals make SQLite use their index. */
export function selectOpenDisputes(queries: Queries, limit: number) {
  const { respondByMs, status } = disputes;
  return queries
    .select()
    .from(disputes)
    .where(sql`${status} IN ('needs_response', 'under_review')`)
    .orderBy(sql`${status} = 'under_review'`, sql`${respondByMs} IS NULL`, asc(respondByMs))
    .limit(limit);
}

/** Deliveries of an endpoint that failed for good, by their index. */
const DEAD = sql`webhook_deliveries INDEXED BY webhook_deliveries_dead WHERE webhook_deliveries.status = 'Dead' AND webhook_deliveries.endpoint_id = ${webhookEndpoints.id}`;

/** When the next delivery of an endpoint is due, by its index. */
const NEXT_DUE = sql<
  number | null
>`(SELECT webhook_deliveries.due_at_ms FROM webhook_deliveries INDEXED BY webhook_deliveries_due WHERE webhook_deliveries.due_at_ms IS NOT NULL AND webhook_deliveries.endpoint_id = ${webhookEndpoints.id} ORDER BY webhook_deliveries.due_at_ms LIMIT 1)`;

/** Selects the endpoints that got something not at all, or have waited for it since an instant. Endpoints are few. */
export function selectEndpointsBehind(queries: Queries, lateMs: number, limit: number) {
  const { active, deletedAtMs, id, propertyId, url } = webhookEndpoints;
  return queries
    .select({
      id,
      propertyId,
      url,
      active,
      dead: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${DEAD} LIMIT ${sql.raw(String(MOST_SUMMED))}))`.as(
        'dead',
      ),
      lastStatus: sql<
        number | null
      >`(SELECT webhook_deliveries.last_status FROM ${DEAD} LIMIT 1)`.as('last_status'),
      nextDueAtMs: NEXT_DUE.as('next_due'),
    })
    .from(webhookEndpoints)
    .where(
      sql`${isNull(deletedAtMs)} AND (EXISTS (SELECT 1 FROM ${DEAD}) OR ${NEXT_DUE} < ${lateMs})`,
    )
    .orderBy(desc(active), asc(id))
    .limit(limit);
}

/** Selects the time zone of each property. Properties are few. */
export function selectZones(queries: Queries) {
  const { id, timeZone } = properties;
  return queries.select({ id, timeZone }).from(properties).limit(MOST_ZONES);
}

/** Selects a message, with its property's time zone, to ask before it is dismissed. */
export function selectToDismiss(queries: Queries, messageId: string) {
  const { bookingReference, createdAtMs, messageType, propertyId, status } = outbox;
  return queries
    .select({
      messageId: outbox.messageId,
      messageType,
      propertyId,
      bookingReference,
      createdAtMs,
      status,
      timeZone: properties.timeZone,
    })
    .from(outbox)
    .innerJoin(properties, eq(properties.id, propertyId))
    .where(eq(outbox.messageId, messageId))
    .limit(1);
}
