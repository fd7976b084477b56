import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withTimeout } from '../../src/core/timeout.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a promise in time gives its value, and a late one what onTimeout returns', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const onTimeout = vi.fn(() => 'late');
  const short = withTimeout(promise, 100, onTimeout);
  const long = withTimeout(promise, 200, onTimeout);
  await vi.advanceTimersByTimeAsync(150);
  resolve('in time');
  expect(await short).toBe('late');
  expect(await long).toBe('in time');
  expect(onTimeout).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a promise that rejects in time hands on its error and leaves no timer behind', async () => {
  const lost = Promise.reject(new Error('lost'));
  await expect(withTimeout(lost, 100, () => null)).rejects.toThrow('lost');
  expect(vi.getTimerCount()).toBe(0);
});

test('a promise that rejects too late is no unhandled rejection', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  const late = withTimeout(promise, 100, () => null);
  await vi.advanceTimersByTimeAsync(100);
  reject(new Error('lost'));
  expect(await late).toBeNull();
  await vi.advanceTimersByTimeAsync(0);
});
