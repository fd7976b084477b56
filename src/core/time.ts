import { getISO } from 'temporal-polyfill/fns/Calendar';
import * as Instant from 'temporal-polyfill/fns/Instant';
import * as PlainDate from 'temporal-polyfill/fns/PlainDate';
import * as PlainDateTime from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A calendar date as `YYYY-MM-DD`: dates are stored and compared in this form. */
export type IsoDate = string;

/** A day, to reckon with. Throws for another form, or a day that does not exist. */
export function plainDate(day: IsoDate): PlainDate.Record {
  return PlainDate.fromString(day, getISO);
}

function zonedAt(atMs: number, timeZone: string): ZonedDateTime.Record {
  return Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(atMs), timeZone);
}

/** Whether `zone` is an IANA time zone that this runtime knows; fixed offsets are not zones. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    zonedAt(0, zone);
    return true;
  } catch {
    return false;
  }
}

/** Reads a `d-m-Y` date such as `13-02-2026`; null for another shape or a day that does not exist. */
export function parseDayMonthYear(text: string): IsoDate | null {
  const parts = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text);
  return parts ? existingDate(`${parts[3]}-${parts[2]}-${parts[1]}`) : null;
}

/** Reads a `YYYY-MM-DD` date; null for another shape or a day that does not exist. */
export function parseIsoDate(text: string): IsoDate | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? existingDate(text) : null;
}

/** Writes a stored date as `d-m-Y`. */
export function formatDayMonthYear(date: IsoDate): string {
  return date.split('-').toReversed().join('-');
}

/** A property's local time without offset, `YYYY-MM-DD HH:MM:SS` (interface: Times). */
export function localTimestamp(atMs: number, timeZone: string): string {
  return localTime(atMs, timeZone).replace('T', ' ');
}

/** ISO 8601 with the property's offset at that instant (interface: Times). */
export function offsetTimestamp(atMs: number, timeZone: string): string {
  const { offset, offsetMs } = spanAt(atMs, timeZone);
  return isoSecond(atMs + offsetMs) + offset;
}

/** The same to the millisecond. Whole seconds are written without a fraction. */
export function exactTimestamp(atMs: number, timeZone: string): string {
  const { offset, offsetMs } = spanAt(atMs, timeZone);
  const exact = new Date(atMs + offsetMs).toISOString().slice(0, 23);
  return exact.replace('.000', '') + offset;
}

/** ISO 8601 in UTC, whole seconds, `Z`. */
export function utcTimestamp(atMs: number): string {
  return `${isoSecond(atMs)}Z`;
}

export function utcOrNull(atMs: number | null): string | null {
  return atMs === null ? null : utcTimestamp(atMs);
}

export function localDate(atMs: number, timeZone: string): IsoDate {
  return localTime(atMs, timeZone).slice(0, 10);
}

/** The first instant of a day in a zone. It is later than 00:00 where clocks go forward at midnight. */
export function startOfDayMs(day: IsoDate, timeZone: string): number {
  return PlainDate.toZonedDateTime(plainDate(day), timeZone).epochMilliseconds;
}

/**
 * The instant of a local time, `HH:MM`, of a day. One that does not exist is the next that does; one that exists twice is
 * the first (interface: Terms). Within the years 1 to 9999.
 */
export function localInstantMs(day: IsoDate, time: string, timeZone: string): number {
  const local = PlainDateTime.fromString(`${day}T${time}`, getISO);
  const earlier = PlainDateTime.toZonedDateTime(local, timeZone, { disambiguation: 'earlier' });
  const exists = PlainDateTime.equals(ZonedDateTime.toPlainDateTime(earlier), local);
  const found = exists
    ? earlier
    : (ZonedDateTime.getTimeZoneTransition(earlier, 'next') ?? earlier);
  return Math.min(LATEST_MS, Math.max(EARLIEST_MS, found.epochMilliseconds));
}

/** The same day `months` months later, or the last of that month. */
export function addMonths(day: IsoDate, months: number): IsoDate {
  return PlainDate.toString(PlainDate.addMonths(plainDate(day), months));
}

/** The day `days` days after another. */
export function addDays(day: IsoDate, days: number): IsoDate {
  return utcDate(Date.parse(day) + days * DAY_MS);
}

/** The day of an instant in UTC. Years after 9999 have six digits and a sign. */
export function utcDate(atMs: number): IsoDate {
  return new Date(atMs).toISOString().slice(0, -'T00:00:00.000Z'.length);
}

/** Whether the given month has ended in a zone at an instant: a card valid through 11/2026 is expired from then on. */
export function monthHasEnded(
  year: number,
  month: number,
  timeZone: string,
  atMs: number,
): boolean {
  const noLaterDay = `${year}-${String(month).padStart(2, '0')}-31`;
  return localDate(atMs, timeZone) > noLaterDay;
}

/** When the given month ends in a zone, as an instant. */
export function monthEndMs(year: number, month: number, timeZone: string): number {
  const next = PlainDate.addMonths(PlainDate.create(year, month, 1), 1);
  return PlainDate.toZonedDateTime(next, timeZone).epochMilliseconds;
}

/** The age in years, on `day`, of somebody born on `birth`. */
export function ageOn(birth: IsoDate, day: IsoDate): number {
  return PlainDate.diff(plainDate(birth), plainDate(day), { largestUnit: 'year' }).years;
}

/** What clocks in a zone show: `YYYY-MM-DDTHH:MM:SS`. */
function localTime(atMs: number, timeZone: string): string {
  return isoSecond(atMs + spanAt(atMs, timeZone).offsetMs);
}

function isoSecond(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 19);
}

function existingDate(isoDate: string): IsoDate | null {
  try {
    const date = plainDate(isoDate);
    return date.year >= 1 ? PlainDate.toString(date) : null;
  } catch {
    return null;
  }
}

/** The times of this interface in UTC: the years 1 to 9999, which every database and warehouse can store. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The instant, in milliseconds, of an ISO 8601 text with an offset or `Z`; null for another shape, a time that does
 * not exist, and one outside the years 1 to 9999 of UTC.
 */
export function instantOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text))
    return null;
  try {
    const { epochMilliseconds: atMs } = Instant.fromString(text);
    return atMs >= EARLIEST_MS && atMs <= LATEST_MS ? atMs : null;
  } catch {
    return null;
  }
}

/** The instant `years` years later, by the UTC calendar. */
export function yearsAfterMs(atMs: number, years: number): number {
  return ZonedDateTime.addYears(zonedAt(atMs, 'UTC'), years).epochMilliseconds;
}

/** The instant of a local time without offset, `2027-02-10T09:00`, in a zone; null for another shape, or no such day. */
export function localInstant(text: string, timeZone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return null;
  try {
    const local = PlainDateTime.fromString(text, getISO);
    return PlainDateTime.toZonedDateTime(local, timeZone).epochMilliseconds;
  } catch {
    return null;
  }
}

/** A time between two changes of a zone's clocks. */
interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
  /** How far local clocks are ahead of UTC. */
  readonly offsetMs: number;
  /** The same as ISO 8601 writes it: `+08:00`. */
  readonly offset: string;
}

/** The most spans to cache for a zone. Most spans last half a year. */
const MOST_SPANS = 16;

const known = new Map<string, Span[]>();

/**
 * A zone's offset from UTC at an instant. The look-up is most of the cost of formatting a timestamp, so each span is
 * looked up once and cached. Throws a `RangeError` for a zone that does not exist.
 */
export function spanAt(atMs: number, timeZone: string): Span {
  const spans = known.get(timeZone) ?? [];
  const found = spans.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
  if (found) return found;
  const span = lookUp(atMs, timeZone);
  known.set(timeZone, [span, ...spans].slice(0, MOST_SPANS));
  return span;
}

function lookUp(atMs: number, timeZone: string): Span {
  const zoned = zonedAt(atMs, timeZone);
  // A change at exactly this instant counts as past.
  const after = ZonedDateTime.addNanoseconds(zoned, 1);
  const last = ZonedDateTime.getTimeZoneTransition(after, 'previous');
  const next = ZonedDateTime.getTimeZoneTransition(zoned, 'next');
  return {
    fromMs: last?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    untilMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: ZonedDateTime.offsetNanoseconds(zoned) / 1_000_000,
    offset: ZonedDateTime.toString(zoned, { timeZoneName: 'never' }).slice(-6),
  };
}

/** The earlier of two instants, or the one that there is; null for neither. */
export function earlierOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
