import { DAY_MS, type IsoDate } from './time.ts';

/** How many days later the second day is. */
export function daysBetween(from: IsoDate, until: IsoDate): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MS;
}

/** The nights from one day until another, which is no night of them any more. */
export function nightsBetween(from: IsoDate, until: IsoDate): IsoDate[] {
  return Array.from({ length: Math.max(0, daysBetween(from, until)) }, (_, index) =>
    new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
  );
}

/** A number of nights in weeks, to one decimal. */
export function weeksOf(nights: number): number {
  return Math.round((nights / 7) * 10) / 10;
}

/** The whole weeks that hold a number of nights. */
export function wholeWeeksOf(nights: number): number {
  return Math.ceil(nights / 7);
}
