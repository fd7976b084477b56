import { Temporal } from 'temporal-polyfill';
import { decimalText } from './money.ts';
import type { IsoDate } from './time.ts';

/** The language of pages and messages. */
const LANGUAGE = 'en-GB';

/** An amount for people, with the currency code: `AUD 1,234.50`. */
export function money(amountMinor: number, currency: string): string {
  const text = decimalText(amountMinor, currency);
  const decimals = text.split('.')[1]?.length ?? 0;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  // Format the text: converting it to a number first could lose digits.
  const number = new Intl.NumberFormat(LANGUAGE, digits).format(text as Intl.StringNumericLiteral);
  return `${currency}\u00a0${number}`;
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
