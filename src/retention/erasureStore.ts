import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { countOf, type TableErasure, tableErasure } from '../records/privacy/eraseStore.ts';
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
export function selectBookingsOf(guest: Guest) {
  return queries
    .select({ reference: bookings.reference, email: bookings.email })
    .from(bookings)
    .where(and(eq(bookings.propertyId, guest.propertyId), isOfGuest(bookings, guest)))
    .orderBy(bookings.reference);
}

/** The same of archived bookings. */
export function selectArchivedOf(guest: Guest) {
  const { email, propertyId, reference, state } = archivedBookings;
  return queries
    .select({ reference, email })
    .from(archivedBookings)
    .where(
      and(
        eq(propertyId, guest.propertyId),
        eq(state, 'archived'),
        isOfGuest(archivedBookings, guest),
      ),
    );
}

function isOfGuest(
  table: typeof bookings | typeof archivedBookings,
  { email, reference }: Guest,
): SQL {
  return reference === null
    ? sql`lower(${table.email}) = ${email}`
    : eq(table.reference, reference);
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

/** The condition for a guest's requests for cards that belong to no booking. */
export function isLooseRequest({ email, propertyId }: Guest): SQL {
  return sql`property_id = ${propertyId} AND booking_reference IS NULL AND lower(email) = ${email}`;
}

/** The erasures of what of a guest belongs to no booking's object: each with a count and a statement. */
export function looseErasures(guest: Guest, applicationIds: readonly number[], nowMs: number) {
  const { email, propertyId } = guest;
  const ids = listed(applicationIds);
  const ofRequests = isLooseRequest(guest);
  const ofCards = sql`property_id = ${propertyId} AND booking_reference IS NULL AND request_id IN (SELECT id FROM card_requests WHERE ${ofRequests})`;
  const erased = (table: Parameters<typeof tableErasure>[0], rows: SQL) =>
    tableErasure(table, HELD.find((one) => one.table === table)?.guest ?? [], rows, nowMs);
  return [
    // Cards are found by their requests, so they go first.
    erased(cards, ofCards),
    erased(cardRequests, ofRequests),
    erased(applications, sql`id IN ${ids}`),
    erasedContacts(propertyId, email, ids),
  ];
}

/** A contact is a name for an address: it keeps its number, and its address becomes one that nobody has. */
function erasedContacts(
  propertyId: string,
  email: string | null,
  applicationIds: SQL,
): TableErasure {
  const where = sql`property_id = ${propertyId} AND email NOT LIKE 'erased %' AND (email = ${email} OR (
    id IN (SELECT contact_id FROM applications WHERE id IN ${applicationIds})
    AND NOT EXISTS (SELECT 1 FROM applications AS other WHERE other.contact_id = contacts.id AND other.id NOT IN ${applicationIds} AND other.erased_at_ms IS NULL)))`;
  return {
    what: 'contacts',
    count: countOf(contacts, where),
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
): TableErasure {
  const names = sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(references)}) AS named WHERE instr(local_mailbox.text, named.value) > 0)`;
  const where = sql`lower(recipient) IN ${listed(addresses)} OR mail_id IN ${listed(ids)} OR (${names})`;
  return {
    what: 'mails',
    count: countOf(localMailbox, where),
    erase: queries.delete(localMailbox).where(where),
  };
}

/** Selects the cards to detach that belong to no booking. */
export function selectLooseCards(guest: Guest) {
  return queries
    .select({ gatewayToken: cards.gatewayToken })
    .from(cards)
    .where(
      and(
        eq(cards.propertyId, guest.propertyId),
        isNull(cards.bookingReference),
        isNull(cards.detachedAtMs),
        sql`${cards.requestId} IN (SELECT id FROM card_requests WHERE ${isLooseRequest(guest)})`,
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

export function countStaleFiles(of: Files) {
  return countOf(exportRuns, mayHold(of));
}

/** Marks the files that may hold some applications, so that they are written anew. In the directory. */
export function markStale(of: Files, nowMs: number) {
  return queries.update(exportRuns).set({ staleSinceMs: nowMs }).where(mayHold(of));
}
