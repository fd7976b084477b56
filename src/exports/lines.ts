import type { PageRow } from './pages.ts';
import type { Variant } from './variants.ts';

/** Characters that JSON allows inside texts, but that some readers take for the end of a line. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/**
 * What one row adds to a file. `openCustomer` is the customer whose line has begun and not ended yet; in the
 * application-console file every row is a line.
 */
export function textOf(variant: Variant, row: PageRow, openCustomer: number | null): string {
  return escaped(
    variant === 'applicationConsole' ? `${row.text}\n` : customerText(row, openCustomer),
  );
}

function customerText(row: PageRow, openCustomer: number | null): string {
  if (row.customerId === openCustomer) return `,${row.text}`;
  if (row.head === null) throw new Error('the page has no beginning for a line');
  return `${endOf(openCustomer)}${row.head}[${row.text}`;
}

/** What ends the line that is open, if one is. */
export function endOf(openCustomer: number | null): string {
  return openCustomer === null ? '' : ']}\n';
}

function escaped(text: string): string {
  return text.replace(
    LINE_ENDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
