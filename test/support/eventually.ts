import { vi } from 'vitest';

/** Waits until a check passes: for so long that only what never comes is missed, however busy the machine is. */
export function eventually(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}
