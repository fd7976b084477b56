import { holdsCardNumber } from '../../core/cardNumbers.ts';

/** No part of a card number is as short as this; dates and amounts are. */
const MOST_DIGITS = 12;

/** What a page repeats of a text that a person typed: nothing of what may be a card number in the wrong field. */
export function repeatable(text: string, mostDigits = MOST_DIGITS): string {
  const digits = text.normalize('NFKC').replaceAll(/\P{Nd}/gu, '');
  return digits.length > mostDigits ? '' : text;
}

/** What a page repeats of a long text, where dates and amounts stay: what holds a card number has an X for each digit. */
export function withoutCards(text: string): string {
  return text.replaceAll(/[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}]+/gu, (part) =>
    holdsCardNumber(part) ? part.replaceAll(/[\p{Nd}\p{No}]/gu, 'X') : part,
  );
}

/** The most digits of an expiry date, and of a holder's name that is repeated. */
export const FEW_DIGITS = 6;
