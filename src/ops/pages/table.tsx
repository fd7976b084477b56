import type { Child } from 'hono/jsx';
import { instant } from '../../pages/format.ts';

/** A table that can be scrolled sideways where there is no room for it, by the keyboard too. */
export function Table({
  caption,
  columns,
  children,
}: {
  readonly caption: string;
  /** What stands above each column; one that begins with `#` is of numbers. */
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

/** An instant in UTC; a dash for none. */
export function Instant({ atMs }: { readonly atMs: number | null }) {
  if (atMs === null) return <>–</>;
  return <time datetime={new Date(atMs).toISOString()}>{instant(atMs, 'UTC')}</time>;
}

/** Says that there is nothing of its kind. */
export function Nothing({ words }: { readonly words: string }) {
  return <p class="soft">{words}</p>;
}
