/** The ways in which people and machines write a card number into a text. */

/** A way of writing, by its name. */
export interface Writing {
  readonly name: string;
  readonly write: (number: string) => string;
}

const SEPARATORS = [
  ' ',
  '-',
  '.',
  '/',
  '_',
  ',',
  '*',
  '+',
  '·',
  '|',
  '\u2212',
  '\u2013',
  '\u00ad',
  '\u200b',
  '\u00a0',
  '💳',
];

/** Writings with groups of four digits, one for each separator. */
const inGroups: readonly Writing[] = SEPARATORS.map((separator) => ({
  name: `groups with U+${separator.codePointAt(0)?.toString(16)}`,
  write: (number) => number.replace(/.{4}(?=.)/g, `$&${separator}`),
}));

/** Twenty-five writings. All of them have one line and no control character. */
export const writings: readonly Writing[] = [
  { name: 'plain', write: (number) => number },
  ...inGroups,
  { name: 'each digit alone', write: (number) => Array.from(number).join(' ') },
  { name: 'several separators', write: (number) => number.replace(/.{4}(?=.)/g, '$& - ') },
  { name: 'unequal groups', write: (number) => number.replace(/^(.)(.{5})(.{6})/, '$1-$2.$3/') },
  { name: 'full width', write: (number) => inScript(number, 0xff10) },
  { name: 'Arabic', write: (number) => inScript(number, 0x0660) },
  { name: 'Devanagari', write: (number) => inScript(number, 0x0966) },
  { name: 'mathematical', write: (number) => inScript(number, 0x1d7ec) },
  { name: 'raised', write: (number) => Array.from(number, raised).join('') },
];

/** The digits of another script, whose zero has this code point. */
export function inScript(number: string, zero: number): string {
  return Array.from(number, (digit) => String.fromCodePoint(zero + Number(digit))).join('');
}

function raised(digit: string): string {
  return '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit));
}
