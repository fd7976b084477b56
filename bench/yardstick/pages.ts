import { readPage } from '../../src/exports/pages.ts';
import type { Cursor, Source } from '../../src/exports/rules/pages.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';

/** The longest time of one request; the next request continues. */
const LONGEST_MS = 2_000;

/** The pages of a file after a cursor. */
export interface PagesWanted {
  readonly source: Source;
  readonly after: Cursor;
}

/** The result of one request. */
export interface PagesRead {
  readonly rows: number;
  /** The start of the next request; null after the last page. */
  readonly next: Cursor | null;
}

/** Reads the pages of an export, and discards them. */
export async function readPages(d1: D1Database, wanted: PagesWanted): Promise<PagesRead> {
  const database = new Database(d1, new Trace());
  const endMs = Date.now() + LONGEST_MS;
  let next: Cursor | null = wanted.after;
  let rows = 0;
  while (next !== null && Date.now() < endMs) {
    const page = await readPage(database, wanted.source, next);
    rows += page.rows.length;
    next = page.next;
  }
  return { rows, next };
}
