import { expect, test, vi } from 'vitest';
import { retryWhenStale, StaleState } from '../../src/platform/db/retryWhenStale.ts';

const isStale = (error: unknown) => error instanceof StaleState;

/** Fails with these errors, one a call, and then succeeds. */
function failing(...errors: readonly Error[]) {
  const attempt = vi.fn(async () => 'done');
  for (const error of errors) attempt.mockRejectedValueOnce(error);
  return attempt;
}

test('tries again while the state is stale, and returns what the last attempt returned', async () => {
  const attempt = failing(new StaleState(), new StaleState());
  expect(await retryWhenStale({ attempts: 3, isStale }, attempt)).toBe('done');
  expect(attempt).toHaveBeenCalledTimes(3);
});

test('throws what the last attempt threw', async () => {
  const attempt = failing(new StaleState('first'), new StaleState('second'));
  await expect(retryWhenStale({ attempts: 2, isStale }, attempt)).rejects.toThrow('second');
  expect(attempt).toHaveBeenCalledTimes(2);
});

test('throws any other error at once', async () => {
  const attempt = failing(new Error('D1 gave no verdict'));
  await expect(retryWhenStale({ attempts: 3, isStale }, attempt)).rejects.toThrow('no verdict');
  expect(attempt).toHaveBeenCalledTimes(1);
});
