import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import { bookingNotFound } from '../bookings/rules.ts';
import { selectBooking } from '../bookings/store.ts';
import { propertyNotFound } from '../properties/rules.ts';
import { selectAudit } from './store.ts';
import { type AuditPage, entryView } from './views.ts';

/** Reads a page of a booking's audit trail, oldest first (interface: List the audit trail). One round trip. */
export async function listAudit(
  database: Database,
  propertyId: string,
  reference: string,
  afterId: number,
  limit: number,
): Promise<Result<AuditPage, Failure>> {
  const { queries } = database;
  const [[property], [booking], , rows] = await database.batch('d1.audit.read', [
    ...selectBooking(queries, propertyId, reference),
    selectAudit(queries, propertyId, reference, afterId, limit + 1),
  ]);
  if (!property) return err(propertyNotFound());
  if (!booking) return err(bookingNotFound());
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return ok({
    entries: page.map(entryView),
    nextId: rows.length > limit && last ? last.id : null,
  });
}
