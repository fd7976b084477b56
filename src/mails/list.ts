import { and, eq } from 'drizzle-orm';
import type { Failure } from '../core/failure.ts';
import { andThen, ok, type Result } from '../core/result.ts';
import type { Database } from '../platform/db/database.ts';
import { type Page, type Part, pagesOf, shownPage } from '../platform/db/page.ts';
import { readOfProperty } from '../records/properties/read.ts';
import { type MailRow, mails } from '../schema/mailTables.ts';
import { type MailView, mailView } from './views.ts';

interface MailFilter {
  readonly reference?: string | undefined;
  readonly status?: MailRow['status'] | undefined;
}

const pages = pagesOf(mails, 'descending', ['createdAtMs', 'id']);

/** Lists a property's mails, newest first (interface: List mails). One round trip. */
export async function listMails(
  database: Database,
  propertyId: string,
  { reference, status }: MailFilter,
  part: Part,
): Promise<Result<Page<MailView>, Failure>> {
  const which = and(
    eq(mails.propertyId, propertyId),
    reference === undefined ? undefined : eq(mails.bookingReference, reference),
    status === undefined ? undefined : eq(mails.status, status),
  );
  const selected = pages.select(which, part);
  const read = await readOfProperty(database, 'd1.mail.read', propertyId, selected);
  return andThen(read, ({ property, rows }) =>
    ok(shownPage(pages.cut(rows, part), (row) => mailView(row, property.timeZone))),
  );
}
