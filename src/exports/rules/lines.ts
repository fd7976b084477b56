import type { PageRow } from './pages.ts';

/** Characters that JSON allows in strings but some readers treat as line ends. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/**
 * The text that a row adds to a file. `openCustomer` is the customer whose line is not ended yet. Only the
 * property-system file has such: in the others, each row is one or more whole lines.
 */
export function textOf(row: PageRow, openCustomer: number | null): string {
  return escaped(row.customerId === null ? `${row.text}\n` : customerText(row, openCustomer));
}

/** How many lines a row starts. */
export function linesStartedBy(
  { customerId, lines }: PageRow,
  openCustomer: number | null,
): number {
  if (customerId === null) return lines;
  return customerId === openCustomer ? 0 : 1;
}

function customerText(row: PageRow, openCustomer: number | null): string {
  if (row.customerId === openCustomer) return `,${row.text}`;
  if (row.head === null) throw new Error('the first row of a customer on a page has no head');
  return `${endOf(openCustomer)}${row.head}[${row.text}`;
}

/** The end of the open line; empty if none is open. */
export function endOf(openCustomer: number | null): string {
  return openCustomer === null ? '' : ']}\n';
}

function escaped(text: string): string {
  return text.replace(
    LINE_ENDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
