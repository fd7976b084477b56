/**
 * Returns the promise's value, or the result of `onTimeout` after `milliseconds`. Passes on a rejection before the
 * timeout and ignores a later one. Always clears the timer.
 */
export async function withTimeout<T, Late>(
  promise: Promise<T>,
  milliseconds: number,
  onTimeout: () => Late,
): Promise<T | Late> {
  const timeout = Promise.withResolvers<Late>();
  const timer = setTimeout(() => timeout.resolve(onTimeout()), milliseconds);
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
