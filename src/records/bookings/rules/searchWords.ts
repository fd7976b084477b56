import { foldedTogether, foldedWords, fromItsEnd } from '../../../core/foldedWords.ts';
import type { BookingRow } from '../../../schema/bookingTables.ts';

/** The most words of one booking, and the most characters of a word: more would find nothing better. */
const MOST_WORDS = 16;
const LONGEST = 32;

/** The words that find a booking, each after a space: its reference, its phone number, and its guest's names. */
export function searchWordsOf({
  firstName,
  lastName,
  phone,
  reference,
}: Pick<BookingRow, 'firstName' | 'lastName' | 'phone' | 'reference'>): string {
  const name = `${firstName ?? ''} ${lastName}`;
  const number = foldedWords(reference).join('');
  const digits = (phone ?? '').replaceAll(/\D/g, '');
  const names = [...foldedWords(name), ...foldedTogether(name)];
  // Whatever the first name is, the list finds the booking by the last one.
  const first = [number, digits, ...foldedWords(lastName), ...names].filter((word) => word !== '');
  const most = new Set([...new Set(first)].slice(0, MOST_WORDS));
  const kept = new Set([number, digits, ...names].filter((word) => most.has(word)));
  return [...kept].map((word) => ` ${shortened(word)}`).join('');
}

/** The words of which an index has one for each booking of a last name; none for a name of signs alone. */
export function wordsOfLastName(lastName: string): string[] {
  return foldedWords(lastName)
    .slice(0, 1)
    .map(shortened)
    .flatMap((word) => [word, fromItsEnd(word)]);
}

/** At most so many characters of a word. */
function shortened(word: string): string {
  return Array.from(word).slice(0, LONGEST).join('');
}

/**
 * The words by which an index finds a booking: names by their beginnings, the reference and the phone number by their
 * ends. References are found by their beginnings too, by the key of bookings.
 */
export function lookUpWordsOf(booking: {
  readonly reference: string;
  readonly phone: string | null;
  readonly searchWords: string;
}): string[] {
  const numbers = [
    foldedWords(booking.reference).join(''),
    (booking.phone ?? '').replaceAll(/\D/g, ''),
  ].map(shortened);
  const words = booking.searchWords.split(' ').filter((word) => word !== '');
  return words.map((word) => (numbers.includes(word) ? fromItsEnd(word) : word));
}
