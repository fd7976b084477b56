import { vi } from 'vitest';

/** How long tests wait: only what never comes is missed, however busy the machine is. */
export const PATIENCE_MS = 300_000;

/** Waits until a check passes, and returns what it does. It is tried every `interval` milliseconds. */
export function eventually<T>(check: () => T | Promise<T>, interval = 20): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval });
}
