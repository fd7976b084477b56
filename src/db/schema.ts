import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { Dispute } from '../gateways/gateway.ts';

/**
 * The one truth of the service. Money is integer minor units of the row's currency; instants are
 * milliseconds since 1970 (`…AtMs`), dates `YYYY-MM-DD`. Every row names its property, and every
 * query asks for it.
 */

/** A hotel or residence, its fees and the address of its PMS (decisions: sections 5, 9 and 13). */
export const properties = sqliteTable(
  'properties',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    site: text().notNull(),
    currency: text().notNull(),
    timeZone: text('time_zone').notNull(),
    portfolio: text().notNull().default('default'),
    cardFeeBasisPoints: integer('card_fee_basis_points').notNull().default(0),
    /** Basis points by brand, over the rate above: `{"amex": 290}`. */
    cardFeeByBrand: text('card_fee_by_brand', { mode: 'json' })
      .$type<Record<string, number>>()
      .notNull()
      .default({}),
    transactionFeeMinor: integer('transaction_fee_minor').notNull().default(0),
    keepSchedulesOnCancellation: integer('keep_schedules_on_cancellation', { mode: 'boolean' })
      .notNull()
      .default(false),
    stripeAccount: text('stripe_account'),
    pmsUrl: text('pms_url'),
    pmsUsername: text('pms_username'),
    /** Encrypted: see `crypto/seal.ts`. */
    pmsPasswordSealed: text('pms_password_sealed'),
    pmsTransactionFormat: text('pms_transaction_format', { enum: ['JSON', 'XML'] })
      .notNull()
      .default('JSON'),
    pmsNamespace: text('pms_namespace'),
    /** Grows with every change; money rows name the version that they were decided under. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [
    check(
      'properties_fees',
      sql`${table.cardFeeBasisPoints} BETWEEN 0 AND 9999 AND ${table.transactionFeeMinor} >= 0`,
    ),
    // A PMS that calls is found by its user name.
    index('properties_by_pms_user').on(table.pmsUsername),
    // A dispatcher serves all properties of one address.
    index('properties_by_pms_url').on(table.pmsUrl),
  ],
);

/** An API client: its secret is stored as a SHA-256 digest (decisions: section 2). */
export const clients = sqliteTable('clients', {
  id: text().primaryKey(),
  /** Null for an administrator, who belongs to no property. */
  propertyId: text('property_id').references(() => properties.id),
  scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
  secretDigest: text('secret_digest').notNull(),
  /** Made by the local start's seed: refused everywhere else. */
  seeded: integer({ mode: 'boolean' }).notNull().default(false),
  createdAtMs: integer('created_at_ms').notNull(),
  revokedAtMs: integer('revoked_at_ms'),
});

/** A room stay that the booking engine names and the PMS is told (decisions: section 7). */
export interface RoomStay {
  readonly roomTypeCode: string;
  readonly rateTypeCode: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly adults?: number | undefined;
  readonly children?: number | undefined;
  /** Minor units of the booking's currency. */
  readonly amountMinor?: number | undefined;
}

/** One booking per PMS booking reference and property (interface: 2.4). */
export const bookings = sqliteTable(
  'bookings',
  {
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    reference: text().notNull(),
    status: text({ enum: ['booked', 'cancelled'] }).notNull(),
    arrival: text().notNull(),
    departure: text().notNull(),
    lastName: text('last_name').notNull(),
    email: text().notNull(),
    currency: text().notNull(),
    totalCostMinor: integer('total_cost_minor').notNull(),
    firstNightCostMinor: integer('first_night_cost_minor').notNull(),
    firstName: text('first_name'),
    phone: text(),
    source: text(),
    pmsConfirmationNumber: text('pms_confirmation_number'),
    roomStays: text('room_stays', { mode: 'json' }).$type<RoomStay[]>(),
    /** The card that charges use when they name none: the one attached last. */
    cardToken: text('card_token'),
    /** Raising it revokes every guest link given out before. */
    linkVersion: integer('link_version').notNull().default(1),
    /** Grows with every change of the booking or its cards; money rows name the version that they were decided under. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.reference] }),
    check('bookings_stay', sql`${table.departure} > ${table.arrival}`),
    check(
      'bookings_costs',
      sql`${table.totalCostMinor} >= 0 AND ${table.firstNightCostMinor} >= 0`,
    ),
    check('bookings_status', sql`${table.status} IN ('booked', 'cancelled')`),
  ],
);

/** A card, known by a token; the number itself lives in the gateway's vault only (decisions: section 6). */
export const cards = sqliteTable(
  'cards',
  {
    token: text().primaryKey(),
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    bookingReference: text('booking_reference'),
    gateway: text().notNull(),
    gatewayToken: text('gateway_token').notNull(),
    brand: text().notNull(),
    last4: text().notNull(),
    masked: text().notNull(),
    holderName: text('holder_name'),
    expiryMonth: integer('expiry_month').notNull(),
    expiryYear: integer('expiry_year').notNull(),
    /** Who typed it in: only a guest's own card may be charged from the guest's page. */
    enteredBy: text('entered_by', { enum: ['api', 'guest', 'pms'] }).notNull(),
    /** What asked the guest for it, if anything did: once that has its card, it takes no other. */
    requestId: text('request_id'),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.propertyId, table.bookingReference],
      foreignColumns: [bookings.propertyId, bookings.reference],
    }),
    index('cards_by_booking').on(table.propertyId, table.bookingReference),
    uniqueIndex('cards_request').on(table.requestId).where(sql`${table.requestId} IS NOT NULL`),
    check('cards_expiry', sql`${table.expiryMonth} BETWEEN 1 AND 12`),
    check(
      'cards_hold_no_number',
      sql`length(${table.last4}) = 4 AND ${table.masked} NOT GLOB '*[0-9][0-9][0-9][0-9]*'`,
    ),
  ],
);

/**
 * Every time that a guest sent a card's number through a link, whatever became of it: so many an hour, and no more.
 * `attempt` is made by the form, so that a double click counts once.
 */
export const cardEntries = sqliteTable(
  'card_entries',
  {
    attempt: text().primaryKey(),
    linkId: text('link_id').notNull(),
    atMs: integer('at_ms').notNull(),
  },
  (table) => [index('card_entries_by_link').on(table.linkId, table.atMs)],
);

/** A guest who was asked by e-mail for a card (decisions: section 6). */
export const cardRequests = sqliteTable(
  'card_requests',
  {
    /** A UUID that grows with time. */
    id: text().primaryKey(),
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    /** Null when only an address was given: then the card is kept without a booking. */
    bookingReference: text('booking_reference'),
    email: text().notNull(),
    /** `Superseded` by a later one for the same booking; nothing leaves either of the other two. */
    status: text({ enum: ['Open', 'Completed', 'Superseded'] }).notNull(),
    expiresAtMs: integer('expires_at_ms').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.propertyId, table.bookingReference],
      foreignColumns: [bookings.propertyId, bookings.reference],
    }),
    index('card_requests_by_booking').on(table.propertyId, table.bookingReference),
    index('card_requests_by_email').on(table.propertyId, table.email, table.createdAtMs),
    check('card_requests_status', sql`${table.status} IN ('Open', 'Completed', 'Superseded')`),
  ],
);

/** What a local start would have sent by e-mail; no deployment writes here. */
export const localMailbox = sqliteTable('local_mailbox', {
  id: integer().primaryKey({ autoIncrement: true }),
  recipient: text().notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  atMs: integer('at_ms').notNull(),
});

/** Charges, scheduled charges and pre-authorizations (interface: 2.1; decisions: section 5). */
export const transactions = sqliteTable(
  'transactions',
  {
    id: integer().primaryKey(),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** 32 hex digits; the stem of the gateway's idempotency keys. */
    reference: text().notNull(),
    kind: text({ enum: ['charge', 'schedule', 'authorization'] }).notNull(),
    purpose: text({ enum: ['Deposit', 'Balance', 'Bond', 'Manual'] }).notNull(),
    status: text({
      enum: [
        'Pending',
        'Processing',
        'Authorized',
        'Accepted',
        'Declined',
        'Failed',
        'Cancelled',
        'Released',
        'Expired',
      ],
    }).notNull(),
    currency: text().notNull(),
    requestedMinor: integer('requested_minor').notNull(),
    transactionFeeMinor: integer('transaction_fee_minor').notNull(),
    cardFeeMinor: integer('card_fee_minor').notNull(),
    /** What the card is charged: requested + both fees. */
    amountMinor: integer('amount_minor').notNull(),
    /** What refunds have taken or are about to take. */
    refundReservedMinor: integer('refund_reserved_minor').notNull().default(0),
    virtualCard: integer('virtual_card', { mode: 'boolean' }).notNull(),
    /** The share that the card fee was priced with, so that a later capture is priced alike. */
    feeBasisPoints: integer('fee_basis_points').notNull(),
    description: text(),
    cardToken: text('card_token').references(() => cards.token),
    /** The request named the card; else a schedule takes the one that the booking uses when it fires. */
    cardNamed: integer('card_named', { mode: 'boolean' }).notNull(),
    /** The caller's own words, given back as they came. */
    scheduledTime: text('scheduled_time'),
    scheduledAtMs: integer('scheduled_at_ms'),
    expiryTime: text('expiry_time'),
    /** When a hold ends: as asked for, or earlier where the gateway says so. */
    expiresAtMs: integer('expires_at_ms'),
    firstAttemptAtMs: integer('first_attempt_at_ms'),
    /** What is asked of the gateway while the status is Processing. */
    pendingOperation: text('pending_operation', {
      enum: ['charge', 'authorize', 'capture', 'release', 'expire'],
    }),
    /** What a capture under way takes, without and with fees; copied to the amounts when it is done. */
    captureRequestedMinor: integer('capture_requested_minor'),
    captureAmountMinor: integer('capture_amount_minor'),
    gateway: text().notNull(),
    /** The gateway's idempotency key of the attempt under way or made last: `<reference>-<attempt>`. */
    gatewayKey: text('gateway_key'),
    gatewayReference: text('gateway_reference'),
    /** How many requests with a key of their own were sent: `gateway_key` is the last one's. */
    attempts: integer().notNull().default(0),
    /** When the request under way was first sent: its key is only good for so long. */
    askedAtMs: integer('asked_at_ms'),
    /** How often an unknown outcome has been asked for since the attempt. */
    inquiries: integer().notNull().default(0),
    declineCode: text('decline_code'),
    declineRetryable: integer('decline_retryable', { mode: 'boolean' }),
    /** What the cardholder's bank disputes; null while it does not. */
    dispute: text({ mode: 'json' }).$type<Dispute>(),
    /** When the booking's object must look at this row again; null when nothing is due. */
    dueAtMs: integer('due_at_ms'),
    /** The caller's idempotency key of the operation under way, whose kept answer is completed with the outcome. */
    idempotencyKey: text('idempotency_key'),
    bookingVersion: integer('booking_version').notNull(),
    propertyVersion: integer('property_version').notNull(),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    settledAtMs: integer('settled_at_ms'),
  },
  (table) => [
    foreignKey({
      columns: [table.propertyId, table.bookingReference],
      foreignColumns: [bookings.propertyId, bookings.reference],
    }),
    unique('transactions_reference').on(table.reference),
    index('transactions_by_booking').on(table.propertyId, table.bookingReference),
    index('transactions_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    // The four below are for the operations page; a charge that is accepted or declined at once stands in none of them.
    index('transactions_scheduled')
      .on(table.dueAtMs, table.currency, table.amountMinor)
      .where(sql`${table.status} = 'Pending'`),
    index('transactions_retried')
      .on(table.askedAtMs)
      .where(sql`${table.status} = 'Pending' AND ${table.attempts} > 0`),
    index('transactions_unknown')
      .on(table.askedAtMs)
      .where(sql`${table.status} = 'Processing' AND ${table.inquiries} > 0`),
    index('transactions_settled_later')
      .on(table.settledAtMs)
      .where(
        sql`${table.settledAtMs} IS NOT NULL AND (${table.kind} <> 'charge' OR ${table.inquiries} > 0)`,
      ),
    check(
      'transactions_amount',
      sql`${table.requestedMinor} > 0 AND ${table.transactionFeeMinor} >= 0 AND ${table.cardFeeMinor} >= 0 AND ${table.amountMinor} = ${table.requestedMinor} + ${table.transactionFeeMinor} + ${table.cardFeeMinor}`,
    ),
    check(
      'transactions_refund_reserved',
      sql`${table.refundReservedMinor} BETWEEN 0 AND ${table.amountMinor} AND (${table.refundReservedMinor} = 0 OR ${table.status} = 'Accepted')`,
    ),
    check(
      'transactions_status',
      sql`${table.status} IN ('Processing', 'Accepted', 'Declined', 'Failed') OR (${table.kind} = 'schedule' AND ${table.status} IN ('Pending', 'Cancelled')) OR (${table.kind} = 'authorization' AND ${table.status} IN ('Authorized', 'Released', 'Expired'))`,
    ),
    check(
      'transactions_gateway_key',
      sql`${table.gatewayKey} IS NULL OR ${table.gatewayKey} GLOB ${table.reference} || '-*'`,
    ),
    check(
      'transactions_processing',
      sql`(${table.status} = 'Processing') = (${table.pendingOperation} IS NOT NULL) AND (${table.status} <> 'Processing' OR (${table.gatewayKey} IS NOT NULL AND ${table.cardToken} IS NOT NULL AND ${table.dueAtMs} IS NOT NULL AND ${table.askedAtMs} IS NOT NULL))`,
    ),
    check(
      'transactions_waiting',
      sql`(${table.status} <> 'Pending' OR ${table.scheduledAtMs} IS NOT NULL) AND (${table.status} <> 'Authorized' OR ${table.expiresAtMs} IS NOT NULL) AND (${table.status} NOT IN ('Pending', 'Authorized') OR ${table.dueAtMs} IS NOT NULL)`,
    ),
    check(
      'transactions_capture',
      sql`${table.captureAmountMinor} IS NULL OR (${table.kind} = 'authorization' AND ${table.captureAmountMinor} BETWEEN 1 AND ${table.amountMinor})`,
    ),
  ],
);

/** Money that goes back, each record against one charge (interface: 2.2; decisions: section 5). */
export const refunds = sqliteTable(
  'refunds',
  {
    id: integer().primaryKey(),
    transactionId: integer('transaction_id')
      .notNull()
      .references(() => transactions.id),
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** 32 hex digits; also the gateway's idempotency key of this refund. */
    reference: text().notNull(),
    /** The request that made it: one request can make several refunds. */
    commandReference: text('command_reference').notNull(),
    status: text({ enum: ['Processing', 'Refunded', 'Failed'] }).notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    description: text(),
    gatewayReference: text('gateway_reference'),
    inquiries: integer().notNull().default(0),
    dueAtMs: integer('due_at_ms'),
    idempotencyKey: text('idempotency_key'),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    settledAtMs: integer('settled_at_ms'),
  },
  (table) => [
    unique('refunds_reference').on(table.reference),
    index('refunds_by_booking').on(table.propertyId, table.bookingReference),
    index('refunds_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    index('refunds_unknown')
      .on(table.createdAtMs)
      .where(sql`${table.status} = 'Processing' AND ${table.inquiries} > 0`),
    check('refunds_amount', sql`${table.amountMinor} > 0`),
    check('refunds_status', sql`${table.status} IN ('Processing', 'Refunded', 'Failed')`),
  ],
);

/**
 * First answers by the caller's idempotency key (decisions: section 4). `answer` stays null while the
 * operation runs; the request itself is kept only as a keyed fingerprint.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    propertyId: text('property_id').notNull(),
    operation: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    requestId: text('request_id').notNull(),
    /** The reference of what the request made or changed: by it, an answer that was never kept is found again. */
    commandReference: text('command_reference'),
    answer: text(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.operation, table.key] })],
);

/** Append-only: every change of state, written in the same batch as the change. */
export const audit = sqliteTable(
  'audit',
  {
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** Grows with time, and is unique. */
    id: integer().notNull(),
    atMs: integer('at_ms').notNull(),
    actor: text().notNull(),
    /** What changed: `booking`, `card <token>`, `charge <id>`, `refund <id>`, `message <id>`. */
    subject: text().notNull(),
    from: text('from_state'),
    to: text('to_state').notNull(),
    detail: text(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.bookingReference, table.id] })],
);

/**
 * Messages to the PMS, each queued in the batch of the change that it tells of. `number` counts the messages
 * of one booking in the order of their changes; they are delivered in that order.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    bookingReference: text('booking_reference').notNull(),
    number: integer().notNull(),
    /** A UUID that grows with time; the same on every try. */
    messageId: text('message_id').notNull(),
    messageType: text('message_type', {
      enum: ['PushBooking', 'PushModification', 'PushCancellation', 'PushTransaction'],
    }).notNull(),
    /** The message's own part of the envelope; never credentials. */
    payload: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    status: text({ enum: ['Pending', 'Confirmed', 'Dead', 'Dismissed'] }).notNull(),
    /** How often it was sent, as far as that counts: probes of a PMS that is down do not. */
    attempts: integer().notNull().default(0),
    /** When it is sent next; null unless it is the first of its booking that waits. */
    dueAtMs: integer('due_at_ms'),
    lastError: text('last_error'),
    createdAtMs: integer('created_at_ms').notNull(),
    settledAtMs: integer('settled_at_ms'),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.bookingReference, table.number] }),
    unique('outbox_message').on(table.messageId),
    index('outbox_unsettled')
      .on(table.propertyId, table.dueAtMs)
      .where(sql`${table.status} IN ('Pending', 'Dead')`),
    index('outbox_dead').on(table.messageId).where(sql`${table.status} = 'Dead'`),
    index('outbox_dead_of_property')
      .on(table.propertyId, table.messageId)
      .where(sql`${table.status} = 'Dead'`),
    check('outbox_status', sql`${table.status} IN ('Pending', 'Confirmed', 'Dead', 'Dismissed')`),
    check('outbox_due', sql`${table.dueAtMs} IS NULL OR ${table.status} = 'Pending'`),
  ],
);

/** A kind of room that the PMS knows, with the rates that it is sold at. */
export interface RoomType {
  /** This service's own number of it, kept when the PMS is asked again. */
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly rateTypes: readonly { readonly code: string; readonly name: string }[];
  /** Set while the PMS names it no more: its number is kept for it, should it come back. */
  readonly gone?: true;
}

/** A property's rooms and rates as its PMS told them last (decisions: section 8, `GetPropertyInfo`). */
export const roomCatalogues = sqliteTable('room_catalogues', {
  propertyId: text('property_id')
    .primaryKey()
    .references(() => properties.id),
  roomTypes: text('room_types', { mode: 'json' }).$type<RoomType[]>().notNull(),
  fetchedAtMs: integer('fetched_at_ms').notNull(),
});

/** Rooms still free by night: what the PMS said last, less what was booked here since. May fall below 0. */
export const inventory = sqliteTable(
  'inventory',
  {
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    roomTypeCode: text('room_type_code').notNull(),
    day: text().notNull(),
    available: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.roomTypeCode, table.day] })],
);

/** What a night costs at a rate, and what restricts its sale; each null until the PMS said it. */
export const nightlyRates = sqliteTable(
  'nightly_rates',
  {
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    roomTypeCode: text('room_type_code').notNull(),
    rateTypeCode: text('rate_type_code').notNull(),
    day: text().notNull(),
    /** Minor units of the property's currency; 0 is closed. */
    valueMinor: integer('value_minor'),
    minLos: integer('min_los'),
    closed: integer({ mode: 'boolean' }),
    closedToArrival: integer('closed_to_arrival', { mode: 'boolean' }),
    closedToDeparture: integer('closed_to_departure', { mode: 'boolean' }),
  },
  (table) => [
    primaryKey({
      columns: [table.propertyId, table.roomTypeCode, table.rateTypeCode, table.day],
    }),
    check('nightly_rates_value', sql`${table.valueMinor} IS NULL OR ${table.valueMinor} >= 0`),
    check('nightly_rates_stay', sql`${table.minLos} IS NULL OR ${table.minLos} >= 0`),
  ],
);

/** An applicant's e-mail address, known to a property by a number (decisions: section 10, `contactId`). */
export const contacts = sqliteTable(
  'contacts',
  {
    id: integer().primaryKey(),
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    /** In lower case. */
    email: text().notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [unique('contacts_email').on(table.propertyId, table.email)],
);

/**
 * A customer: one line of the property-system export. Known to the PMS by `entryId`; one that is not linked yet is
 * the contact who applied.
 */
export const customers = sqliteTable(
  'customers',
  {
    id: integer().primaryKey(),
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    entryId: integer('entry_id'),
    contactId: integer('contact_id').references(() => contacts.id),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [
    uniqueIndex('customers_entry')
      .on(table.propertyId, table.entryId)
      .where(sql`${table.entryId} IS NOT NULL`),
    uniqueIndex('customers_contact')
      .on(table.contactId)
      .where(sql`${table.entryId} IS NULL AND ${table.contactId} IS NOT NULL`),
  ],
);

/** Who sold a stay (interface: 2.5 and 2.6, `agent`). */
export interface Agent {
  readonly company?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly agentCode?: string | null | undefined;
  readonly agentCrm?: string | null | undefined;
}

/** An application for a tenancy that belongs to an application (interface: 2.6, `tenantApplications`). Times in UTC. */
export interface TenantApplication {
  readonly tenantApplicationId: string;
  readonly tenantApplicationProcessId: string | null;
  readonly status: string;
  readonly applicants: readonly {
    readonly tenantApplicationApplicantId: string;
    readonly contactId: number | null;
  }[];
  readonly createdDateTime: string;
  readonly lastUpdatedDateTime: string;
}

/**
 * Applications made through this service (`Online`) and bookings that only the PMS made (`Offline`, `Renewal`):
 * the booking records of the exports (interface: 2.5 and 2.6; decisions: section 10).
 */
export const applications = sqliteTable(
  'applications',
  {
    id: integer().primaryKey(),
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    bookingType: text('booking_type', { enum: ['Online', 'Offline', 'Renewal'] }).notNull(),
    /** Given by this service; null for what only the PMS made. */
    applicationNumber: text('application_number'),
    /** The PMS's number of the booking; null until it is linked. */
    bookingId: integer('booking_id'),
    /** The booking of this service that the application belongs to, if any. */
    bookingReference: text('booking_reference'),
    contactId: integer('contact_id').references(() => contacts.id),
    email: text(),
    currentStatus: text('current_status', {
      enum: ['Tentative', 'Offered', 'Held', 'Reserved', 'In Room', 'History', 'Cancelled'],
    }).notNull(),
    applicationAtMs: integer('application_at_ms'),
    offeredAtMs: integer('offered_at_ms'),
    heldAtMs: integer('held_at_ms'),
    reservedAtMs: integer('reserved_at_ms'),
    inRoomAtMs: integer('in_room_at_ms'),
    historyAtMs: integer('history_at_ms'),
    cancelledAtMs: integer('cancelled_at_ms'),
    arrival: text(),
    departure: text(),
    currency: text(),
    weeklyRateMinor: integer('weekly_rate_minor'),
    totalMinor: integer('total_minor'),
    gender: text(),
    nationality: text(),
    city: text(),
    state: text(),
    country: text(),
    internationalStudent: integer('international_student', { mode: 'boolean' }),
    nonStudent: integer('non_student', { mode: 'boolean' }),
    inAustralia: integer('in_australia', { mode: 'boolean' }),
    dateOfBirth: text('date_of_birth'),
    ageOnArrival: integer('age_on_arrival'),
    under18: integer('under_18', { mode: 'boolean' }),
    roomType: text('room_type'),
    rateType: text('rate_type'),
    residents: integer(),
    university: text(),
    courseName: text('course_name'),
    userAgent: text('user_agent'),
    isMobile: integer('is_mobile', { mode: 'boolean' }),
    isTablet: integer('is_tablet', { mode: 'boolean' }),
    agent: text({ mode: 'json' }).$type<Agent>(),
    tenantApplications: text('tenant_applications', { mode: 'json' })
      .$type<TenantApplication[]>()
      .notNull()
      .default([]),
    /** Grows by one with every change: a change decided on an older state is refused. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [
    index('applications_by_customer').on(table.customerId),
    uniqueIndex('applications_number')
      .on(table.applicationNumber)
      .where(sql`${table.applicationNumber} IS NOT NULL`),
    uniqueIndex('applications_booking_id')
      .on(table.propertyId, table.bookingId)
      .where(sql`${table.bookingId} IS NOT NULL`),
    index('applications_by_booking')
      .on(table.propertyId, table.bookingReference)
      .where(sql`${table.bookingReference} IS NOT NULL`),
    check(
      'applications_status',
      sql`${table.currentStatus} IN ('Tentative', 'Offered', 'Held', 'Reserved', 'In Room', 'History', 'Cancelled')`,
    ),
    check(
      'applications_origin',
      sql`(${table.bookingType} = 'Online') = (${table.applicationNumber} IS NOT NULL)`,
    ),
  ],
);

/**
 * Applications that went to another customer while an export was being made, kept by a trigger: the export shows each
 * where it was when the run began, so that none is left out or stands twice.
 */
export const customerMoves = sqliteTable(
  'customer_moves',
  {
    /** Grows, and is never given again. */
    id: integer().primaryKey({ autoIncrement: true }),
    applicationId: integer('application_id')
      .notNull()
      .references(() => applications.id),
    fromCustomerId: integer('from_customer_id')
      .notNull()
      .references(() => customers.id),
  },
  (table) => [
    index('customer_moves_of_application').on(table.applicationId),
    index('customer_moves_from').on(table.fromCustomerId),
  ],
);

/** Who may fetch a portfolio's exports: the secret is stored as a SHA-256 digest (decisions: section 13). */
export const exportUsers = sqliteTable('export_users', {
  username: text().primaryKey(),
  portfolio: text().notNull(),
  secretDigest: text('secret_digest').notNull(),
  /** Made by the local start's seed: refused everywhere else. */
  seeded: integer({ mode: 'boolean' }).notNull().default(false),
  createdAtMs: integer('created_at_ms').notNull(),
});

/** One making of one export file (decisions: section 10). */
export const exportRuns = sqliteTable(
  'export_runs',
  {
    /** A UUID that grows with time. */
    id: text().primaryKey(),
    portfolio: text().notNull(),
    variant: text({ enum: ['propertySystem', 'applicationConsole'] }).notNull(),
    /** The UTC day that the file is of. */
    date: text().notNull(),
    /** `daily` once a day by the Cron Trigger; else by an administrator. */
    cause: text({ enum: ['daily', 'admin'] }).notNull(),
    status: text({ enum: ['Running', 'Complete', 'Failed'] }).notNull(),
    /** The last application that existed when the run began: what comes later is not in it. */
    lastApplicationId: integer('last_application_id').notNull(),
    /** The last move of an application to another customer before the run began. */
    lastMoveId: integer('last_move_id').notNull().default(0),
    /** How many rows it may come to: guessed at the start, then reckoned from how far it is. */
    expectedRows: integer('expected_rows').notNull(),
    /** How far it has come, kept with every part. */
    rows: integer().notNull().default(0),
    bytes: integer().notNull().default(0),
    objectKey: text('object_key').notNull(),
    sha256: text(),
    failure: text(),
    /** When somebody must look whether it goes on; null once it is over. */
    dueAtMs: integer('due_at_ms'),
    startedAtMs: integer('started_at_ms').notNull(),
    finishedAtMs: integer('finished_at_ms'),
  },
  (table) => [
    uniqueIndex('export_runs_daily')
      .on(table.portfolio, table.variant, table.date)
      .where(sql`${table.cause} = 'daily' AND ${table.status} <> 'Failed'`),
    index('export_runs_due').on(table.dueAtMs).where(sql`${table.dueAtMs} IS NOT NULL`),
    index('export_runs_by_day').on(table.portfolio, table.variant, table.date),
    index('export_runs_unfinished').on(table.startedAtMs).where(sql`${table.status} <> 'Complete'`),
    check(
      'export_runs_complete',
      sql`${table.status} <> 'Complete' OR ${table.sha256} IS NOT NULL`,
    ),
  ],
);

/** The file of a day: the last complete run of it. One row, so that publishing is one write. */
export const exportFiles = sqliteTable(
  'export_files',
  {
    portfolio: text().notNull(),
    variant: text({ enum: ['propertySystem', 'applicationConsole'] }).notNull(),
    date: text().notNull(),
    runId: text('run_id')
      .notNull()
      .references(() => exportRuns.id),
  },
  (table) => [primaryKey({ columns: [table.portfolio, table.variant, table.date] })],
);

/** Sessions of the operations page that were signed out of, for as long as their cookies would let somebody in. */
export const endedSessions = sqliteTable('ended_sessions', {
  id: text().primaryKey(),
  /** When the session would have ended by itself. */
  untilMs: integer('until_ms').notNull(),
});

export type PropertyRow = typeof properties.$inferSelect;
export type ClientRow = typeof clients.$inferSelect;
export type BookingRow = typeof bookings.$inferSelect;
export type CardRow = typeof cards.$inferSelect;
export type TransactionRow = typeof transactions.$inferSelect;
export type RefundRow = typeof refunds.$inferSelect;
export type OutboxRow = typeof outbox.$inferSelect;
export type NightlyRateRow = typeof nightlyRates.$inferSelect;
export type CardRequestRow = typeof cardRequests.$inferSelect;
export type MailRow = typeof localMailbox.$inferSelect;
export type ApplicationRow = typeof applications.$inferSelect;
export type ExportRunRow = typeof exportRuns.$inferSelect;
export type ExportUserRow = typeof exportUsers.$inferSelect;
