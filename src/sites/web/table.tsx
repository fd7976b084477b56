import type { Child } from 'hono/jsx';
import { instant } from '../../core/format.ts';

/** A table that scrolls sideways on narrow screens, also by keyboard. */
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
