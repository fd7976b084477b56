import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Page, type Part, pageOf } from '../../platform/db/page.ts';
import { bookingNotFound } from '../bookings/rules.ts';
import { selectBooking } from '../bookings/store.ts';
import { propertyNotFound } from '../properties/rules.ts';
import { selectProperty } from '../properties/store.ts';
import { placesOfProperty } from './changes.ts';
import { selectAudit, selectSettingsChanges } from './store.ts';
import { type AuditEntryView, changeView, entryView } from './views.ts';

/** Reads a page of a booking's audit trail, oldest first (interface: List the audit trail). One round trip. */
export async function listAudit(
  database: Database,
  propertyId: string,
  reference: string,
  part: Part,
): Promise<Result<Page<AuditEntryView>, Failure>> {
  const { queries } = database;
  const [[property], [booking], , rows] = await database.batch('d1.audit.read', [
    ...selectBooking(queries, propertyId, reference),
    selectAudit(queries, { propertyId, reference }, part),
  ]);
  if (!property) return err(propertyNotFound());
  if (!booking) return err(bookingNotFound());
  const page = pageOf(rows, part.limit, ({ sequence }) => [sequence]);
  return ok({ rows: page.rows.map(entryView), next: page.next });
}

/** Reads a page of the changes of a property's settings and people, oldest first. Two round trips. */
export async function listChanges(
  database: Database,
  propertyId: string,
  part: Part,
): Promise<Result<Page<AuditEntryView>, Failure>> {
  const { queries } = database;
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(queries, propertyId),
  ]);
  if (!property) return err(propertyNotFound());
  const [rows] = await database.batch('d1.audit.read', [
    selectSettingsChanges(queries, placesOfProperty(property), part),
  ]);
  const page = pageOf(rows, part.limit, ({ id }) => [id]);
  return ok({ rows: page.rows.map(changeView), next: page.next });
}
