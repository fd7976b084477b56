import { getTableName, sql } from 'drizzle-orm';
import { err, ok, type Result } from '../core/result.ts';
import { utcTimestamp } from '../core/time.ts';
import { answerOf, type IdempotencyRow } from '../operation/idempotencyStore.ts';
import { queries, type Statement } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { payloadOf } from '../pms/outbox/payloads.ts';
import { type ArchiveWork, databaseWith } from '../records/archive/read.ts';
import { bookingNotFound } from '../records/bookings/rules.ts';
import { type Kept, snapshotOf } from '../records/history/rules/snapshots.ts';
import { rowsOfBooking } from '../records/privacy/eraseStore.ts';
import { readProperty } from '../records/properties/read.ts';
import { applications, contacts } from '../schema/applicationTables.ts';
import { cardRequests } from '../schema/cardTables.ts';
import type { OutboxRow } from '../schema/outboxTables.ts';
import { HELD } from '../schema/personal.ts';
import { type EraseSubject, guestOf } from './erase.ts';
import {
  isLooseRequest,
  selectApplicationsOf,
  selectArchivedOf,
  selectBookingsOf,
} from './erasureStore.ts';

type Row = Readonly<Record<string, unknown>>;

/** Everything that is held of a guest: rows by the kind of record. Amounts are minor units, times milliseconds since 1970. */
export interface SubjectExport {
  readonly property: string;
  readonly exportedAt: string;
  readonly records: Readonly<Record<string, readonly Row[]>>;
}

/** What protects the service, and tells nothing of anybody. */
const SECRET: ReadonlySet<string> = new Set([
  'gatewayToken',
  'gatewayKey',
  'fingerprint',
  'eventSalt',
  'searchWords',
  'returnUrl',
]);

/** Reads all that the service holds of a guest (interface: Export a guest's data). */
export async function exportSubject(
  work: ArchiveWork,
  propertyId: string,
  subject: EraseSubject,
): Promise<Result<SubjectExport>> {
  const { database } = work;
  const property = await readProperty(database, propertyId);
  if (!property.ok) return property;
  const home = database.of(propertyId);
  const guest = guestOf(propertyId, subject);
  const [inD1, archived] = await home.batch('d1.privacy.read', [
    selectBookingsOf(guest),
    selectArchivedOf(guest),
  ]);
  const bookings = [...inD1, ...archived];
  if (guest.email === null && bookings.length === 0) return err(bookingNotFound());
  const references = bookings.map((one) => one.reference);
  const [own] = await home.batch('d1.privacy.read', [selectApplicationsOf(guest, references)]);
  const records: Record<string, Row[]> = {};
  const add = (what: string, rows: readonly Row[]) => {
    if (rows.length > 0) records[what] = [...(records[what] ?? []), ...rows.map(shown)];
  };
  for (const reference of references) {
    const name = { propertyId, reference };
    const tables = HELD.flatMap(({ table }) => {
      const rows = rowsOfBooking(table, name);
      // What is owed follows from the others, and is noted when somebody looks.
      return rows === null || getTableName(table) === 'owed_bookings' ? [] : [{ table, rows }];
    });
    const reads = tables.map(({ rows, table }) => queries.select().from(table).where(rows));
    const [first, ...rest] = reads as unknown as [Statement, ...Statement[]];
    const from = archived.some((one) => one.reference === reference)
      ? await databaseWith(work, name)
      : null;
    const all = (await (from?.of(propertyId) ?? home).batch('d1.privacy.read', [
      first,
      ...rest,
    ])) as Row[][];
    for (const [at, { table }] of tables.entries()) add(getTableName(table), all[at] ?? []);
  }
  const ids = listed(own.map((one) => one.id));
  const [ofAddress, contactsOf, requests] = await home.batch('d1.privacy.read', [
    queries.select().from(applications).where(sql`${applications.id} IN ${ids}`),
    queries
      .select()
      .from(contacts)
      .where(
        sql`property_id = ${propertyId} AND (email = ${guest.email} OR id IN (SELECT contact_id FROM applications WHERE id IN ${ids}))`,
      ),
    queries.select().from(cardRequests).where(isLooseRequest(guest)),
  ]);
  // Those of the bookings are among them.
  delete records['applications'];
  add('applications', ofAddress);
  add('contacts', contactsOf);
  add('card_requests', requests);
  return ok({ property: propertyId, exportedAt: utcTimestamp(Date.now()), records });
}

/** A row as it is shown: what is packed is read, and what is secret is left out. */
function shown(row: Row): Row {
  const read = {
    ...row,
    ...(row['snapshot'] instanceof Uint8Array && { snapshot: snapshotOf(row as unknown as Kept) }),
    ...(row['payload'] instanceof Uint8Array && {
      payload: payloadOf(row as unknown as OutboxRow),
    }),
    ...(row['answer'] instanceof Uint8Array && {
      answer: answerOf(row as unknown as IdempotencyRow),
    }),
  };
  return Object.fromEntries(Object.entries(read).filter(([name]) => !SECRET.has(name)));
}
