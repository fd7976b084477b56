import type { Child } from 'hono/jsx';

/**
 * A table whose rows become cards on narrow screens. What matters most, and the buttons, stand first. On wide screens
 * it scrolls sideways where it must, also by keyboard.
 */
export function CardTable({
  caption,
  columns,
  rows,
}: {
  readonly caption: string;
  /** The column headers; a leading `#` marks a column of numbers. */
  readonly columns: readonly string[];
  /** The cells of each row, in the order of the columns. The first one names the row. */
  readonly rows: readonly (readonly Child[])[];
}) {
  const heads = columns.map((column) => ({
    label: column.replace('#', ''),
    kind: column.startsWith('#') ? 'number' : undefined,
  }));
  return (
    <section class="scroll cards" aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map(({ label, kind }) => (
              <th scope="col" class={kind}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others]) => (
            <tr>
              <th scope="row">{first}</th>
              {others.map((cell, index) => (
                <td data-label={heads[index + 1]?.label} class={heads[index + 1]?.kind}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
