import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { bytes } from './storage.ts';

/** The kinds of movements of a charge's money. */
export const movements = [
  'charge',
  'capture',
  'refund',
  'reversal',
  'chargeback',
  'chargeback_reversal',
  'correction',
] as const;

/**
 * What happened, in order (parts: The history). The audit trail, the events, the balance as of any instant and the
 * journal of money are views of it. Each entry is written in the batch of the change that it records. Rows are never
 * changed, but for `reconciledAtMs`. Amounts are minor units of the booking's currency; null changes nothing.
 */
export const history = sqliteTable(
  'history',
  {
    propertyId: text('property_id').notNull(),
    /** Empty for what is about no booking. */
    bookingReference: text('booking_reference').notNull(),
    /** 1 for the booking's first entry, without gaps. */
    sequence: integer().notNull(),
    /** When this service recorded it, by the property's clock. */
    atMs: integer('at_ms').notNull(),
    /** When it was recorded in real time, where money moved and `atMs` or `occurredAtMs` is another time: `recordedAtMs` of `rules/entry.ts`. */
    recordedAtMs: integer('recorded_at_ms'),
    /** A client id, the id of a person of the staff, `guest`, `gateway` or `alarm`. */
    actor: text().notNull(),
    /** The name that the person of the staff had then; null for anyone else. */
    actorName: text('actor_name'),
    subjectKind: text('subject_kind', {
      enum: [
        'application',
        'booking',
        'card',
        'charge',
        'disbursement',
        'dispute',
        'exception',
        'links',
        'message',
        'plan',
        'recovery',
        'refund',
        'settlement',
      ],
    }).notNull(),
    /** Empty for the booking itself and its links. A recovery has the id of its charge. */
    subjectId: text('subject_id').notNull(),
    /** The states before and after. An entry without `to` is left out of the audit trail. */
    from: text('from_state'),
    to: text('to_state'),
    detail: text(),
    /** The type of the event that the entry is; null for an entry that is no event, as are the next four. */
    type: text(),
    /** 1 for the property's first event, without gaps, in the order in which D1 commits. */
    eventNumber: integer('event_number'),
    /** 1 for the booking's first event, without gaps; null for an event about no booking. */
    eventSequence: integer('event_sequence'),
    /** Eight random bytes of the event's id, which a restored database does not use again: `events/store.ts`. */
    eventSalt: bytes('event_salt'),
    /** The members of the event's `data`, as lists showed them when the entry was made: `records/history/rules/snapshots.ts`. */
    snapshot: bytes('snapshot'),
    /** The contact that the snapshot shows, where that was new. */
    newContactId: integer('new_contact_id'),
    /** A message to the PMS that was queued with the entry: a booking's messages are found by its entries, in their order. */
    messageId: text('message_id'),
    /** The charge whose amounts the entry changes. */
    chargeId: integer('charge_id'),
    /**
     * The kind of a certain movement of money; null for an entry that moves none, as are the next eight. A payout moves
     * what charges brought from the acquirer to the bank, and is about no charge.
     */
    movement: text({ enum: [...movements, 'payout'] }),
    currency: text(),
    /** Positive for money that comes to the property. */
    amountMinor: integer('amount_minor'),
    /** The part of the amount that is fees; 0 unless the movement is a charge, a capture or a correction of one. Of a payout, what the acquirer kept besides. */
    feeMinor: integer('fee_minor'),
    /** What the stay costs less by a refund; negative where that failed later. */
    waivedMinor: integer('waived_minor'),
    gateway: text(),
    /** The acquirer's id of the charge, refund or dispute; null where it is not known. */
    gatewayReference: text('gateway_reference'),
    occurredAtMs: integer('occurred_at_ms'),
    /** When reconciliation found the same movement at the acquirer; null before. */
    reconciledAtMs: integer('reconciled_at_ms'),
    /** What the entry adds to the amounts that are open, without fees. Bonds add nothing. */
    scheduledMinor: integer('scheduled_minor'),
    uncertainMinor: integer('uncertain_minor'),
    heldMinor: integer('held_minor'),
    plannedMinor: integer('planned_minor'),
    /** The total cost of the booking from here on. */
    totalCostMinor: integer('total_cost_minor'),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.bookingReference, table.sequence] }),
    uniqueIndex('history_events')
      .on(table.propertyId, table.eventNumber)
      .where(sql`${table.eventNumber} IS NOT NULL`),
    index('history_movements')
      .on(table.propertyId, table.occurredAtMs)
      .where(sql`${table.movement} IS NOT NULL`),
    // Most movements are found by when they occurred, and write nothing into it.
    index('history_recorded')
      .on(table.propertyId, table.recordedAtMs)
      .where(sql`${table.recordedAtMs} IS NOT NULL`),
    check(
      'history_event',
      sql`(${table.type} IS NULL) = (${table.eventNumber} IS NULL) AND (${table.type} IS NULL) = (${table.snapshot} IS NULL) AND (${table.eventSequence} IS NULL) = (${table.type} IS NULL OR ${table.bookingReference} = '')`,
    ),
    check(
      'history_movement',
      sql`(${table.movement} IS NULL) = (${table.amountMinor} IS NULL) AND (${table.movement} IS NULL OR (${table.movement} = 'payout') = (${table.chargeId} IS NULL))`,
    ),
    check(
      'history_sign',
      sql`(${table.movement} NOT IN ('charge', 'capture', 'reversal', 'chargeback_reversal') OR ${table.amountMinor} > 0) AND (${table.movement} NOT IN ('refund', 'chargeback') OR ${table.amountMinor} < 0)`,
    ),
  ],
);

export type HistoryRow = typeof history.$inferSelect;
export type Movement = (typeof movements)[number];
