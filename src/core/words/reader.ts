import { day, days, instant, moneyIn, personName } from '../format.ts';
import type { IsoDate } from '../time.ts';
import { type Language, type Words, wordsOf } from './words.ts';

/** For whom something is written: their words, and how they read amounts, days and times. */
export interface Reader {
  readonly words: Words;
  /** An amount with its currency's sign, or its code where others have the same sign. */
  readonly money: (amountMinor: number, currency: string) => string;
  /** A guest, as the language names and addresses people. */
  readonly guest: (names: GuestNames) => string;
  readonly day: (date: IsoDate) => string;
  /** From one day to another: `14–17 February 2027`. */
  readonly days: (from: IsoDate, to: IsoDate) => string;
  readonly instant: (atMs: number, timeZone: string) => string;
}

interface GuestNames {
  readonly firstName: string | null;
  readonly lastName: string;
}

export function readerOf(language: Language): Reader {
  const words = wordsOf(language);
  const { locale } = words;
  return {
    words,
    money: (amountMinor, currency) => moneyIn(locale, amountMinor, currency),
    guest: ({ firstName, lastName }) =>
      words.booking.guestName({ name: personName(firstName, lastName) }),
    day: (date) => day(date, locale),
    days: (from, to) => days(from, to, 'long', locale),
    instant: (atMs, timeZone) => instant(atMs, timeZone, locale),
  };
}

export const englishReader = readerOf('en');
