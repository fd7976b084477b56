import { Temporal } from 'temporal-polyfill';
import { decimalText } from './money.ts';
import type { IsoDate } from './time.ts';
import { typableAmount } from './typedAmount.ts';

/** The locale of messages, and of pages for staff. */
const ENGLISH = 'en-GB';

/** An amount for people, with the currency code: `AUD 1,234.50`, or `1.234,50 AUD` in German. */
export function money(amountMinor: number, currency: string, locale = ENGLISH): string {
  const look = { style: 'currency', currency, currencyDisplay: 'code' } as const;
  return written(decimalText(amountMinor, currency), locale, look);
}

/** An amount for people where the currency is named beside it: `1,234.50`. */
export function figures(amountMinor: number, currency: string): string {
  return written(decimalText(amountMinor, currency), ENGLISH, {});
}

function written(text: string, locale: string, look: Intl.NumberFormatOptions): string {
  const decimals = text.split('.')[1]?.length ?? 0;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = new Intl.NumberFormat(locale, { ...look, ...digits });
  // Format the text: converting it to a number first could lose digits.
  return format.format(text as Intl.StringNumericLiteral);
}

/** An amount for a form field: `1234.50`. */
export function plainMoney(amountMinor: number, currency: string): string {
  return decimalText(amountMinor, currency);
}

/** An amount as a person types it, and {@link typableAmount} writes it: `1234.50`, or `1234,50` in German. */
export function typedMoney(amountMinor: number, currency: string, locale: string): string {
  return written(typableAmount(amountMinor, currency), locale, { useGrouping: false });
}

/** A day: `14 February 2027`. */
export function day(date: IsoDate, locale = ENGLISH): string {
  return Temporal.PlainDate.from(date).toLocaleString(locale, { dateStyle: 'long' });
}

/** An instant in a property's zone: `14 Feb 2027, 15:00`. */
export function instant(atMs: number, timeZone: string, locale = ENGLISH): string {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  }).format(atMs);
}

/** A text of whatever direction, so that it leaves the order of the words around it alone. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** Days in few letters: `14 Feb 2027`, `8–14 Feb 2027`. */
export function days(from: IsoDate, to: IsoDate): string {
  const format = new Intl.DateTimeFormat(ENGLISH, { dateStyle: 'medium', timeZone: 'UTC' });
  return format.formatRange(new Date(from), new Date(to));
}

/** A day with its weekday: `Sun, 14 Feb 2027`. */
export function weekday(date: IsoDate): string {
  return Temporal.PlainDate.from(date).toLocaleString(ENGLISH, {
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
