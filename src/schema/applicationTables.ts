import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { ofProperty } from './propertyTables.ts';
import { isOneOf } from './storage.ts';

/** An applicant's e-mail address, with a number for the property (interface: The application object). */
export const contacts = sqliteTable(
  'contacts',
  {
    id: integer().primaryKey(),
    propertyId: ofProperty(),
    /** In lower case. */
    email: text().notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [unique('contacts_email').on(table.propertyId, table.email)],
);

/**
 * A customer: one line of the property-system export. `entryId` is the PMS's number; a customer without one is the
 * contact who applied.
 */
export const customers = sqliteTable(
  'customers',
  {
    id: integer().primaryKey(),
    propertyId: ofProperty(),
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
    // By their ids, in which the exports go through those of a portfolio.
    index('customers_by_property').on(table.propertyId),
  ],
);

/** Who sold a stay (interface: The application object). */
export interface Agent {
  readonly company?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly agentCode?: string | null | undefined;
  readonly agentCrm?: string | null | undefined;
}

/** An application for a tenancy, part of an application (interface: The application object). Times in UTC. */
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
 * Applications of this service (`Online`) and the PMS's own bookings (`Offline`, `Renewal`): the booking records of
 * the exports (interface: Applications).
 */
export const applications = sqliteTable(
  'applications',
  {
    id: integer().primaryKey(),
    propertyId: ofProperty(),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    bookingType: text('booking_type', { enum: ['Online', 'Offline', 'Renewal'] }).notNull(),
    /** This service's number; null for the PMS's own bookings. */
    applicationNumber: text('application_number'),
    /** The PMS's number of the booking; null until the PMS links it. */
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
    /** Grows by one with every change. A trigger refuses a change of an older version. */
    version: integer().notNull().default(1),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
    /** When its guest's data were erased last; null if they were not. */
    erasedAtMs: integer('erased_at_ms'),
  },
  (table) => [
    index('applications_by_customer').on(table.customerId),
    // These serve the list of applications: one for each filter that can leave few of many.
    index('applications_by_creation').on(table.propertyId, table.createdAtMs, table.id),
    index('applications_by_status').on(table.propertyId, table.currentStatus),
    index('applications_by_arrival').on(table.propertyId, table.arrival),
    index('applications_by_change').on(table.propertyId, table.updatedAtMs),
    index('applications_by_email').on(table.propertyId, sql`lower(${table.email})`),
    uniqueIndex('applications_number')
      .on(table.applicationNumber)
      .where(sql`${table.applicationNumber} IS NOT NULL`),
    uniqueIndex('applications_booking_id')
      .on(table.propertyId, table.bookingId)
      .where(sql`${table.bookingId} IS NOT NULL`),
    index('applications_by_booking')
      .on(table.propertyId, table.bookingReference)
      .where(sql`${table.bookingReference} IS NOT NULL`),
    check('applications_status', isOneOf(table.currentStatus)),
    check(
      'applications_origin',
      sql`(${table.bookingType} = 'Online') = (${table.applicationNumber} IS NOT NULL)`,
    ),
  ],
);

/**
 * Applications that moved to another customer during an export run, noted in the batch of the move. The export shows each under
 * its customer at the start of the run, so that it lists every application exactly once.
 */
export const customerMoves = sqliteTable(
  'customer_moves',
  {
    /** Grows; a number is never reused. */
    id: integer().primaryKey({ autoIncrement: true }),
    propertyId: text('property_id').notNull(),
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

export type ApplicationRow = typeof applications.$inferSelect;
