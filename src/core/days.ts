import { DAY_MS, type IsoDate } from './time.ts';

export function daysBetween(from: IsoDate, until: IsoDate): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MS;
}

export function nightsBetween(from: IsoDate, until: IsoDate): IsoDate[] {
  return Array.from({ length: Math.max(0, daysBetween(from, until)) }, (_, index) =>
    new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
  );
}

export function wholeWeeksOf(nights: number): number {
  return Math.ceil(nights / 7);
}
