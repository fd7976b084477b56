import { sql } from 'drizzle-orm';
import { selectFirstDueDisbursement } from '../../disbursements/store.ts';
import { selectFirstDueDeliveries } from '../../events/delivery/store.ts';
import { selectFirstDueMail } from '../../mails/store.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import { selectFirstDueOfProperty } from '../../pms/outbox/store.ts';
import { DUE_TABLES, selectDueBookings } from '../../records/bookings/dueStore.ts';
import { selectProperty } from '../../records/properties/store.ts';
import { type PropertyRow, properties } from '../../schema/propertyTables.ts';

/** What of a property is due first. `atMs` is when, by its clock. */
export type FirstDue =
  | { readonly kind: 'booking'; readonly atMs: number; readonly reference: string }
  | { readonly kind: 'messages' | 'mails' | 'disbursements'; readonly atMs: number }
  | { readonly kind: 'events'; readonly atMs: number; readonly endpointId: string };

/**
 * A property, and what of it is due by `toMs`: the first of its bookings, messages, mails, disbursements and events of each
 * endpoint. At the same instant the money comes first, then messages, mails and events about it. Null for an unknown
 * property. One round trip.
 */
export async function readDue(
  database: Database,
  propertyId: string,
  toMs: number,
): Promise<{ readonly property: PropertyRow; readonly due: readonly FirstDue[] } | null> {
  const by = { propertyId, untilMs: toMs };
  const [[property], [message], [mail], [disbursement], deliveries, ...ofBookings] =
    await database.batch('d1.clock.read', [
      selectProperty(propertyId),
      selectFirstDueOfProperty(propertyId),
      selectFirstDueMail(propertyId),
      selectFirstDueDisbursement(propertyId),
      selectFirstDueDeliveries(propertyId),
      ...DUE_TABLES.map((table) => selectDueBookings(table, by, 1)),
    ]);
  if (!property) return null;
  const bookings = ofBookings.flat().map(({ dueAtMs: atMs, reference }) => {
    return { kind: 'booking' as const, atMs, reference };
  });
  const others = [
    // A property without a PMS keeps the messages that it queued before.
    { kind: 'messages' as const, atMs: property.pmsUrl === null ? null : message?.dueAtMs },
    { kind: 'mails' as const, atMs: mail?.dueAtMs },
    { kind: 'disbursements' as const, atMs: disbursement?.dueAtMs },
    ...deliveries.map(({ dueAtMs, endpointId }) => {
      return { kind: 'events' as const, atMs: dueAtMs, endpointId };
    }),
  ];
  const due = [
    ...bookings.toSorted((one, other) => one.atMs - other.atMs),
    ...others.flatMap(({ atMs, ...one }) => (atMs == null ? [] : [{ ...one, atMs }])),
  ];
  return { property, due: due.filter(({ atMs }) => atMs <= toMs) };
}

/** Where the time of a property's records is. What is only planned is not among them. */
const RECORDED = [
  'history WHERE property_id = $ AND at_ms > @',
  'bookings WHERE property_id = $ AND updated_at_ms > @',
  'transactions WHERE property_id = $ AND coalesce(changed_at_ms, created_at_ms) > @',
  'refunds WHERE property_id = $ AND coalesce(learnt_at_ms, created_at_ms) > @',
  'disputes WHERE property_id = $ AND learnt_at_ms > @',
  'outbox WHERE message_id IN (SELECT message_id FROM history WHERE property_id = $ AND message_id IS NOT NULL) AND coalesce(completed_at_ms, answered_at_ms, created_at_ms) > @',
  'mails WHERE property_id = $ AND coalesce(completed_at_ms, created_at_ms) > @',
  'cards WHERE property_id = $ AND created_at_ms > @',
  'card_requests WHERE property_id = $ AND created_at_ms > @',
  'payment_plans WHERE property_id = $ AND changed_at_ms > @',
  'recoveries WHERE property_id = $ AND changed_at_ms > @',
  'applications WHERE property_id = $ AND updated_at_ms > @',
  'disbursement_items WHERE property_id = $ AND effective_at_ms > @',
  // A disbursement is in transit from the end of its day.
  "disbursements WHERE property_id = $ AND status <> 'not_paid_out' AND effective_at_ms + 86400000 > @",
  "disbursements WHERE property_id = $ AND status = 'paid_out' AND pays_at_ms > @",
];

export function selectHasRecordAfter(propertyId: string, atMs: number) {
  const found = RECORDED.map((where) => {
    const [table = '', between = '', rest = ''] = where.split(/[$@]/);
    return sql`EXISTS (SELECT 1 FROM ${sql.raw(table)}${propertyId}${sql.raw(between)}${atMs}${sql.raw(rest)})`;
  });
  return queries
    .select({ isAhead: sql<number>`${sql.join(found, sql` OR `)}`.as('is_ahead') })
    .from(properties)
    .where(sql`${properties.id} = ${propertyId}`);
}
