import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type Database, queries } from '../../platform/db/database.ts';
import { foundByEach, isBetween, pageFound, waysToFind } from '../../platform/db/narrow.ts';
import { type Page, type Part, pagesOf } from '../../platform/db/page.ts';
import { prepared, preparedList } from '../../platform/db/prepared.ts';
import {
  type ApplicationRow,
  applications,
  contacts,
  customerMoves,
  customers,
} from '../../schema/applicationTables.ts';
import { type BookingFilter, type BookingName, isOfBooking } from '../bookings/store.ts';
import { isChargeOf } from '../history/chargesStore.ts';
import { type ApplicationStatus, statesBefore } from './states.ts';

/** The key of an application: this service's number, the PMS's number of the booking, or both. */
export type ApplicationKey =
  | { readonly applicationNumber: string; readonly bookingId?: number | undefined }
  | { readonly applicationNumber?: undefined; readonly bookingId: number };

export function selectApplication(propertyId: string, key: ApplicationKey) {
  const { applicationNumber, bookingId } = key;
  return queries
    .select()
    .from(applications)
    .where(
      and(
        eq(applications.propertyId, propertyId),
        applicationNumber === undefined
          ? undefined
          : eq(applications.applicationNumber, applicationNumber),
        bookingId === undefined ? undefined : eq(applications.bookingId, bookingId),
      ),
    );
}

/** A row to insert. The database finds the id, the customer and the contact. */
export type NewApplication = Omit<ApplicationRow, 'id' | 'customerId' | 'contactId'>;

/** Inserts an application of a contact or of a customer of the PMS, and returns it. */
export function insertApplication(
  row: NewApplication,
  of: { readonly customerId: SQL; readonly contactId: SQL | null },
) {
  return queries
    .insert(applications)
    .values({ ...row, ...of, id: nextId(applications) })
    .returning();
}

export type ApplicationChange = Partial<
  Omit<ApplicationRow, 'id' | 'propertyId' | 'customerId' | 'contactId' | 'version'>
> & {
  readonly customerId?: SQL;
  readonly contactId?: SQL;
  readonly updatedAtMs: number;
};

/**
 * Notes from which customer an application moves, while an export runs: the run lists it under its customer of then. For
 * the batch of the change, before it.
 */
export function noteMove({ id }: Pick<ApplicationRow, 'id'>, to: SQL) {
  return queries
    .insert(customerMoves)
    .select(
      sql`SELECT NULL, property_id, id, customer_id FROM applications WHERE id = ${id} AND customer_id <> ${to} AND EXISTS (SELECT 1 FROM export_runs WHERE due_at_ms IS NOT NULL)`,
    );
}

/** Changes an application and returns it. A trigger refuses this if it has changed since `row` was read. */
export function updateApplication(row: ApplicationRow, change: ApplicationChange) {
  return queries
    .update(applications)
    .set({ ...change, version: row.version + 1 })
    .where(eq(applications.id, row.id))
    .returning();
}

export const selectOfBooking = prepared<BookingName>()((name) =>
  queries.select().from(applications).where(isOfBooking(applications, name)),
);

/** Whether as many of a booking's applications can go to a state as were found before. */
export function asManyMovable(
  { propertyId, reference }: BookingName,
  to: ApplicationStatus,
  many: number,
): SQL {
  const from = JSON.stringify(statesBefore(to));
  return sql`(SELECT count(*) FROM applications WHERE property_id = ${propertyId} AND booking_reference = ${reference} AND current_status IN (SELECT value FROM json_each(${from}))) = ${many}`;
}

/** Selects whether an accepted deposit of a booking is there: 1 or 0. */
export function selectDeposit(propertyId: string, reference: string) {
  return queries
    .select({ isPaid: sql<number>`${depositIsPaid(propertyId, reference)}`.as('is_paid') })
    .from(sql`(SELECT 1)`);
}

export function depositIsPaid(propertyId: string, reference: string): SQL {
  return sql`EXISTS (SELECT 1 FROM transactions WHERE ${isChargeOf({ propertyId, reference })} AND purpose = 'Deposit' AND status = 'Accepted')`;
}

/** The key of a contact: the applicant's e-mail address. */
interface Contact {
  readonly propertyId: string;
  readonly email: string;
}

/** Inserts a contact and its customer, without a link to the PMS, unless they exist. */
export function ensureContact(contact: Contact, nowMs: number) {
  const email = contact.email.toLowerCase();
  return [
    queries
      .insert(contacts)
      .values({
        id: nextId(contacts),
        propertyId: contact.propertyId,
        email,
        createdAtMs: nowMs,
      })
      .onConflictDoNothing(),
    queries
      .insert(customers)
      .values({
        id: nextId(customers),
        propertyId: contact.propertyId,
        contactId: contactId(contact),
        createdAtMs: nowMs,
      })
      .onConflictDoNothing(),
  ] as const;
}

export function contactId({ propertyId, email }: Contact): SQL {
  return sql`(SELECT id FROM ${contacts} WHERE property_id = ${propertyId} AND email = ${email.toLowerCase()})`;
}

export function contactCustomer(contact: Contact): SQL {
  return sql`(SELECT id FROM ${customers} WHERE contact_id = ${contactId(contact)} AND entry_id IS NULL)`;
}

/** The customer after a change of address: the same if linked to the PMS, otherwise the new contact's. */
export function customerOf(row: ApplicationRow, contact: Contact): SQL {
  return sql`CASE WHEN (SELECT entry_id FROM ${customers} WHERE id = ${row.customerId}) IS NULL
    THEN ${contactCustomer(contact)} ELSE ${row.customerId} END`;
}

export function insertUnknownCustomer(propertyId: string, nowMs: number) {
  return queries
    .insert(customers)
    .values({ id: nextId(customers), propertyId, createdAtMs: nowMs });
}

/** A subquery for the customer that the same batch inserted. */
export function lastCustomer(): SQL {
  return sql`(${nextId(customers)} - 1)`;
}

interface Entry {
  readonly propertyId: string;
  readonly entryId: number;
}

export function ensureEntry({ propertyId, entryId }: Entry, nowMs: number) {
  return queries
    .insert(customers)
    .values({ id: nextId(customers), propertyId, entryId, createdAtMs: nowMs })
    .onConflictDoNothing();
}

export function entryCustomer({ propertyId, entryId }: Entry): SQL {
  return sql`(SELECT id FROM ${customers} WHERE property_id = ${propertyId} AND entry_id = ${entryId})`;
}

/**
 * Links the customer of an application to the PMS's number, if that is its only application and no other customer has
 * the number. So most applications keep their customer when the PMS links them.
 */
export function linkCustomer(row: ApplicationRow, entry: Entry) {
  return queries
    .update(customers)
    .set({ entryId: entry.entryId })
    .where(
      and(
        eq(customers.id, row.customerId),
        sql`${customers.entryId} IS NULL`,
        sql`${entryCustomer(entry)} IS NULL`,
        sql`(SELECT count(*) FROM ${applications} WHERE customer_id = ${row.customerId}) = 1`,
      ),
    );
}

/** Filters the applications of a property. What is undefined filters nothing. */
export interface ApplicationFilter extends Omit<BookingFilter, 'status' | 'lastName'> {
  readonly status?: ApplicationRow['currentStatus'] | undefined;
}

const pages = pagesOf(applications, 'descending', ['createdAtMs', 'id']);

/** Lists a property's applications, newest first (interface: List applications). One round trip. */
export async function listApplications(
  database: Database,
  propertyId: string,
  filter: ApplicationFilter,
  part: Part,
): Promise<Page<ApplicationRow>> {
  const ways = selectListedApplications(propertyId, filter, part);
  const found = await database.batch('d1.application.read', ways);
  return pageFound(found, part.limit, ({ createdAtMs, id }: ApplicationRow) => [createdAtMs, id]);
}

/** The statements that find a property's applications, newest first. */
export function selectListedApplications(
  propertyId: string,
  { arrivalFrom, arrivalTo, changedSinceMs, email, status }: ApplicationFilter,
  part: Part,
) {
  return selectPage({ propertyId, arrivalFrom, arrivalTo, changedSinceMs, email, status }, part);
}

const selectPage = preparedList<ApplicationFilter & { readonly propertyId: string }>()(
  (asked, part) => {
    const { arrival, createdAtMs, currentStatus, email, id, propertyId, updatedAtMs } =
      applications;
    const own = eq(propertyId, asked.propertyId);
    const columns = [createdAtMs, id] as const;
    const list = { table: applications, columns, order: 'descending', own } as const;
    const filters = foundByEach(list, [
      asked.email && sql`lower(${email}) = lower(${asked.email})`,
      asked.status && eq(currentStatus, asked.status),
      isBetween(arrival, asked.arrivalFrom, asked.arrivalTo),
      isBetween(updatedAtMs, asked.changedSinceMs, undefined),
    ]);
    return waysToFind(list, filters, part, (way) => pages.along(way));
  },
);

/** How many ids of a table one database may give. As a literal: D1 binds numbers as floats. */
const SPAN = sql.raw(String(2 ** 40));

/** The first id that the database gives, less one. */
const BASE = sql`coalesce((SELECT number FROM this_database), 0) * ${SPAN}`;

/** The next id of a table's rows. Each database has its own, so a property's are free in whichever it moves to. */
function nextId(table: SQLiteTable): SQL<number> {
  return sql<number>`(SELECT coalesce(max(id), ${BASE}) + 1 FROM ${table} WHERE id > ${BASE} AND id < ${BASE} + ${SPAN})`;
}
