import type { Child } from 'hono/jsx';
import { instant } from '../../core/format.ts';

/** A column of a table of records. */
export interface Column<Row> {
  readonly name: string;
  /** Amounts and counts stand at the end of their cell. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => Child;
}

/**
 * A table of records. The first column names the record. On a phone each row becomes a card with the names of the
 * columns beside their values, so nothing has to be scrolled sideways.
 */
export function Records<Row>({
  caption,
  columns,
  rows,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}) {
  return (
    <table class="records">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ isNumber, name }) => (
            <th scope="col" class={isNumber ? 'number' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column, index) => (
              <Cell column={column} row={row} isHead={index === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({
  column: { cell, isNumber, name },
  row,
  isHead,
}: {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isHead: boolean;
}) {
  const className = isNumber ? 'number' : undefined;
  if (isHead) {
    return (
      <th scope="row" class={className}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td class={className} data-name={name}>
      {cell(row)}
    </td>
  );
}

/** A small table that scrolls sideways on narrow screens, also by keyboard; records have `Records`. */
export function Table({
  caption,
  columns,
  children,
}: {
  readonly caption: string;
  /** The column headers; a leading `#` marks a column of numbers. */
  readonly columns: readonly string[];
  readonly children?: Child;
}) {
  return (
    <section class="scroll" aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={column.startsWith('#') ? 'number' : undefined}>
                {column.replace('#', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** An instant in a zone, or in UTC; a dash for null. */
export function Instant({
  atMs,
  timeZone = 'UTC',
}: {
  readonly atMs: number | null;
  readonly timeZone?: string;
}) {
  if (atMs === null) return <>–</>;
  return <time datetime={new Date(atMs).toISOString()}>{instant(atMs, timeZone)}</time>;
}

/** The text in place of an empty list. */
export function EmptyNote({ text }: { readonly text: string }) {
  return <p class="soft">{text}</p>;
}
