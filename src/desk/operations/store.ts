import {
  and,
  asc,
  type Column,
  desc,
  eq,
  gte,
  isNull,
  lte,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { queries } from '../../platform/db/database.ts';
import { literally } from '../../platform/db/indexes.ts';
import { ownPart } from '../../pms/rules/reply.ts';
import { webhookEndpoints } from '../../schema/eventTables.ts';
import { refunds, transactions } from '../../schema/moneyTables.ts';
import { outbox } from '../../schema/outboxTables.ts';
import { properties } from '../../schema/propertyTables.ts';

/** The most schedules that are summed, and the most messages of one property that are counted. */
export const MOST_SUMMED = 1_000;

/** The most properties whose time zone is read. */
const MOST_ZONES = 10_000;

/** What lists show of an operation, charge or refund, whose outcome may be unknown. */
const operations = {
  charge: {
    table: transactions,
    kind: sql<string | null>`${transactions.pendingOperation}`,
    sinceMs: sql<number | null>`${transactions.askedAtMs}`,
  },
  refund: {
    table: refunds,
    kind: sql<string | null>`'refund'`,
    sinceMs: sql<number | null>`${refunds.createdAtMs}`,
  },
};

type OperationKind = keyof typeof operations;

/** Selects operations whose status checks found no outcome yet, the oldest first. */
export function selectUnknown(of: OperationKind, limit: number) {
  const { sinceMs, table } = operations[of];
  const where = and(literally(table.status, 'Processing'), sql`${table.statusChecks} > 0`);
  return selectOperations(of, where, sinceMs, limit);
}

/** Selects operations that were due before an instant, the longest overdue first. */
export function selectLate(of: OperationKind, beforeMs: number | Placeholder, limit: number) {
  const { dueAtMs } = operations[of].table;
  return selectOperations(of, lte(dueAtMs, beforeMs), dueAtMs, limit);
}

function selectOperations(
  of: OperationKind,
  where: SQL | undefined,
  first: Column | SQL,
  limit: number,
) {
  const { kind, sinceMs, table } = operations[of];
  const { bookingReference, dueAtMs, id, propertyId, status, statusChecks } = table;
  return queries
    .select({
      id,
      propertyId,
      bookingReference,
      kind: kind.as('kind'),
      status,
      statusChecks,
      sinceMs: sinceMs.as('since_ms'),
      dueAtMs,
    })
    .from(table)
    .where(where)
    .orderBy(asc(first))
    .limit(limit);
}

/** Selects the number and sum of the scheduled charges that are due before an instant, by currency. */
export function selectUpcomingSums(beforeMs: number | Placeholder) {
  const { amountMinor, currency, dueAtMs, status } = transactions;
  const upcoming = queries
    .select({ currency, amountMinor })
    .from(transactions)
    .where(and(lte(dueAtMs, beforeMs), literally(status, 'Pending')))
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

/** The newest refunds of a property whose outcome was learnt since an instant, by their index. */
function refundsOfProperty(sinceMs: number | Placeholder, limit: number) {
  return sql`(SELECT learnt.id FROM refunds AS learnt INDEXED BY refunds_by_change WHERE learnt.property_id = ${properties.id} AND learnt.learnt_at_ms IS NOT NULL AND learnt.learnt_at_ms >= ${sinceMs} ORDER BY learnt.learnt_at_ms DESC LIMIT ${limit})`;
}

/** Selects the number and sum of the refunds since an instant, by currency and outcome; of each property the newest. */
export function selectRefundSums(sinceMs: number | Placeholder) {
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
    .where(sql`${id} IN ${refundsOfProperty(sinceMs, MOST_SUMMED)}`)
    .groupBy(currency, status)
    .limit(MOST_SUMMED);
}

/** Selects the newest payments with a warning since a time. Its literal makes SQLite use their index. */
export function selectWarned(sinceMs: number | Placeholder, limit: number) {
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

function countUpTo(rows: SQL, limit: number) {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${sql.raw(String(limit))}))`;
}

/** The first messages of a property, the dead ones before others, which failed at least once: as `FROM … WHERE …`. */
function failedOf(undelivered: SQL): SQL {
  return sql`FROM (SELECT status, last_error, booking_reference, created_at_ms FROM ${undelivered} LIMIT ${sql.raw(String(MOST_SUMMED))}) WHERE (status = 'Dead' OR last_error IS NOT NULL)`;
}

/**
 * Selects the properties with undelivered messages, those with dead ones first. Each row has the number of messages
 * (`depth`), the number of dead ones, since when messages have failed, by its clock, the error that most of them have, of
 * how many bookings, and when the next message is due. It reads all properties, which are few.
 */
export function selectBacklogs(limit: number) {
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
      failingSinceMs: sql<number | null>`(SELECT min(created_at_ms) ${failedOf(undelivered)})`.as(
        'failing_since',
      ),
      cause:
        sql`(SELECT json_array(last_error, count(DISTINCT booking_reference)) ${failedOf(undelivered)} AND last_error IS NOT NULL GROUP BY last_error ORDER BY count(*) DESC LIMIT 1)`
          .mapWith(causeOf)
          .as('cause'),
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

/** A text that a PMS says of so many bookings names none of their guests. */
const FEWEST_OF_ALL = 3;

/** Why messages fail, without what the PMS may say of one guest. */
function causeOf(packed: string): string | null {
  const [error, bookings] = JSON.parse(packed) as [string, number];
  return bookings >= FEWEST_OF_ALL ? error : ownPart(error);
}

const hasUndelivered = sql`EXISTS (SELECT 1 FROM ${UNDELIVERED} AND outbox.property_id = properties.id)`;

/** Selects how many properties have undelivered messages. */
export function selectPropertiesBehind() {
  return queries
    .select({ number: sql<number>`count(*)`.as('number') })
    .from(properties)
    .where(hasUndelivered)
    .limit(1);
}

/** Selects dead messages, the oldest first. */
export function selectDead(limit: number) {
  return queries
    .select({
      ...pick(outbox, 'messageId', 'messageType', 'propertyId', 'bookingReference'),
      ...pick(outbox, 'attempts', 'lastError', 'createdAtMs'),
    })
    .from(outbox)
    .where(literally(outbox.status, 'Dead'))
    .orderBy(asc(outbox.messageId))
    .limit(limit);
}

/** Deliveries of an endpoint that failed for good, by their index. */
const DEAD_DELIVERIES = sql`webhook_deliveries INDEXED BY webhook_deliveries_dead WHERE webhook_deliveries.status = 'Dead' AND webhook_deliveries.endpoint_id = ${webhookEndpoints.id}`;

/** When the next delivery of an endpoint is due, by its index. */
const NEXT_DUE = sql<
  number | null
>`(SELECT webhook_deliveries.due_at_ms FROM webhook_deliveries INDEXED BY webhook_deliveries_due WHERE webhook_deliveries.due_at_ms IS NOT NULL AND webhook_deliveries.endpoint_id = ${webhookEndpoints.id} ORDER BY webhook_deliveries.due_at_ms LIMIT 1)`;

/** Selects the endpoints that got something not at all, or have waited for it since an instant. Endpoints are few. */
export function selectEndpointsBehind(lateMs: number | Placeholder, limit: number) {
  const { active, deletedAtMs, id } = webhookEndpoints;
  return queries
    .select({
      ...pick(webhookEndpoints, 'id', 'propertyId', 'url', 'active'),
      dead: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${DEAD_DELIVERIES} LIMIT ${sql.raw(String(MOST_SUMMED))}))`.as(
        'dead',
      ),
      lastStatus: sql<
        number | null
      >`(SELECT webhook_deliveries.last_status FROM ${DEAD_DELIVERIES} LIMIT 1)`.as('last_status'),
      nextDueAtMs: NEXT_DUE.as('next_due'),
    })
    .from(webhookEndpoints)
    .where(
      sql`${isNull(deletedAtMs)} AND (EXISTS (SELECT 1 FROM ${DEAD_DELIVERIES}) OR ${NEXT_DUE} < ${lateMs})`,
    )
    .orderBy(desc(active), asc(id))
    .limit(limit);
}

/** Selects the time zone of each property. Properties are few. */
export function selectZones() {
  const { id, timeZone } = properties;
  return queries.select({ id, timeZone }).from(properties).limit(MOST_ZONES);
}

/** Selects a message, with its property's time zone, to ask before it is dismissed. */
export function selectToDismiss(messageId: string) {
  return queries
    .select({
      ...pick(outbox, 'messageId', 'messageType', 'propertyId', 'bookingReference'),
      ...pick(outbox, 'createdAtMs', 'status'),
      timeZone: properties.timeZone,
    })
    .from(outbox)
    .innerJoin(properties, eq(properties.id, outbox.propertyId))
    .where(eq(outbox.messageId, messageId))
    .limit(1);
}
