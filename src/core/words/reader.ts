import { day, instant, money } from '../format.ts';
import type { IsoDate } from '../time.ts';
import { type Language, type Words, wordsOf } from './words.ts';

/** For whom something is written: their words, and how they read amounts, days and times. */
export interface Reader {
  readonly words: Words;
  /** An amount with its currency's code. */
  readonly money: (amountMinor: number, currency: string) => string;
  readonly day: (date: IsoDate) => string;
  readonly instant: (atMs: number, timeZone: string) => string;
}

export function readerOf(language: Language): Reader {
  const words = wordsOf(language);
  const { locale } = words;
  return {
    words,
    money: (amountMinor, currency) => money(amountMinor, currency, locale),
    day: (date) => day(date, locale),
    instant: (atMs, timeZone) => instant(atMs, timeZone, locale),
  };
}

export const englishReader = readerOf('en');
