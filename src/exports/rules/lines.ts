import type { PageRow } from '../pages.ts';
import type { Variant } from './variants.ts';

/** Characters that JSON allows in strings but some readers treat as line ends. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/**
 * The text that a row adds to a file. `openCustomer` is the customer whose line is not ended yet. In the
 * application-console file, each row is a line.
 */
export function textOf(variant: Variant, row: PageRow, openCustomer: number | null): string {
  return escaped(
    variant === 'applicationConsole' ? `${row.text}\n` : customerText(row, openCustomer),
  );
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
