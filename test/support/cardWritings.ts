/** The ways in which people and machines write a card number into a text. */

/** A way of writing, by its name. */
export interface Writing {
  readonly name: string;
  readonly write: (number: string) => string;
  /**
   * Its groups of digits are not those of a card. Free texts may not hold it; identifiers, phone and confirmation
   * numbers may (interface: Card numbers).
   */
  readonly otherGroups?: boolean;
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
  ') (',
  '\u2212',
  '\u2013',
  '\u2044',
  '\u00ad',
  '\u200b',
  '\u200d',
  '\u00a0',
  '\u2009',
  '\u3000',
  // The dash of a Japanese keyboard, which Unicode calls a letter.
  '\u30fc',
  '💳',
];

/** Writings with groups of four digits, one for each separator. */
const inGroups: readonly Writing[] = SEPARATORS.map((separator) => ({
  name: `groups with U+${separator.codePointAt(0)?.toString(16)}`,
  write: (number) => number.replace(/.{4}(?=.)/g, `$&${separator}`),
}));

/** More than twenty-five writings. All of them have one line and no control character. */
export const writings: readonly Writing[] = [
  { name: 'plain', write: (number) => number },
  ...inGroups,
  {
    name: 'each digit alone',
    write: (number) => Array.from(number).join(' '),
    otherGroups: true,
  },
  { name: 'several separators', write: (number) => number.replace(/.{4}(?=.)/g, '$& - ') },
  {
    name: 'unequal groups',
    write: (number) => number.replace(/^(.)(.{5})(.{6})/, '$1-$2.$3/'),
    otherGroups: true,
  },
  { name: 'full width', write: (number) => inScript(number, 0xff10) },
  { name: 'Arabic', write: (number) => inScript(number, 0x0660) },
  { name: 'Devanagari', write: (number) => inScript(number, 0x0966) },
  { name: 'mathematical', write: (number) => inScript(number, 0x1d7ec) },
  { name: 'raised', write: (number) => inDigits(number, '⁰¹²³⁴⁵⁶⁷⁸⁹') },
  { name: 'lowered', write: (number) => inDigits(number, '₀₁₂₃₄₅₆₇₈₉') },
  { name: 'circled', write: (number) => inDigits(number, '⓪①②③④⑤⑥⑦⑧⑨') },
  {
    name: 'keycaps',
    write: (number) => Array.from(number, (digit) => `${digit}\ufe0f\u20e3`).join(''),
    otherGroups: true,
  },
];

/** The digits of another script, whose zero has this code point. */
export function inScript(number: string, zero: number): string {
  return Array.from(number, (digit) => String.fromCodePoint(zero + Number(digit))).join('');
}

function inDigits(number: string, digits: string): string {
  return Array.from(number, (digit) => digits.charAt(Number(digit))).join('');
}
