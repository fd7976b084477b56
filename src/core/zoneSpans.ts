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
  const zoned = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
  // A change at exactly this instant counts as past.
  const last = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const next = zoned.getTimeZoneTransition('next');
  return {
    fromMs: last?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    untilMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: zoned.offsetNanoseconds / 1_000_000,
    offset: zoned.toString({ timeZoneName: 'never' }).slice(-6),
  };
}
