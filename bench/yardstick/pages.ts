import { Database } from '../../src/db/database.ts';
import { type Cursor, readPage, type Source } from '../../src/exports/pages.ts';
import { Crossings } from '../../src/io/crossings.ts';

/** No request reads for longer than this; the next one goes on. */
const LONGEST_MS = 2_000;

/** The pages of a file after a cursor. */
export interface PagesWanted {
  readonly source: Source;
  readonly after: Cursor;
}

/** What one request read. */
export interface PagesRead {
  readonly rows: number;
  /** Where the next request begins; null after the last page. */
  readonly next: Cursor | null;
}

/** Reads the very pages that an export is made of, and throws them away. */
export async function readPages(d1: D1Database, wanted: PagesWanted): Promise<PagesRead> {
  const database = new Database(d1, new Crossings());
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
