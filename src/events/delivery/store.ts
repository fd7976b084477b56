import {
  and,
  asc,
  eq,
  exists,
  gt,
  isNull,
  lte,
  min,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { clockAt, hasServedClock, type Served } from '../../delivery/store.ts';
import { queries } from '../../platform/db/database.ts';
import { literally } from '../../platform/db/indexes.ts';
import { firstOpenDelivery } from '../../records/history/openDeliveriesStore.ts';
import {
  type WebhookDeliveryRow,
  webhookDeliveries,
  webhookEndpoints,
} from '../../schema/eventTables.ts';
import { history } from '../../schema/historyTables.ts';
import { properties } from '../../schema/propertyTables.ts';
import { eventColumns } from '../store.ts';
import type { KeptEvent } from '../views.ts';

/** A delivery that nothing holds back, with its event. */
export type DueDelivery = KeptEvent &
  Pick<WebhookDeliveryRow, 'endpointId' | 'eventNumber' | 'attempts'>;

export function selectServed(endpointId: string) {
  return queries.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId));
}

export function selectPropertyOf(endpointId: string) {
  return queries
    .select()
    .from(properties)
    .where(
      sql`${properties.id} = (SELECT property_id FROM webhook_endpoints WHERE id = ${endpointId})`,
    );
}

/** Selects the deliveries that are due by the property's clock, the longest due first. `nowMs` is real time. */
export function selectDueDeliveries(of: Served, nowMs: number, limit: number) {
  return selectWithEvents(and(isServed(of), lte(webhookDeliveries.dueAtMs, clockAt(nowMs))))
    .orderBy(asc(webhookDeliveries.dueAtMs), asc(webhookDeliveries.eventNumber))
    .limit(limit);
}

/** Selects in how many milliseconds the next delivery becomes due. `nowMs` is real time. */
export function selectNextDueDelivery(of: Served, nowMs: number) {
  const inMs = sql<number | null>`min(${webhookDeliveries.dueAtMs} - ${clockAt(nowMs)})`;
  return queries
    .select({ inMs: inMs.as('in_ms') })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(properties, eq(properties.id, webhookEndpoints.propertyId))
    .where(and(isServed(of), gt(webhookDeliveries.dueAtMs, clockAt(nowMs))));
}

/** Selects the first delivery of a booking that is due by `nowMs` of the property's clock, if any is. */
export function selectDueOfLane(of: DueDelivery, nowMs: number) {
  return selectWithEvents(
    and(
      eq(webhookDeliveries.endpointId, of.endpointId),
      sql`${webhookDeliveries.eventNumber} = ${firstOpenDelivery(of)}`,
      lte(webhookDeliveries.dueAtMs, nowMs),
      eq(webhookEndpoints.active, true),
    ),
  )
    .orderBy(asc(webhookDeliveries.eventNumber))
    .limit(1);
}

function selectWithEvents(where: SQL | undefined) {
  return queries
    .select({
      ...pick(webhookDeliveries, 'endpointId', 'eventNumber', 'attempts'),
      ...eventColumns,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(properties, eq(properties.id, webhookEndpoints.propertyId))
    .innerJoin(
      history,
      and(
        eq(history.propertyId, webhookDeliveries.propertyId),
        eq(history.eventNumber, webhookDeliveries.eventNumber),
      ),
    )
    .where(where)
    .$dynamic();
}

function isServed(of: Served): SQL | undefined {
  return and(
    eq(webhookDeliveries.endpointId, of.receiver),
    eq(webhookEndpoints.active, true),
    hasServedClock(of),
  );
}

type DeliveryKey = Pick<DueDelivery, 'endpointId' | 'eventNumber'>;

type AttemptedDelivery = Pick<
  WebhookDeliveryRow,
  'status' | 'attempts' | 'dueAtMs' | 'lastStatus' | 'lastError' | 'completedAtMs'
>;

/** Records an attempt. An endpoint that is not active any more gets nothing further: nothing is due. */
export function recordAttempt(key: DeliveryKey, attempted: AttemptedDelivery) {
  const isActive = sql`(SELECT active FROM webhook_endpoints WHERE id = ${key.endpointId})`;
  const { dueAtMs } = attempted;
  return queries
    .update(webhookDeliveries)
    .set({
      ...attempted,
      dueAtMs: dueAtMs === null ? null : sql`CASE WHEN ${isActive} THEN ${dueAtMs} END`,
    })
    .where(
      and(
        eq(webhookDeliveries.endpointId, key.endpointId),
        eq(webhookDeliveries.eventNumber, key.eventNumber),
        eq(webhookDeliveries.status, 'Pending'),
      ),
    );
}

/** Makes a booking's first open delivery due, if it was waiting. */
export function promoteFirst(of: DueDelivery, nowMs: number) {
  const { endpointId } = of;
  return queries
    .update(webhookDeliveries)
    .set({ dueAtMs: nowMs })
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        sql`${webhookDeliveries.eventNumber} = ${firstOpenDelivery(of)}`,
        eq(webhookDeliveries.status, 'Pending'),
        isNull(webhookDeliveries.dueAtMs),
        sql`(SELECT active FROM webhook_endpoints WHERE id = ${endpointId})`,
      ),
    );
}

export function deactivateEndpoint(endpointId: string) {
  return queries
    .update(webhookEndpoints)
    .set({ active: false, version: sql`${webhookEndpoints.version} + 1` })
    .where(and(eq(webhookEndpoints.id, endpointId), eq(webhookEndpoints.active, true)));
}

/** Selects when the first delivery of each of a property's endpoints is due, by its clock. */
export function selectFirstDueDeliveries(propertyId: string) {
  return queries
    .select({
      endpointId: webhookEndpoints.id,
      dueAtMs: min(webhookDeliveries.dueAtMs).as('first_due_at_ms'),
    })
    .from(webhookEndpoints)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.endpointId, webhookEndpoints.id))
    .where(
      and(
        eq(webhookEndpoints.propertyId, propertyId),
        eq(webhookEndpoints.active, true),
        sql`${webhookDeliveries.dueAtMs} IS NOT NULL`,
      ),
    )
    .groupBy(webhookEndpoints.id);
}

/** Selects the endpoints with a delivery that was due before `beforeMs` in real time. */
export function selectOverdueEndpoints(beforeMs: number | Placeholder, limit: number) {
  const overdue = queries
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, webhookEndpoints.id),
        lte(webhookDeliveries.dueAtMs, sql`${beforeMs} + ${properties.clockAheadMs}`),
      ),
    );
  return queries
    .select({ receiver: webhookEndpoints.id })
    .from(webhookEndpoints)
    .innerJoin(properties, eq(properties.id, webhookEndpoints.propertyId))
    .where(
      and(eq(webhookEndpoints.active, true), isNull(properties.clockFrozenAtMs), exists(overdue)),
    )
    .limit(limit);
}

/** Selects one delivery to an active endpoint that the service gave up. */
export function selectAnyDead() {
  const dead = queries
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, webhookEndpoints.id),
        literally(webhookDeliveries.status, 'Dead'),
      ),
    );
  return queries
    .select({ endpointId: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.active, true), exists(dead)))
    .limit(1);
}

export function selectActiveEndpoints(propertyId: string) {
  return queries
    .select({ webhookEndpoints: properties.webhookEndpoints })
    .from(properties)
    .where(eq(properties.id, propertyId));
}
