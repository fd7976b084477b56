import type { Child } from 'hono/jsx';
import { instant, zonedInstant } from '../../desk/format.ts';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { Section } from './page.tsx';

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

/** A column of a table, on pages and in files. The page shows `cell`, or else `text`. */
export interface Column<Row> extends CsvColumn<Row> {
  /** Amounts and counts stand at the end of their cell. */
  readonly isNumber?: boolean;
  /** Whether pages leave it out. */
  readonly isForFiles?: boolean;
  /** Whether it is shown on wide screens and on paper, and elsewhere only to whom asks for all columns. */
  readonly isMore?: boolean;
  cell?(row: Row): Child;
}

/** How many columns of numbers stand beside each other on a screen that is narrower than a desk's. */
const MOST_ON_TABLETS = 8;

interface TableOf<Row> {
  readonly caption: string;
  readonly columns: readonly Column<NoInfer<Row>>[];
  readonly rows: readonly Row[];
}

/**
 * A table. The first column that always shows names the row. On narrow screens, it leaves out the columns that may be left
 * out, and shows them to whom asks: then each row is a card with the names of the columns beside their values, so that
 * nothing has to be scrolled sideways. On a phone, a row is two or three lines. Reports stay tables at any width.
 */
export function Records<Row>({ caption, columns, rows }: TableOf<Row>) {
  const shown = columns.filter(({ isForFiles }) => !isForFiles);
  const folds = shown.some(({ isMore }) => isMore);
  // Of many numbers, the table says it once: a report has hundreds.
  const areNumbers = shown.slice(1).every(({ isNumber }) => isNumber);
  const classOf = ({ isMore, isNumber }: Column<never>) =>
    [isNumber && !areNumbers && 'number', folds && !isMore && 'main'].filter(Boolean).join(' ') ||
    undefined;
  const head = shown.find(({ isMore }) => !isMore);
  const table = (
    <table
      class={[
        'records',
        folds && 'folds',
        areNumbers && 'numbers',
        areNumbers && shown.length > MOST_ON_TABLETS && 'wide',
      ]
        .filter(Boolean)
        .join(' ')}
    >
      <caption>{caption}</caption>
      <thead>
        <tr>
          {shown.map((column) => (
            <th scope="col" class={classOf(column)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {shown.map((column) => {
              const content = contentOf(column, row);
              return column === head ? (
                <th scope="row">{content}</th>
              ) : (
                // Its column's name is for cards.
                <td class={classOf(column)} data-name={areNumbers ? undefined : column.name}>
                  {content}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!folds) return table;
  return (
    <>
      <details class="fold">
        <summary>{words.list.allColumns}</summary>
      </details>
      <div {...(areNumbers && { role: 'region', tabindex: 0, 'aria-label': caption })}>{table}</div>
    </>
  );
}

/** What a page shows of a row in a column. */
export function contentOf<Row>(column: Column<Row>, row: Row): Child {
  return column.cell ? column.cell(row) : column.text?.(row);
}

/** A heading with the table below it, or what is said in place of an empty one. */
export function TableSection<Row>(
  section: TableOf<Row> &
    Readonly<{ id: string; heading: string; empty: string; children?: Child }>,
) {
  const { id, heading, empty, children, ...table } = section;
  return (
    <Section id={id} heading={heading}>
      {table.rows.length === 0 ? <EmptyNote text={empty} /> : <Records {...table} />}
      {children}
    </Section>
  );
}

/** A part of a page: what it shows, or what is said of it where it has nothing. */
export interface PagePart {
  readonly isEmpty: boolean;
  readonly empty: string;
  readonly content: Child;
}

/** The parts of a page that have something; what is said of the others is folded below them. */
export function Parts({ parts }: { readonly parts: readonly PagePart[] }) {
  const empty = parts.filter(({ isEmpty }) => isEmpty);
  return (
    <>
      {parts.map(({ content, isEmpty }) => !isEmpty && content)}
      {empty.length > 0 && (
        <details open={empty.length === parts.length}>
          <summary>{words.list.nothingToDo({ number: empty.length })}</summary>
          <ul>
            {empty.map((part) => (
              <li>{part.empty}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** An instant in a zone, or in UTC; a dash for null. */
export function Instant({
  atMs,
  timeZone = 'UTC',
  isZoned = false,
}: {
  readonly atMs: number | null;
  readonly timeZone?: string;
  /** Whether it names its zone: pages with times of several zones do. */
  readonly isZoned?: boolean;
}) {
  if (atMs === null) return <>–</>;
  const text = isZoned ? zonedInstant(atMs, timeZone) : instant(atMs, timeZone);
  return <time datetime={new Date(atMs).toISOString()}>{text}</time>;
}

export function EmptyNote({ text }: { readonly text: string }) {
  return <p class="soft">{text}</p>;
}

/** The link to a page's table as CSV. `path` may have a query; `of` names the table where a page has several. */
export function CsvLink({ path, of }: { readonly path: string; readonly of?: string }) {
  const { csv } = words;
  return (
    <p class="csv">
      <a href={`${path}${path.includes('?') ? '&' : '?'}format=csv`} download>
        {of === undefined ? csv.all : csv.of({ table: of })}
      </a>
    </p>
  );
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
