import { inArray, sql } from 'drizzle-orm';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import {
  inOrder,
  type Page,
  type Part,
  pageOf,
  pagesOf,
  shownPage,
} from '../../platform/db/page.ts';
import { settingsChanges } from '../../schema/recordTables.ts';
import { bookingNotFound } from '../bookings/rules.ts';
import { selectBooking } from '../bookings/store.ts';
import { readProperty } from '../properties/read.ts';
import { propertyNotFound } from '../properties/rules.ts';
import { placesOfProperty, selectAudit } from './changes.ts';
import { type AuditEntryView, changeView, entryView } from './views.ts';

/** Reads a page of a booking's audit trail, oldest first (interface: List the audit trail). One round trip. */
export async function listAudit(
  database: Database,
  propertyId: string,
  reference: string,
  part: Part,
): Promise<Result<Page<AuditEntryView>>> {
  const [[property], [booking], , rows] = await database.batch('d1.audit.read', [
    ...selectBooking(propertyId, reference),
    selectAudit({ propertyId, reference }, part),
  ]);
  if (!property) return err(propertyNotFound());
  if (!booking) return err(bookingNotFound());
  return ok(
    shownPage(
      pageOf(rows, part.limit, ({ sequence }) => [sequence]),
      entryView,
    ),
  );
}

const changes = pagesOf(settingsChanges, 'ascending', ['id']);

const NONE = sql`0`;

/** Reads a page of the changes of a property's settings and people, oldest first. Two round trips. */
export async function listChanges(
  database: Database,
  propertyId: string,
  part: Part,
): Promise<Result<Page<AuditEntryView>>> {
  const property = await readProperty(database, propertyId);
  if (!property.ok) return property;
  const which = inArray(settingsChanges.place, placesOfProperty(property.value));
  // What is of people and clients is in the directory.
  const [[ofPeople], [own]] = await database.ofBoth(
    'd1.audit.read',
    [changes.select(which, part)],
    propertyId,
    [changes.select(database.isMany ? which : NONE, part)],
  );
  const all = new Map([...ofPeople, ...own].map((row) => [row.id, row]));
  const rows = inOrder('ascending', [...all.values()], ({ id }) => [id]);
  return ok(shownPage(changes.cut(rows, part), changeView));
}
