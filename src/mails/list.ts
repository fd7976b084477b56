import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../platform/db/database.ts';
import { propertyNotFound } from '../records/properties/rules.ts';
import { selectProperty } from '../records/properties/store.ts';
import { type MailFilter, selectMails } from './store.ts';
import { type MailView, mailView } from './views.ts';

/** A page of mails. `next` is the place of its last one; null on the last page. */
export interface MailPage {
  readonly mails: MailView[];
  readonly next: { readonly createdAtMs: number; readonly key: string } | null;
}

/** Lists a property's mails, newest first (interface: List mails). One round trip. */
export async function listMails(
  database: Database,
  propertyId: string,
  filter: MailFilter,
  limit: number,
): Promise<Result<MailPage, Failure>> {
  const { queries } = database;
  const [[property], rows] = await database.batch('d1.mail.read', [
    selectProperty(queries, propertyId),
    selectMails(queries, propertyId, filter, limit + 1),
  ]);
  if (!property) return err(propertyNotFound());
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return ok({
    mails: page.map((row) => mailView(row, property.timeZone)),
    next: last ? { createdAtMs: last.createdAtMs, key: last.id } : null,
  });
}
