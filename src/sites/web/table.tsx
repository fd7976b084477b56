import type { Child } from 'hono/jsx';
import { instant } from '../../core/format.ts';
import type { CsvColumn } from './csvTable.ts';

/** A column of a table, on pages and in files. The page shows `cell`, or else `text`. */
export interface Column<Row> extends CsvColumn<Row> {
  /** Amounts and counts stand at the end of their cell. */
  readonly isNumber?: boolean;
  /** Whether pages leave it out. */
  readonly isForFiles?: boolean;
  cell?(row: Row): Child;
}

/**
 * A table. The first column names the row. On narrow screens each row becomes a card with the names of the columns beside
 * their values, so nothing has to be scrolled sideways.
 */
export function Records<Row>({
  caption,
  columns,
  rows,
}: {
  readonly caption: string;
  readonly columns: readonly Column<NoInfer<Row>>[];
  readonly rows: readonly Row[];
}) {
  const shown = columns.filter(({ isForFiles }) => !isForFiles);
  return (
    <table class="records">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {shown.map(({ isNumber, name }) => (
            <th scope="col" class={isNumber ? 'number' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {shown.map((column, index) => (
              <Cell column={column} row={row} isHead={index === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({
  column,
  row,
  isHead,
}: {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isHead: boolean;
}) {
  const className = column.isNumber ? 'number' : undefined;
  const content = column.cell ? column.cell(row) : column.text?.(row);
  return isHead ? (
    <th scope="row" class={className}>
      {content}
    </th>
  ) : (
    <td class={className} data-name={column.name}>
      {content}
    </td>
  );
}

/** A heading with the table below it, or what is said in place of an empty one. */
export function TableSection<Row>({
  id,
  heading,
  empty,
  children,
  ...table
}: {
  readonly id: string;
  readonly heading: string;
  readonly caption: string;
  readonly columns: readonly Column<NoInfer<Row>>[];
  readonly rows: readonly Row[];
  readonly empty: string;
  readonly children?: Child;
}) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {table.rows.length === 0 ? <EmptyNote text={empty} /> : <Records {...table} />}
      {children}
    </section>
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
  const text = isZoned ? zonedText(atMs, timeZone) : instant(atMs, timeZone);
  return <time datetime={new Date(atMs).toISOString()}>{text}</time>;
}

/** An instant in a zone, with the zone's name: `14 Feb 2027, 15:00 GMT+8`. */
export function zonedText(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(atMs);
}

export function EmptyNote({ text }: { readonly text: string }) {
  return <p class="soft">{text}</p>;
}
