import type { Database } from '../platform/db/database.ts';
import { readApplications } from './applicationPages.ts';
import { readCustomers } from './customerPages.ts';
import { readEntries } from './ledgerPages.ts';
import type { Cursor, Page, Source } from './rules/pages.ts';

/** Reads the page after a cursor. One round trip, two where the portfolio has little in the page's window. */
export async function readPage(database: Database, source: Source, after: Cursor): Promise<Page> {
  switch (source.variant) {
    case 'propertySystem':
      return readCustomers(database, source, after);
    case 'applicationConsole':
      return readApplications(database, source, after);
    case 'ledger':
      return readEntries(database, source, after);
  }
}
