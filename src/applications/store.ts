import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type ApplicationRow, applications, contacts, customers } from '../db/applicationTables.ts';
import type { Queries } from '../db/database.ts';
import { type ApplicationStatus, statesBefore, timeOf } from './states.ts';

/** Which application: by this service's number, the PMS's own number of the booking, or both, if both are its own. */
export type ApplicationKey =
  | { readonly applicationNumber: string; readonly bookingId?: number | undefined }
  | { readonly applicationNumber?: undefined; readonly bookingId: number };

/** Selects a property's application. */
export function selectApplication(queries: Queries, propertyId: string, key: ApplicationKey) {
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

/** A row to insert: its id, and whose it is, are found by the database. */
export type NewApplication = Omit<ApplicationRow, 'id' | 'customerId' | 'contactId'>;

/** Inserts an application of a contact, or of a customer of the PMS, and returns it. */
export function insertApplication(
  queries: Queries,
  row: NewApplication,
  of: { readonly customerId: SQL; readonly contactId: SQL | null },
) {
  return queries
    .insert(applications)
    .values({ ...row, ...of })
    .returning();
}

/** What of an application can change. */
export type ApplicationChange = Partial<
  Omit<ApplicationRow, 'id' | 'propertyId' | 'customerId' | 'contactId' | 'version'>
> & {
  readonly customerId?: SQL;
  readonly contactId?: SQL;
  readonly updatedAtMs: number;
};

/** Changes an application, and returns it; the schema refuses the change of one that has changed since `row` was read. */
export function updateApplication(
  queries: Queries,
  row: ApplicationRow,
  change: ApplicationChange,
) {
  return queries
    .update(applications)
    .set({ ...change, version: row.version + 1 })
    .where(eq(applications.id, row.id))
    .returning();
}

/**
 * Moves the applications of a booking to a state, those that may go there; for the batch of what causes it. One whose
 * cause is no more than a wish has its move decided in `states.ts` alone.
 */
export function moveOfBooking(
  queries: Queries,
  booking: { readonly propertyId: string; readonly reference: string },
  to: ApplicationStatus,
  nowMs: number,
) {
  return queries
    .update(applications)
    .set({
      currentStatus: to,
      [timeOf[to]]: nowMs,
      version: sql`${applications.version} + 1`,
      updatedAtMs: nowMs,
    })
    .where(
      and(
        eq(applications.propertyId, booking.propertyId),
        eq(applications.bookingReference, booking.reference),
        inArray(applications.currentStatus, statesBefore(to)),
      ),
    );
}

/** An applicant's address as contacts are told apart by. */
interface Contact {
  readonly propertyId: string;
  readonly email: string;
}

/** The statements after which a contact and its customer, who is not linked to the PMS yet, exist. */
export function ensureContact(queries: Queries, contact: Contact, nowMs: number) {
  const email = contact.email.toLowerCase();
  return [
    queries
      .insert(contacts)
      .values({ propertyId: contact.propertyId, email, createdAtMs: nowMs })
      .onConflictDoNothing(),
    queries
      .insert(customers)
      .values({ propertyId: contact.propertyId, contactId: contactId(contact), createdAtMs: nowMs })
      .onConflictDoNothing(),
  ] as const;
}

/** The number of a contact, found where a statement runs. */
export function contactId({ propertyId, email }: Contact): SQL {
  return sql`(SELECT id FROM ${contacts} WHERE property_id = ${propertyId} AND email = ${email.toLowerCase()})`;
}

/** The customer that a contact is as long as none of the PMS is known. */
export function contactCustomer(contact: Contact): SQL {
  return sql`(SELECT id FROM ${customers} WHERE contact_id = ${contactId(contact)} AND entry_id IS NULL)`;
}

/** The customer of an application whose applicant has another address now: as before if the PMS knows it, else the contact. */
export function customerOf(row: ApplicationRow, contact: Contact): SQL {
  return sql`CASE WHEN (SELECT entry_id FROM ${customers} WHERE id = ${row.customerId}) IS NULL
    THEN ${contactCustomer(contact)} ELSE ${row.customerId} END`;
}

/** Inserts a customer of whom nothing is known. */
export function insertUnknownCustomer(queries: Queries, propertyId: string, nowMs: number) {
  return queries.insert(customers).values({ propertyId, createdAtMs: nowMs });
}

/** The customer that was inserted last: for a statement of the same batch. */
export function lastCustomer(): SQL {
  return sql`(SELECT max(id) FROM ${customers})`;
}

/** A customer of the PMS, by its own number. */
interface Entry {
  readonly propertyId: string;
  readonly entryId: number;
}

/** Inserts a customer of the PMS, unless it is known. */
export function ensureEntry(queries: Queries, { propertyId, entryId }: Entry, nowMs: number) {
  return queries
    .insert(customers)
    .values({ propertyId, entryId, createdAtMs: nowMs })
    .onConflictDoNothing();
}

/** A customer of the PMS, found where a statement runs. */
export function entryCustomer({ propertyId, entryId }: Entry): SQL {
  return sql`(SELECT id FROM ${customers} WHERE property_id = ${propertyId} AND entry_id = ${entryId})`;
}

/**
 * Makes the contact who made one application, and no other, the customer of the PMS, unless that one is known: so that
 * most applications stay with their customer when they are linked.
 */
export function linkCustomer(queries: Queries, row: ApplicationRow, entry: Entry) {
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
