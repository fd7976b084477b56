/**
 * A complete statement text has at most 22 characters: the account's prefix with at most 10, an asterisk, a space and
 * the suffix. So this many always fit.
 */
const LONGEST_SUFFIX = 10;

/** Letters that do not fall apart into a Latin letter and a mark. */
const SPELT_OUT: Readonly<Record<string, string>> = {
  Æ: 'Ae',
  æ: 'ae',
  Œ: 'Oe',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Đ: 'D',
  đ: 'd',
  Ł: 'L',
  ł: 'l',
  ß: 'ss',
};

/**
 * A name as the end of a card statement's text (stripe: What people read). Stripe takes Latin characters other than
 * `< > \ ' " *`, at least one letter among them. Null if nothing useful remains.
 */
export function statementSuffix(name: string): string | null {
  const latin = name
    .replace(/[ÆæŒœØøĐđŁłß]/g, (letter) => SPELT_OUT[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|[<>\\'"*]/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  const suffix = latin.slice(0, LONGEST_SUFFIX).trim();
  return /[A-Za-z]/.test(suffix) ? suffix : null;
}
