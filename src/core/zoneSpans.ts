import { Temporal } from 'temporal-polyfill';

/** A time between two changes of a zone's clocks. */
interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
  /** How far local clocks are ahead of UTC. */
  readonly offsetMs: number;
  /** The same as ISO 8601 writes it: `+08:00`. */
  readonly offset: string;
}

/** How many spans of a zone are kept: half a year each, mostly. */
const MOST_SPANS = 16;

const known = new Map<string, Span[]>();

/**
 * How far a zone's clocks are from UTC at an instant. Looking that up is most of what writing a timestamp costs, so it is
 * done once for all the time until the clocks change. Throws a `RangeError` for a zone that does not exist.
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
  const zoned = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
  // A change in this very instant counts as one before it.
  const last = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const next = zoned.getTimeZoneTransition('next');
  return {
    fromMs: last?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    untilMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: zoned.offsetNanoseconds / 1_000_000,
    offset: zoned.toString({ timeZoneName: 'never' }).slice(-6),
  };
}
