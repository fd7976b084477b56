import { and, eq, sql } from 'drizzle-orm';
import type { IsoDate } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import { unindexed } from '../../platform/db/indexes.ts';
import { isBetween } from '../../platform/db/narrow.ts';
import { type Page, type Part, pagesOf } from '../../platform/db/page.ts';
import { type BankLineRow, bankLines } from '../../schema/disbursementTables.ts';

export interface LinesOf {
  readonly status?: BankLineRow['status'] | undefined;
  readonly from?: IsoDate | undefined;
  readonly to?: IsoDate | undefined;
}

const pages = pagesOf(bankLines, 'descending', ['date', 'id']);

/** Lists lines of a property's bank statements, the latest first (interface: Bank statements). One round trip. */
export function listBankLines(
  database: Database,
  propertyId: string,
  of: LinesOf,
  part: Part,
): Promise<Page<BankLineRow>> {
  return pages.read(database, 'd1.bankLine.read', linesOf(propertyId, of, part), part);
}

/** Selects a page of them, and one more line if there is a next one. */
export function selectBankLines(propertyId: string, of: LinesOf, part: Part) {
  return pages.select(linesOf(propertyId, of, part), part);
}

function linesOf(propertyId: string, { from, status, to }: LinesOf, { after }: Part) {
  // After an entry, that is the bound by which SQLite finds the rest.
  const date = after ? unindexed(bankLines.date) : sql`${bankLines.date}`;
  return and(
    eq(bankLines.propertyId, propertyId),
    // The condition of the index of all.
    status === undefined ? sql`${bankLines.date} <> ''` : eq(bankLines.status, status),
    isBetween(bankLines.date, from, undefined),
    to === undefined ? undefined : sql`${date} <= ${to}`,
  );
}
