import { vi } from 'vitest';

/**
 * Waits until a check passes, and returns what it does: for so long that only what never comes is missed, however busy
 * the machine is.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}
