import { foldedTogether, foldedWords, fromItsEnd } from '../../../core/foldedWords.ts';
import type { BookingRow } from '../../../schema/bookingTables.ts';

/** The most words of one booking, and the most characters of a word: more would find nothing better. */
const MOST_WORDS = 16;
const LONGEST = 32;

/**
 * The words that find a booking by their beginnings, each after a space: those of its guest's names, its reference, and
 * the ends of that and of the phone number.
 */
export function searchWordsOf({
  firstName,
  lastName,
  phone,
  reference,
}: Pick<BookingRow, 'firstName' | 'lastName' | 'phone' | 'reference'>): string {
  const name = `${firstName ?? ''} ${lastName}`;
  const number = foldedWords(reference).join('');
  const digits = (phone ?? '').replaceAll(/\D/g, '');
  const words = [
    number,
    ...(number === '' ? [] : [fromItsEnd(number)]),
    ...(digits === '' ? [] : [fromItsEnd(digits)]),
    ...foldedWords(name),
    ...foldedTogether(name),
  ].filter((word) => word !== '');
  const kept = [...new Set(words)].slice(0, MOST_WORDS);
  return kept.map((word) => ` ${[...word].slice(0, LONGEST).join('')}`).join('');
}
