import { describe, expect, test } from 'vitest';
import { spanAt } from '../../src/core/time.ts';

// Other tests know zones by their first names: what is remembered of these second ones is this test's alone.
const SPRING_MS = Date.parse('2026-03-08T10:00:00Z');
const AUTUMN_MS = Date.parse('2026-11-01T09:00:00Z');

/** The middle of a summer in the north. */
const summer = (year: number) => Date.UTC(year, 6, 1);

describe('a span between two changes of clocks', () => {
  test('lasts from the one to the other, of which the later begins the next', () => {
    expect(spanAt(SPRING_MS, 'US/Pacific')).toEqual({
      fromMs: SPRING_MS,
      untilMs: AUTUMN_MS,
      offsetMs: -7 * 3_600_000,
      offset: '-07:00',
    });
    expect(spanAt(AUTUMN_MS, 'US/Pacific')).toMatchObject({ fromMs: AUTUMN_MS, offset: '-08:00' });
    expect(spanAt(SPRING_MS - 1, 'US/Pacific')).toMatchObject({
      untilMs: SPRING_MS,
      offset: '-08:00',
    });
  });

  test('is looked up once, whichever instant of it is asked for', () => {
    const span = spanAt(summer(2026), 'US/Mountain');
    for (const atMs of [span.fromMs, span.fromMs + 1, span.untilMs - 1]) {
      expect(spanAt(atMs, 'US/Mountain')).toBe(span);
    }
  });

  test('is known anew at the instant that begins it', () => {
    const first = spanAt(summer(2026), 'US/Central');
    const second = spanAt(first.untilMs, 'US/Central');
    expect(second.fromMs).toBe(first.untilMs);
    expect(spanAt(second.fromMs, 'US/Central')).toBe(second);
  });

  test('is remembered among sixteen of its zone; the one that was looked up first is forgotten', () => {
    const years = Array.from({ length: 16 }, (_, index) => 2010 + index);
    const spans = years.map((year) => spanAt(summer(year), 'US/Eastern'));
    expect(new Set(spans).size).toBe(16);
    years.forEach((year, index) => {
      expect(spanAt(summer(year), 'US/Eastern')).toBe(spans[index]);
    });
    spanAt(summer(2026), 'US/Eastern');
    expect(spanAt(summer(2011), 'US/Eastern')).toBe(spans[1]);
    const again = spanAt(summer(2010), 'US/Eastern');
    expect(again).not.toBe(spans[0]);
    expect(again).toEqual(spans[0]);
  });
});
