/** The property's zone is eight hours ahead of UTC, without summer time. */
export const ZONE = { name: 'Australia/Perth', aheadMs: 8 * 3_600_000 } as const;

const today = new Date();

/** When all stories begin: the 20th of the next month, so that a card of that month expires within them. */
export const START_MS = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 20);

/** The month of an instant in the property's zone, or one so many months later, and the instant that it ends. */
export function monthEnd(atMs: number, monthsLater: number) {
  const local = new Date(atMs + ZONE.aheadMs);
  const first = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + monthsLater));
  const year = first.getUTCFullYear();
  const month = first.getUTCMonth() + 1;
  return { expiry: { month, year }, expiresAtMs: Date.UTC(year, month) - ZONE.aheadMs };
}

/** The day of arrival of every booking: some deadlines of the stories come after it. */
export const ARRIVAL = new Date(START_MS + 25 * 86_400_000).toISOString().slice(0, 10);
export const DEPARTURE = new Date(START_MS + 28 * 86_400_000).toISOString().slice(0, 10);

/** What the first night of every booking costs, in minor units. */
export const FIRST_NIGHT_MINOR = 20_000;

/** When that day begins. */
export const ARRIVAL_MS = Date.parse(`${ARRIVAL}T00:00:00Z`) - ZONE.aheadMs;
