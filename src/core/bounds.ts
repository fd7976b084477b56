import {
  addDays,
  type IsoDate,
  instantOf,
  parseDayMonthYear,
  parseIsoDate,
  startOfDayMs,
} from './time.ts';

/** A bound of time: a local day of the property, or an instant. */
export type Bound = { readonly day: IsoDate } | { readonly atMs: number };

/** Reads a day, `YYYY-MM-DD` or `DD-MM-YYYY`, or a time with offset; null for anything else. */
export function boundOf(text: string): Bound | null {
  const day = parseIsoDate(text) ?? parseDayMonthYear(text);
  if (day !== null) return { day };
  const atMs = instantOf(text);
  return atMs === null ? null : { atMs };
}

/** Where a span begins, or ends: a day begins at its first instant, and ends at that of the next one. */
export function instantOfBound(bound: Bound, end: 'begins' | 'ends', timeZone: string): number {
  if ('atMs' in bound) return bound.atMs;
  return startOfDayMs(end === 'ends' ? addDays(bound.day, 1) : bound.day, timeZone);
}

/** Whether the end of a span comes before its beginning. The instant after a day is no longer in it. */
export function endsBefore(to: Bound, beforeMs: number, fromMs: number): boolean {
  return 'day' in to ? beforeMs <= fromMs : beforeMs < fromMs;
}
