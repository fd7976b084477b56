import { HOUR_MS } from '../../core/time.ts';
import type { Declines, Outcomes, Volume } from './overview.ts';
import { MOST_COUNTED, type selectChargeOutcomes } from './store.ts';

const HOURS = 24;

/** The starts of the last clock hours, the oldest first; the last one is the current hour. */
export function lastHours(nowMs: number): number[] {
  const thisHour = Math.floor(nowMs / HOUR_MS);
  return Array.from({ length: HOURS }, (_, index) => (thisHour - HOURS + 1 + index) * HOUR_MS);
}

type OutcomeRow = Awaited<ReturnType<typeof selectChargeOutcomes>>[number];

/** Combines the counts of each kind of outcome; each kind has its own limit. */
export function outcomesOf(
  counted: readonly (readonly OutcomeRow[])[],
  hoursMs: readonly number[],
): Outcomes {
  const rows = counted.flat();
  const declined = rows.filter(({ outcome }) => outcome === 'Declined');
  const approved = rows.filter(({ outcome }) => outcome === 'Accepted' || outcome === 'Held');
  return {
    hoursMs,
    volumes: volumesOf(
      rows.filter(({ outcome }) => outcome === 'Accepted' || outcome === 'Captured'),
      hoursMs,
    ),
    approved: sumOf(approved, ({ number }) => number),
    declines: {
      byHour: byHour(declined, hoursMs, ({ number }) => number),
      byCode: declineCodes(declined),
    },
    failedByHour: byHour(
      rows.filter(({ outcome }) => outcome === 'Failed'),
      hoursMs,
      ({ number }) => number,
    ),
    cut: counted.some((kind) => sumOf(kind, ({ number }) => number) >= MOST_COUNTED),
  };
}

function volumesOf(accepted: readonly OutcomeRow[], hoursMs: readonly number[]): Volume[] {
  const byCurrency = Map.groupBy(accepted, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, rows]) => ({
      currency,
      number: sumOf(rows, ({ number }) => number),
      totalMinor: sumOf(rows, ({ amountMinor }) => amountMinor),
      minorByHour: byHour(rows, hoursMs, ({ amountMinor }) => amountMinor),
    }))
    .toSorted((one, other) => one.currency.localeCompare(other.currency));
}

/** The number of declines by code, the most frequent first. */
function declineCodes(declined: readonly OutcomeRow[]): Declines['byCode'] {
  const byCode = Map.groupBy(declined, ({ declineCode }) => declineCode ?? 'none given');
  return [...byCode]
    .map(([code, rows]) => ({ code, number: sumOf(rows, ({ number }) => number) }))
    .toSorted((one, other) => other.number - one.number);
}

function byHour(
  rows: readonly OutcomeRow[],
  hoursMs: readonly number[],
  amountOf: (row: OutcomeRow) => number,
): number[] {
  return hoursMs.map((atMs) =>
    sumOf(
      rows.filter(({ hour }) => hour * HOUR_MS === atMs),
      amountOf,
    ),
  );
}

/** The sum of an amount over rows. */
export function sumOf<Row>(rows: readonly Row[], amountOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + amountOf(row), 0);
}
