import type { AppContext } from '../../http/context.ts';

/** A cell: a text, a number, or nothing. Amounts are decimal texts, with their currency in a column of its own. */
export type CsvCell = string | number | null;

/** A column of a file. Without `text`, files leave it out. */
export interface CsvColumn<Row> {
  /** Its header, in plain words. */
  readonly name: string;
  /** Its header in files, where that says more than on the page. */
  readonly fileName?: string;
  text?(row: Row): CsvCell;
}

export function wantsCsv(c: AppContext): boolean {
  return c.req.query('format') === 'csv';
}

/**
 * Answers with a table as a CSV file: the header row, then `rows`. `name` is the file's name without its ending. The
 * guard of the page forbids caching.
 */
export function csvAnswer<Row>(
  c: AppContext,
  name: string,
  columns: readonly CsvColumn<Row>[],
  rows: Iterable<Row>,
): Response {
  const fileName = `${name.replaceAll(/[^\w.-]+/g, '-')}.csv`;
  return c.body(csvText(columns, rows), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
  });
}

/** Without this mark Excel does not read UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A table as CSV after RFC 4180. */
export function csvText<Row>(columns: readonly CsvColumn<Row>[], rows: Iterable<Row>): string {
  const shown = columns.filter((column) => 'text' in column);
  const lines = [
    shown.map(({ fileName, name }) => fileName ?? name),
    ...Array.from(rows, (row) => shown.map((column) => column.text?.(row) ?? null)),
  ].map((line) => `${line.map(written).join(',')}\r\n`);
  return BYTE_ORDER_MARK + lines.join('');
}

/** Texts are quoted: some spreadsheets cut at `;`, at tabs or at `|`. Numbers and empty cells are not. */
function written(cell: CsvCell): string {
  const text = String(cell ?? '');
  if (/^(?:-?\d+(?:\.\d+)?)?$/.test(text)) return text;
  return `"${harmless(text).replaceAll('"', '""')}"`;
}

/**
 * Spreadsheets run a cell that begins like a formula; a quote before it makes it a text. Where a spreadsheet cuts at
 * another character than the comma, a cell begins after that, too.
 */
function harmless(text: string): string {
  const start = /^[\t\r\n]/.test(text) ? "'" : '';
  return start + text.replaceAll(/(?<=^|[;\t|\r\n])[=+\-@＝＋－＠]/g, "'$&");
}
