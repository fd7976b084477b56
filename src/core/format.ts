import { getOrInsertComputed } from './getOrInsertComputed.ts';
import { LruCache } from './lruCache.ts';
import { decimalText, storedExponent, toDecimal } from './money.ts';
import type { IsoDate } from './time.ts';
import { typableAmount } from './typedAmount.ts';

/** The locale of messages, and of texts for staff where nothing says another. */
const ENGLISH = 'en-GB';

/** How many formats are kept: to make one takes many times as long as to use it. */
const MOST_FORMATS = 100;

const numberFormats = new LruCache<Intl.NumberFormat>(MOST_FORMATS);
const dateFormats = new LruCache<Intl.DateTimeFormat>(MOST_FORMATS);

function numberFormat(locale: string, look: Intl.NumberFormatOptions): Intl.NumberFormat {
  const make = () => new Intl.NumberFormat(locale, look);
  return getOrInsertComputed(numberFormats, JSON.stringify([locale, look]), make);
}

function dateFormat(locale: string, look: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const make = () => new Intl.DateTimeFormat(locale, look);
  return getOrInsertComputed(dateFormats, JSON.stringify([locale, look]), make);
}

/** An amount for staff, with the currency's code: `AUD 1,234.50`. */
export function money(amountMinor: number, currency: string, locale = ENGLISH): string {
  const look = { style: 'currency', currency, currencyDisplay: 'code' } as const;
  return shown(decimalText(amountMinor, currency), locale, look);
}

/**
 * An amount as people write it in their language: `1.234,50 €` in German, `¥84,000` in English. Dollars and pesos, whose
 * sign is that of many currencies, have their code: `AUD 1,234.50`.
 */
export function moneyIn(locale: string, amountMinor: number, currency: string): string {
  const look = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  // British English tells the yen from the yuan by letters, which guests do not write.
  const spoken = locale === ENGLISH ? 'en' : locale;
  const parts = numberFormat(spoken, look).formatToParts(0);
  const isShared = parts.some(({ type, value }) => type === 'currency' && value === '$');
  const currencyDisplay = isShared ? 'code' : 'symbol';
  return shown(decimalText(amountMinor, currency), spoken, { ...look, currencyDisplay });
}

/** What people write in characters that put the family's name first. */
const FAMILY_FIRST =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー・\s]+$/u;

/** A person's name as it is written where they come from: `Ana Nguyen`, but `山田 太郎`. */
export function personName(firstName: string | null, lastName: string): string {
  const names = [firstName, lastName].filter(Boolean);
  const isFamilyFirst = names.every((name) => FAMILY_FIRST.test(name ?? ''));
  return (isFamilyFirst ? names.toReversed() : names).join(' ');
}

/** An amount for people where the currency is named beside it: `1,234.50`. */
export function figures(amountMinor: number, currency: string, locale = ENGLISH): string {
  return shown(decimalText(amountMinor, currency), locale, {});
}

/** With a minus sign, at which lines do not break, as they do after a hyphen. */
function shown(text: string, locale: string, look: Intl.NumberFormatOptions): string {
  return written(text, locale, look).replace('-', '−');
}

function written(text: string, locale: string, look: Intl.NumberFormatOptions): string {
  const decimals = text.split('.')[1]?.length ?? 0;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = numberFormat(locale, { ...look, ...digits });
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
  return dateFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}

/** An instant in a property's zone: `14 Feb 2027, 15:00`. */
export function instant(atMs: number, timeZone: string, locale = ENGLISH): string {
  return dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  }).format(atMs);
}

/** An instant in a zone, with the zone's name: `14 Feb 2027, 15:00 GMT+8`. */
export function zonedInstant(atMs: number, timeZone: string, locale = ENGLISH): string {
  return dateFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(atMs);
}

/** A text of whatever direction, so that it leaves the order of the words around it alone. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** Days in few letters: `14 Feb 2027`, `8–14 Feb 2027`; months whole where they are `long`. */
export function days(
  from: IsoDate,
  to: IsoDate,
  dateStyle: 'medium' | 'long' = 'medium',
  locale = ENGLISH,
): string {
  const format = dateFormat(locale, { dateStyle, timeZone: 'UTC' });
  return from === to
    ? format.format(new Date(from))
    : format.formatRange(new Date(from), new Date(to));
}

/** A day with its weekday: `Sun, 14 Feb 2027`. */
export function weekday(date: IsoDate, locale = ENGLISH): string {
  return dateFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(date));
}

/** An amount in few characters, without its currency: `1.5k`. */
export function shortAmount(amountMinor: number, currency: string, locale = ENGLISH): string {
  const amount = toDecimal(amountMinor, storedExponent(currency));
  return numberFormat(locale, { notation: 'compact' }).format(amount);
}

/** A share from 0 to 1 in per cent: `96.4 %`. */
export function percent(share: number, locale = ENGLISH): string {
  return `${written((share * 100).toFixed(1), locale, {})}\u00a0%`;
}
