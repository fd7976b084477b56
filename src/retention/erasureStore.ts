import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { tableErasure } from '../records/privacy/eraseStore.ts';
import { applications, contacts } from '../schema/applicationTables.ts';
import { bookings } from '../schema/bookingTables.ts';
import { cardRequests, cards } from '../schema/cardTables.ts';
import { exportRuns } from '../schema/exportTables.ts';
import { history } from '../schema/historyTables.ts';
import { archivedBookings, type ErasureRow, erasures } from '../schema/lifeTables.ts';
import { localMailbox, mails } from '../schema/mailTables.ts';
import { HELD } from '../schema/personal.ts';

/** A guest as a request names them: by one booking, or by an address, which is in lower case. */
export interface Guest {
  readonly propertyId: string;
  readonly reference: string | null;
  readonly email: string | null;
}

export function selectErasure(propertyId: string, subject: string) {
  return queries
    .select()
    .from(erasures)
    .where(and(eq(erasures.propertyId, propertyId), eq(erasures.subject, subject)));
}

/** Notes an erasure before it begins, or that the same begins again with these bookings. */
export function noteErasure(row: ErasureRow) {
  const { atMs, bookings: references } = row;
  return queries
    .insert(erasures)
    .values(row)
    .onConflictDoUpdate({
      target: [erasures.propertyId, erasures.subject],
      set: { atMs, bookings: references },
    });
}

/** Selects the references and addresses of a guest's bookings. */
export function selectBookingsOf({ email, propertyId, reference }: Guest) {
  const isOfGuest =
    reference === null
      ? sql`lower(${bookings.email}) = ${email}`
      : eq(bookings.reference, reference);
  return queries
    .select({ reference: bookings.reference, email: bookings.email })
    .from(bookings)
    .where(and(eq(bookings.propertyId, propertyId), isOfGuest))
    .orderBy(bookings.reference);
}

/** The same of archived bookings. */
export function selectArchivedOf({ email, propertyId, reference }: Guest) {
  const isOfGuest =
    reference === null
      ? sql`lower(${archivedBookings.email}) = ${email}`
      : eq(archivedBookings.reference, reference);
  return queries
    .select({ reference: archivedBookings.reference, email: archivedBookings.email })
    .from(archivedBookings)
    .where(
      and(
        eq(archivedBookings.propertyId, propertyId),
        eq(archivedBookings.state, 'archived'),
        isOfGuest,
      ),
    );
}

/** Selects the applications of a guest: those of the bookings, and those of the address. */
export function selectApplicationsOf({ email, propertyId }: Guest, references: readonly string[]) {
  const { applicationNumber, bookingId, bookingReference, createdAtMs, id } = applications;
  return queries
    .select({ applicationNumber, bookingId, bookingReference, createdAtMs, id })
    .from(applications)
    .where(
      and(
        eq(applications.propertyId, propertyId),
        or(
          inArray(bookingReference, listed(references)),
          email === null ? undefined : sql`lower(${applications.email}) = ${email}`,
        ),
      ),
    );
}

export type GuestsApplication = Awaited<ReturnType<typeof selectApplicationsOf>>[number];

/** Selects the entries of the history about some applications of a property. */
export function selectEntriesAbout(propertyId: string, of: readonly GuestsApplication[]) {
  const subjects = of.map((one) => one.applicationNumber ?? String(one.bookingId));
  const places = [...new Set(['', ...of.map((one) => one.bookingReference ?? '')])];
  return queries
    .select()
    .from(history)
    .where(
      and(
        eq(history.propertyId, propertyId),
        inArray(history.bookingReference, listed(places)),
        eq(history.subjectKind, 'application'),
        inArray(history.subjectId, listed(subjects)),
      ),
    );
}

/** What else there is of a guest, which no booking's object keeps. */
export interface Loose {
  readonly guest: Guest;
  readonly applicationIds: readonly number[];
}

/** The erasures of what belongs to no booking's object: each with a count and a statement. */
export function looseErasures(loose: Loose, nowMs: number) {
  const { applicationIds, guest } = loose;
  const { email, propertyId } = guest;
  const ids = listed(applicationIds);
  const ofRequests = sql`property_id = ${propertyId} AND booking_reference IS NULL AND lower(email) = ${email}`;
  const ofCards = sql`property_id = ${propertyId} AND booking_reference IS NULL AND request_id IN (SELECT id FROM card_requests WHERE property_id = ${propertyId} AND booking_reference IS NULL AND lower(email) = ${email})`;
  const erased = (table: Parameters<typeof tableErasure>[0], rows: SQL) =>
    tableErasure(table, guestColumns(table), rows, nowMs);
  return [
    // Cards are found by their requests, so they go first.
    erased(cards, ofCards),
    erased(cardRequests, ofRequests),
    erased(applications, sql`id IN ${ids}`),
    erasedContacts(propertyId, email, ids),
  ];
}

function guestColumns(table: Parameters<typeof tableErasure>[0]): readonly string[] {
  return HELD.find((one) => one.table === table)?.guest ?? [];
}

/** A contact is a name for an address: it keeps its number, and its address becomes one that nobody has. */
function erasedContacts(propertyId: string, email: string | null, applicationIds: SQL) {
  const where = sql`property_id = ${propertyId} AND email NOT LIKE 'erased %' AND (email = ${email} OR (
    id IN (SELECT contact_id FROM applications WHERE id IN ${applicationIds})
    AND NOT EXISTS (SELECT 1 FROM applications AS other WHERE other.contact_id = contacts.id AND other.id NOT IN ${applicationIds} AND other.erased_at_ms IS NULL)))`;
  return {
    what: 'contacts',
    count: queries
      .select({ count: sql<number>`count(*)`.as('rows') })
      .from(contacts)
      .where(where),
    erase: queries.update(contacts).set({ email: sql`'erased ' || id` }).where(where),
  };
}

/** Selects the ids of the mails about some bookings. */
export function selectMailIds(propertyId: string, references: readonly string[]) {
  return queries
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(eq(mails.propertyId, propertyId), inArray(mails.bookingReference, listed(references))),
    );
}

/** Mails of local mode, in the directory: those to the guest, those about the bookings, and digests that name them. */
export function erasedMailbox(
  addresses: readonly string[],
  references: readonly string[],
  ids: readonly string[],
) {
  const names = sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(references)}) AS named WHERE instr(local_mailbox.text, named.value) > 0)`;
  const where = sql`lower(recipient) IN ${listed(addresses)} OR mail_id IN ${listed(ids)} OR (${names})`;
  return {
    what: 'mails',
    count: queries
      .select({ count: sql<number>`count(*)`.as('rows') })
      .from(localMailbox)
      .where(where),
    erase: queries.delete(localMailbox).where(where),
  };
}

/** Selects the cards to detach that belong to no booking. */
export function selectLooseCards({ email, propertyId }: Guest) {
  return queries
    .select({ gatewayToken: cards.gatewayToken })
    .from(cards)
    .where(
      and(
        eq(cards.propertyId, propertyId),
        isNull(cards.bookingReference),
        isNull(cards.detachedAtMs),
        sql`${cards.requestId} IN (SELECT id FROM card_requests WHERE property_id = ${propertyId} AND booking_reference IS NULL AND lower(email) = ${email})`,
      ),
    );
}

/** Marks some applications as erased: from then on the history lets go of what tells of their guests. */
export function markErased(ids: readonly number[], nowMs: number) {
  return queries
    .update(applications)
    .set({ erasedAtMs: nowMs, version: sql`version + 1` })
    .where(and(inArray(applications.id, listed(ids)), isNull(applications.erasedAtMs)));
}

/** The files of a portfolio that began at an instant of real time or later. */
interface Files {
  readonly portfolio: string;
  readonly sinceMs: number;
}

/** The export runs of a portfolio whose files may hold applications that were made at an instant. */
function mayHold({ portfolio, sinceMs }: Files): SQL {
  return sql`portfolio = ${portfolio} AND status <> 'Failed' AND variant <> 'ledger' AND rewrites IS NULL AND started_at_ms >= ${sinceMs}`;
}

export function selectStaleFiles(of: Files) {
  return queries
    .select({ count: sql<number>`count(*)`.as('rows') })
    .from(exportRuns)
    .where(mayHold(of));
}

/** Marks the files that may hold some applications, so that they are written anew. In the directory. */
export function markStale(of: Files, nowMs: number) {
  return queries.update(exportRuns).set({ staleSinceMs: nowMs }).where(mayHold(of));
}
