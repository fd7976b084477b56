import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../platform/db/database.ts';
import { type Key, type Part, pageOf } from '../platform/db/page.ts';
import { propertyNotFound } from '../records/properties/rules.ts';
import { selectProperty } from '../records/properties/store.ts';
import { type MailFilter, selectMails } from './store.ts';
import { type MailView, mailView } from './views.ts';

/** A page of mails. `next` is the key of its last one; null on the last page. */
export interface MailPage {
  readonly mails: MailView[];
  readonly next: Key | null;
}

/** Lists a property's mails, newest first (interface: List mails). One round trip. */
export async function listMails(
  database: Database,
  propertyId: string,
  filter: MailFilter,
  part: Part,
): Promise<Result<MailPage, Failure>> {
  const { queries } = database;
  const [[property], rows] = await database.batch('d1.mail.read', [
    selectProperty(queries, propertyId),
    selectMails(queries, propertyId, filter, part),
  ]);
  if (!property) return err(propertyNotFound());
  const page = pageOf(rows, part.limit, ({ createdAtMs, id }) => [createdAtMs, id]);
  return ok({ mails: page.rows.map((row) => mailView(row, property.timeZone)), next: page.next });
}
