import { DAY_MS } from '../../src/core/time.ts';

/** The instant so many days from now, as the interface takes it. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}
