import { eq } from 'drizzle-orm';
import { err, ok, type Result } from '../core/result.ts';
import type { Database } from '../platform/db/database.ts';
import { foundByEach, pageFound, waysToFind } from '../platform/db/narrow.ts';
import { type Page, type Part, pagesOf, shownPage } from '../platform/db/page.ts';
import { preparedList } from '../platform/db/prepared.ts';
import { propertyNotFound } from '../records/properties/rules.ts';
import { selectProperty } from '../records/properties/store.ts';
import { type MailRow, mails } from '../schema/mailTables.ts';
import { type MailView, mailView } from './views.ts';

interface MailFilter {
  readonly reference?: string | undefined;
  readonly status?: MailRow['status'] | undefined;
}

const pages = pagesOf(mails, 'descending', ['createdAtMs', 'id']);

/** The statements that find a property's mails, newest first. */
const selectPage = preparedList<MailFilter & { readonly propertyId: string }>()((asked, part) => {
  const { bookingReference, createdAtMs, id, status } = mails;
  const own = eq(mails.propertyId, asked.propertyId);
  const list = { table: mails, columns: [createdAtMs, id], order: 'descending', own } as const;
  const filters = [
    ...foundByEach(list, [asked.reference && eq(bookingReference, asked.reference)]),
    ...(asked.status ? [{ rows: eq(status, asked.status) }] : []),
  ];
  return waysToFind(list, filters, part, (way) => pages.along(way));
});

/** Lists a property's mails, newest first (interface: List mails). One round trip. */
export async function listMails(
  database: Database,
  propertyId: string,
  { reference, status }: MailFilter,
  part: Part,
): Promise<Result<Page<MailView>>> {
  const [[property], ...found] = await database.batch('d1.mail.read', [
    selectProperty(propertyId),
    ...selectPage({ propertyId, reference, status }, part),
  ]);
  if (!property) return err(propertyNotFound());
  const page = pageFound<MailRow>(found, part.limit, (row) => [row.createdAtMs, row.id]);
  return ok(shownPage(page, (row) => mailView(row, property.timeZone)));
}
