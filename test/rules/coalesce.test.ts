/** Which notification of a receiver is the one that goes out. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Coalescing } from '../../src/delivery/coalesce.ts';

const AT_MS = Date.UTC(2027, 1, 14);

beforeEach(() => {
  vi.useFakeTimers({ now: AT_MS });
});

afterEach(() => {
  vi.useRealTimers();
});

test('the first of a few milliseconds goes out, for each receiver', () => {
  const notifications = new Coalescing();
  expect(notifications.isFirst('one')).toBe(true);
  expect(notifications.isFirst('one')).toBe(false);
  expect(notifications.isFirst('other')).toBe(true);
});

test('a notification that was lost covers no later ones', () => {
  const notifications = new Coalescing();
  expect(notifications.isFirst('one')).toBe(true);
  vi.setSystemTime(AT_MS + 20);
  expect(notifications.isFirst('one')).toBe(true);
});

test('a clock that is set back silences no receiver', () => {
  const notifications = new Coalescing();
  vi.setSystemTime(AT_MS + 86_400_000);
  expect(notifications.isFirst('one')).toBe(true);
  vi.setSystemTime(AT_MS);
  expect(notifications.isFirst('one')).toBe(true);
  expect(notifications.isFirst('one')).toBe(false);
});
