/** The place of an entry in a list: its time, and its id, which tells entries of one time apart. */
export interface Place {
  readonly atMs: number;
  readonly id: string;
}

/** How many entries a page of a list shows. */
export const LISTED = 20;

/** How many entries of a list a file has at most. */
export const MOST_IN_FILE = 1_000;

/** Reads where a list continues; null at its start, and for what is no place. */
export function placeOf(text: string): Place | null {
  const [, atMs, id] = /^(\d{1,15})\.(.{1,300})$/su.exec(text) ?? [];
  return atMs === undefined || id === undefined ? null : { atMs: Number(atMs), id };
}

/** A page of a list, and the text that continues after it; null on the last page. */
export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** Cuts a page from one row more than it shows. */
export function pageOf<Row>(found: readonly Row[], placeAt: (row: Row) => Place): Listed<Row> {
  const rows = found.slice(0, LISTED);
  const last = rows.at(-1);
  if (last === undefined || found.length <= LISTED) return { rows, next: null };
  const { atMs, id } = placeAt(last);
  return { rows, next: `${atMs}.${id}` };
}
