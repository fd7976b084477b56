import type { AppContext } from '../../../http/context.ts';
import { cursorAfter, type ListName, shownPart } from '../../../http/listFields.ts';
import { type Key, type Part, pageOf } from '../../../platform/db/page.ts';
import { wantsCsv } from '../../web/csvTable.ts';

/** How many entries of a list a page shows, and a file has at most. */
const SHOWN = 20;
const MOST_IN_FILE = 1_000;

/** A page of a list, and the cursor that continues after it; null on the last page. */
export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** The list of a property that a request asks for. `field` of its query says where the page begins. */
export class AskedList {
  readonly #name: ListName;
  readonly #propertyId: string;
  readonly part: Part;

  constructor(c: AppContext, name: ListName, propertyId: string, field = 'after') {
    this.#name = name;
    this.#propertyId = propertyId;
    const limit = wantsCsv(c) ? MOST_IN_FILE : SHOWN;
    this.part = shownPart(name, propertyId, { limit, cursor: c.req.query(field) });
  }

  /** Cuts the page from rows that may be more than it shows. */
  pageOf<Row>(found: readonly Row[], keyOf: (row: Row) => Key): Listed<Row> {
    const page = pageOf(found, this.part.limit, keyOf);
    return { rows: page.rows, next: cursorAfter(this.#name, this.#propertyId, page) };
  }
}
