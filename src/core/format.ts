import { Temporal } from 'temporal-polyfill';
import { decimalText } from './money.ts';
import type { IsoDate } from './time.ts';

/** The language of pages and messages. */
const LANGUAGE = 'en-GB';

/** An amount for people, with the currency code: `AUD 1,234.50`. */
export function money(amountMinor: number, currency: string): string {
  return `${currency}\u00a0${figures(amountMinor, currency)}`;
}

/** An amount for people where the currency is named beside it: `1,234.50`. */
export function figures(amountMinor: number, currency: string): string {
  const text = decimalText(amountMinor, currency);
  const decimals = text.split('.')[1]?.length ?? 0;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  // Format the text: converting it to a number first could lose digits.
  return new Intl.NumberFormat(LANGUAGE, digits).format(text as Intl.StringNumericLiteral);
}

/** An amount for a form field: `1234.50`. */
export function plainMoney(amountMinor: number, currency: string): string {
  return decimalText(amountMinor, currency);
}

/** A day: `14 February 2027`. */
export function day(date: IsoDate): string {
  return Temporal.PlainDate.from(date).toLocaleString(LANGUAGE, { dateStyle: 'long' });
}

/** An instant in a property's zone: `14 Feb 2027, 15:00`. */
export function instant(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat(LANGUAGE, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  }).format(atMs);
}

/** Days in few letters: `14 Feb 2027`, `8–14 Feb 2027`. */
export function days(from: IsoDate, to: IsoDate): string {
  const format = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone: 'UTC' });
  return format.formatRange(new Date(from), new Date(to));
}

/** A day with its weekday: `Sun, 14 Feb 2027`. */
export function weekday(date: IsoDate): string {
  return Temporal.PlainDate.from(date).toLocaleString(LANGUAGE, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
}

/** A share from 0 to 1 in per cent: `96.4 %`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}\u00a0%`;
}
