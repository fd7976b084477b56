import { DAY_MS } from '../../src/core/time.ts';

/** The instant so many days from now, as the interface takes it. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

/** A month from now on, as cards have it, and the instant at which it ends in Perth. */
export function monthAhead(months: number): { readonly text: string; readonly endsAtMs: number } {
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  const text = `${String(first.getUTCMonth() + 1).padStart(2, '0')}/${first.getUTCFullYear()}`;
  const next = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1);
  return { text, endsAtMs: next - 8 * 3_600_000 };
}
