import { DAY_MS, HOUR_MS } from '../../core/time.ts';

/** Stands in the document for where it is served. */
export const BASE_URL = 'https://base-url.invalid';

/** Times in the examples of requests: `{hours:24}`, `{day:30}`, `{dayFirst:30}` and `{year:3}` are so far ahead. */
const AHEAD = /\{(hours|day|dayFirst|year):(-?\d+)\}/g;

/** The document, or an example in it, as it is served at `baseUrl` at `nowMs`. */
export function filledIn(text: string, baseUrl: string, nowMs: number): string {
  return text
    .replaceAll(BASE_URL, () => baseUrl)
    .replace(AHEAD, (_, unit: string, count: string) => timeAhead(unit, Number(count), nowMs));
}

function timeAhead(unit: string, count: number, nowMs: number): string {
  const day = new Date(nowMs + count * DAY_MS).toISOString().slice(0, 10);
  switch (unit) {
    case 'hours':
      return new Date(nowMs + count * HOUR_MS).toISOString();
    case 'day':
      return day;
    case 'dayFirst':
      return day.split('-').toReversed().join('-');
    default:
      return String(new Date(nowMs).getUTCFullYear() + count);
  }
}
