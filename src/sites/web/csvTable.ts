import type { AppContext } from '../../http/context.ts';

/** A cell: a text, a number, or nothing. Amounts are decimal texts, with their currency in a column of its own. */
export type CsvCell = string | number | null;

/** The columns of a table: the header of each in plain words, and its cell in a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

/** Whether a request asks for a page's table as CSV. */
export function wantsCsv(c: AppContext): boolean {
  return c.req.query('format') === 'csv';
}

/** The address of a page's table as CSV. `path` may have a query. */
export function csvPath(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}format=csv`;
}

/**
 * Answers with a table as a CSV file: the header row, then `rows`. `name` is the file's name without its ending. The
 * guard of the page forbids caching.
 */
export function csvAnswer<Row>(
  c: AppContext,
  name: string,
  columns: CsvColumns<Row>,
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
export function csvText<Row>(columns: CsvColumns<Row>, rows: Iterable<Row>): string {
  const cells = Object.values(columns);
  const lines = [
    Object.keys(columns),
    ...Array.from(rows, (row) => cells.map((cell) => cell(row))),
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
