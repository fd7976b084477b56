import valid from 'card-validator';
import passesLuhn from 'card-validator/dist/luhn-10.js';

/** The parts of a card number that the service may store. It never stores the number itself. */
export interface CardFacts {
  /** Lower-case brand kind, such as `visa` or `amex`. */
  readonly brand: string;
  readonly last4: string;
  /** Every digit but the last three as X, in the brand's groups joined by dashes. */
  readonly masked: string;
}

const SHORTEST = 12;
const LONGEST = 19;

/** By default the library skips the Luhn check for UnionPay. */
const EVERY_BRAND = { luhnValidateUnionPay: true };

/**
 * The storable parts of a card number. Ignores spaces and dashes. Null when the Luhn check fails, or when the brand
 * or its length is wrong.
 */
export function cardFacts(cardNumber: string): CardFacts | null {
  const digits = withoutSeparators(cardNumber);
  const verdict = valid.number(digits, EVERY_BRAND);
  if (!verdict.isValid || verdict.card === null) return null;
  const brand = brandSlug(verdict.card.type);
  return { brand, last4: digits.slice(-4), masked: mask(digits, brand) };
}

/** The same facts when an acquirer reports only brand and last four digits. The brand gives the length. */
export function factsOfLastDigits(brand: string, last4: string): CardFacts {
  const hidden = '0'.repeat(lengthOf(brand) - last4.length);
  return { brand, last4, masked: mask(`${hidden}${last4}`, brand) };
}

function lengthOf(brand: string): number {
  if (brand === 'amex') return 15;
  return brand === 'diners' ? 14 : 16;
}

/** The brand as bookings show it: `visa` becomes `Visa`. */
export function capitalisedBrand(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}

/**
 * Whether a text contains a valid card number. Ignores spaces and dashes, and searches inside every run of digits,
 * because other digits can surround the number. A false alarm makes the caller reword; a miss stores a card number.
 */
export function holdsCardNumber(text: string): boolean {
  return (withoutSeparators(text).match(/\d{12,}/g) ?? []).some(runHoldsCardNumber);
}

function runHoldsCardNumber(run: string): boolean {
  for (let start = 0; start + SHORTEST <= run.length; start += 1) {
    for (let length = SHORTEST; length <= LONGEST && start + length <= run.length; length += 1) {
      const part = run.slice(start, start + length);
      // Luhn's check first: it is quick and rejects nine parts in ten.
      if (passesLuhn(part) && valid.number(part, EVERY_BRAND).isValid) return true;
    }
  }
  return false;
}

function withoutSeparators(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, '');
}

function brandSlug(type: string): string {
  if (type === 'american-express') return 'amex';
  if (type === 'diners-club') return 'diners';
  return type;
}

function mask(digits: string, brand: string): string {
  const hidden = 'X'.repeat(digits.length - 3) + digits.slice(-3);
  if (brand === 'amex') return hidden.replace(/(.{4})(.{6})/, '$1-$2-');
  return hidden.replace(/.{4}(?=.)/g, '$&-');
}
