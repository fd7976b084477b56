import type { Key } from '../../platform/db/page.ts';
import type { ExportRunRow } from '../../schema/exportTables.ts';

/**
 * A position in a file: it contains everything up to this key. Of applications that is the customer, 0 in the
 * application-console file, which is ordered by application only, and the application.
 */
export type Cursor = Key;

export const START: Cursor = [];

/** What a run says of the rows of its file. */
export type Source = Pick<
  ExportRunRow,
  'variant' | 'portfolio' | 'date' | 'startedAtMs' | 'lastApplicationId' | 'lastMoveId'
>;

/** What a file has of one application, or of one entry of the books. */
export interface PageRow {
  readonly cursor: Cursor;
  /** The customer whose line it belongs to; null where it is whole lines. */
  readonly customerId: number | null;
  /** How many whole lines it is. */
  readonly lines: number;
  /** On a customer's first row of the page: the start of the customer's line, up to `"bookings":`; else null. */
  readonly head: string | null;
  /** JSON, without the end of its last line. */
  readonly text: string;
}

export interface Page {
  readonly rows: readonly PageRow[];
  /** The position where the next page starts; null after the last. */
  readonly next: Cursor | null;
  /** The share of the file up to the end of this page, from 0 to 1, estimated from ids. */
  readonly fractionRead: number;
}
