import { bookingNotFound } from '../bookings/rules.ts';
import { selectBooking } from '../bookings/store.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { utcTimestamp } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import { selectAudit } from './store.ts';

/** One change of state as an administrator reads it; `at` in UTC. */
export interface AuditView {
  readonly at: string;
  readonly actor: string;
  readonly subject: string;
  readonly from: string | null;
  readonly to: string;
  readonly detail: string | null;
}

/** A page of a booking's audit trail; `nextCursor` is null on the last one. */
export interface AuditPage {
  readonly entries: AuditView[];
  readonly nextCursor: string | null;
}

/** Reads a booking's audit trail, oldest first, from after `cursor` on (decisions: section 13). One round trip. */
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
  if (!property) return err(failure('property_not_found', 'There is no such property.'));
  if (!booking) return err(bookingNotFound());
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return ok({
    entries: page.map(({ atMs, actor, subject, from, to, detail }) => ({
      at: utcTimestamp(atMs),
      actor,
      subject,
      from,
      to,
      detail,
    })),
    nextCursor: rows.length > limit && last ? String(last.id) : null,
  });
}
