import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  isNotNull,
  isNull,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import { pick } from '../../core/pick.ts';
import { queries } from '../../platform/db/database.ts';
import { waysToFind } from '../../platform/db/narrow.ts';
import { comesAfter, type Part, type Way } from '../../platform/db/page.ts';
import { preparedList } from '../../platform/db/prepared.ts';
import {
  deliveriesIn,
  firstOpenDelivery,
  openDeliveries,
} from '../../records/history/openDeliveriesStore.ts';
import { firstEventSince } from '../../records/history/store.ts';
import {
  type WebhookDeliveryRow,
  type WebhookEndpointRow,
  webhookDeliveries,
  webhookEndpoints,
} from '../../schema/eventTables.ts';
import { history } from '../../schema/historyTables.ts';
import { properties } from '../../schema/propertyTables.ts';
import { eventColumns, isOfTypes } from '../store.ts';

/** The endpoints of a property that it has not deleted. */
export function areOf(propertyId: string): SQL | undefined {
  return and(eq(webhookEndpoints.propertyId, propertyId), isNull(webhookEndpoints.deletedAtMs));
}

export function selectEndpoint(propertyId: string, id: string) {
  return queries.select().from(webhookEndpoints).where(isEndpoint(propertyId, id));
}

function isEndpoint(propertyId: string, id: string): SQL | undefined {
  return and(areOf(propertyId), eq(webhookEndpoints.id, id));
}

/** Inserts an endpoint. D1 refuses it if the property has `most` already: without a property, the row is none. */
export function insertEndpoint(row: WebhookEndpointRow, most: number) {
  const { propertyId } = row;
  const known = queries.select({ count: count() }).from(webhookEndpoints).where(areOf(propertyId));
  return queries
    .insert(webhookEndpoints)
    .values({ ...row, propertyId: sql`CASE WHEN ${known} < ${most} THEN ${propertyId} END` });
}

export type EndpointChange = Partial<Pick<WebhookEndpointRow, 'url' | 'types' | 'active'>>;

export function updateEndpoint(propertyId: string, id: string, change: EndpointChange) {
  return changeEndpoint(propertyId, id, change).returning();
}

function changeEndpoint(
  propertyId: string,
  id: string,
  change: SQLiteUpdateSetSource<typeof webhookEndpoints>,
) {
  return queries
    .update(webhookEndpoints)
    .set({ ...change, version: sql`${webhookEndpoints.version} + 1` })
    .where(isEndpoint(propertyId, id));
}

/** Gives an endpoint another secret. The one that it had signs too until `untilMs`. */
export function rotateSecret(
  propertyId: string,
  id: string,
  { secretSealed, untilMs }: { readonly secretSealed: string; readonly untilMs: number },
) {
  const previousSecretSealed = sql`${webhookEndpoints.secretSealed}`;
  const change = { previousSecretSealed, previousUntilMs: untilMs, secretSealed };
  return changeEndpoint(propertyId, id, change);
}

/** Deletes an endpoint: it is kept for the deliveries that name it. */
export function deleteEndpoint(propertyId: string, id: string, realMs: number) {
  const deleted = { active: false, deletedAtMs: realMs };
  return changeEndpoint(propertyId, id, deleted).returning({ id: webhookEndpoints.id });
}

/**
 * Lists the active endpoints of a property in its row again, for the batch that changes one of them: who has the row knows
 * whom to notify. The version makes those read again who remember it.
 */
export function listActiveEndpoints(endpointId: string) {
  const propertyId = sql`(SELECT property_id FROM webhook_endpoints WHERE id = ${endpointId})`;
  const active = sql`(SELECT json_group_array(id ORDER BY id) FROM webhook_endpoints WHERE property_id = ${propertyId} AND active)`;
  return queries
    .update(properties)
    .set({ version: sql`${properties.version} + 1`, webhookEndpoints: active })
    .where(
      and(
        sql`${properties.id} = ${propertyId}`,
        sql`${properties.webhookEndpoints} IS NOT ${active}`,
      ),
    );
}

/** Dismisses what an endpoint was still to get. */
export function dismissDeliveries(endpointId: string, nowMs: number) {
  return queries
    .update(webhookDeliveries)
    .set({ status: 'Dismissed', dueAtMs: null, completedAtMs: nowMs })
    .where(areDeliveries(endpointId, openDeliveries(NUMBER, isTo(endpointId))));
}

const NUMBER = sql`open.event_number`;

const isTo = (endpointId: string | Placeholder) => sql`open.endpoint_id = ${endpointId}`;

/** The condition for an endpoint's deliveries of some events. */
function areDeliveries(endpointId: string, numbers: SQL): SQL | undefined {
  return and(
    eq(webhookDeliveries.endpointId, endpointId),
    sql`${webhookDeliveries.eventNumber} IN (${numbers})`,
  );
}

/** Holds everything back that an endpoint was to get: it is not active any more. */
export function holdDeliveries(endpointId: string) {
  const due = sql`SELECT event_number FROM webhook_deliveries INDEXED BY webhook_deliveries_due WHERE endpoint_id = ${endpointId} AND due_at_ms IS NOT NULL`;
  return queries
    .update(webhookDeliveries)
    .set({ dueAtMs: null })
    .where(areDeliveries(endpointId, due));
}

/**
 * Puts the waiting deliveries of an active endpoint in order: of each booking the first one is due, now or when it was, and
 * all others wait for it. Events about no booking wait for nothing. With the number of an event, only those of its booking.
 */
export function alignDeliveries(endpointId: string, nowMs: number, number?: number) {
  const { bookingReference, dueAtMs, eventNumber } = webhookDeliveries;
  const first = firstOpenDelivery({
    endpointId,
    bookingReference: sql`webhook_deliveries.booking_reference`,
  });
  const isFirst = sql`${bookingReference} IS NULL OR ${eventNumber} = ${first}`;
  const isActive = sql`(SELECT active FROM webhook_endpoints WHERE id = ${endpointId})`;
  const beside =
    number === undefined
      ? sql`1`
      : sql`open.booking_reference IS (SELECT booking_reference FROM webhook_deliveries WHERE endpoint_id = ${endpointId} AND event_number = ${number})`;
  const waiting = deliveriesIn('Pending', NUMBER, sql`${isTo(endpointId)} AND ${beside}`);
  return queries
    .update(webhookDeliveries)
    .set({
      dueAtMs: sql`CASE WHEN ${isActive} AND (${isFirst}) THEN coalesce(${dueAtMs}, ${nowMs}) END`,
    })
    .where(areDeliveries(endpointId, waiting));
}

/** Which events to replay: one by its number, or those since an instant that the endpoint's patterns fit. */
export type ReplayOf =
  | { readonly number: number }
  | { readonly fromMs: number; readonly types: readonly string[] };

/** How many events one call replays. */
const MOST_REPLAYED = 10_000;

/** Makes events waiting for an endpoint, with all attempts ahead of them, whatever became of them there before. */
export function replayEvents(
  endpoint: Pick<WebhookEndpointRow, 'id' | 'propertyId'>,
  which: ReplayOf,
) {
  const wanted =
    'number' in which
      ? eq(history.eventNumber, which.number)
      : and(
          isNotNull(history.eventNumber),
          gte(history.eventNumber, firstEventSince(endpoint.propertyId, which.fromMs)),
          gte(history.atMs, which.fromMs),
          isOfTypes(which.types),
        );
  const replayed = queries
    .select({
      endpointId: sql<string>`${endpoint.id}`.as('endpoint_id'),
      eventNumber: sql<number>`${history.eventNumber}`.as('event_number'),
      propertyId: history.propertyId,
      bookingReference: eventColumns.bookingReference,
      status: sql<'Pending'>`'Pending'`.as('status'),
      attempts: sql<number>`0`.as('attempts'),
      dueAtMs: sql<null>`NULL`.as('due_at_ms'),
      lastStatus: sql<null>`NULL`.as('last_status'),
      lastError: sql<null>`NULL`.as('last_error'),
      completedAtMs: sql<null>`NULL`.as('completed_at_ms'),
    })
    .from(history)
    .where(and(eq(history.propertyId, endpoint.propertyId), wanted))
    .orderBy(asc(history.eventNumber))
    .limit(MOST_REPLAYED);
  return queries
    .insert(webhookDeliveries)
    .select(replayed)
    .onConflictDoUpdate({
      target: [webhookDeliveries.endpointId, webhookDeliveries.eventNumber],
      set: { status: 'Pending', attempts: 0, dueAtMs: null, completedAtMs: null },
    })
    .returning({ eventNumber: webhookDeliveries.eventNumber });
}

/** The statements that find an endpoint's deliveries with their events, the latest event first. */
export function selectDeliveries(
  endpointId: string,
  status: WebhookDeliveryRow['status'] | undefined,
  part: Part,
) {
  const name = status === 'Pending' ? 'pending' : status === 'Dead' ? 'dead' : 'settled';
  return selectPage({ endpointId, [name]: status }, part);
}

/** Which deliveries a page has: all of an endpoint, or those of a status. Indexes have the open ones. */
interface Asked {
  readonly endpointId: string;
  readonly pending?: 'Pending';
  readonly dead?: 'Dead';
  readonly settled?: WebhookDeliveryRow['status'];
}

const selectPage = preparedList<Asked>()(({ dead, endpointId, pending, settled }, part) => {
  const { eventNumber, status } = webhookDeliveries;
  const own = eq(webhookDeliveries.endpointId, endpointId);
  const columns = [eventNumber] as const;
  const list = { table: webhookDeliveries, columns, order: 'descending', own, place: own } as const;
  const keys = (of: 'Pending' | 'Dead') => deliveriesIn(of, NUMBER, isTo(endpointId));
  const filters = [
    ...(pending ? [{ rows: eq(status, pending), keys: keys('Pending') }] : []),
    ...(dead ? [{ rows: eq(status, dead), keys: keys('Dead') }] : []),
    ...(settled ? [{ rows: eq(status, settled) }] : []),
  ];
  return waysToFind(list, filters, part, (way) => selectListed(way));
});

function selectListed({ after, how, most, where }: Way) {
  const { eventNumber } = webhookDeliveries;
  const number = how === 'by key' ? sql`+${eventNumber}` : sql`${eventNumber}`;
  return queries
    .select({
      eventNumber,
      eventId: eventColumns.eventId,
      type: eventColumns.type,
      ...pick(webhookDeliveries, 'status', 'attempts', 'dueAtMs', 'lastStatus'),
    })
    .from(webhookDeliveries)
    .innerJoin(
      history,
      and(
        eq(history.propertyId, webhookDeliveries.propertyId),
        eq(history.eventNumber, eventNumber),
      ),
    )
    .where(and(where, comesAfter('descending', [number], after)))
    .orderBy(desc(number))
    .limit(most);
}

export type ListedDelivery = ReturnType<typeof selectListed>['_']['result'][number];
