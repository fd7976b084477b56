import * as formats from '../core/format.ts';
import type { IsoDate } from '../core/time.ts';
import { words } from './words.ts';

// Amounts, days and times as `core/format.ts` writes them, in the language of the request that is answered.

export function money(amountMinor: number, currency: string): string {
  return formats.money(amountMinor, currency, words.locale);
}

export function figures(amountMinor: number, currency: string): string {
  return formats.figures(amountMinor, currency, words.locale);
}

export function shortAmount(amountMinor: number, currency: string): string {
  return formats.shortAmount(amountMinor, currency, words.locale);
}

export function percent(share: number): string {
  return formats.percent(share, words.locale);
}

export function day(date: IsoDate): string {
  return formats.day(date, words.locale);
}

export function days(from: IsoDate, to: IsoDate): string {
  return formats.days(from, to, 'medium', words.locale);
}

export function weekday(date: IsoDate): string {
  return formats.weekday(date, words.locale);
}

export function instant(atMs: number, timeZone: string): string {
  return formats.instant(atMs, timeZone, words.locale);
}

export function zonedInstant(atMs: number, timeZone: string): string {
  return formats.zonedInstant(atMs, timeZone, words.locale);
}
