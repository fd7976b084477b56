import * as PlainDate from 'temporal-polyfill/fns/PlainDate';
import { daysBetween } from '../../core/days.ts';
import { addDays, addMonths, type IsoDate, plainDate } from '../../core/time.ts';
import type { ReportSums, Share } from './read.ts';
import type { Span } from './store.ts';

export const MOST_DAYS = 366;

/** How long the lines of a report are. */
export type Step = 'day' | 'week' | 'month';

/** The most days and weeks that a page lists one by one. */
const MOST_LINES = 31;

export function lengthOf({ from, to }: Span): number {
  return daysBetween(from, to) + 1;
}

/** The shortest lines with which a page stays readable. */
export function stepOf(span: Span): Step {
  const days = lengthOf(span);
  if (days <= MOST_LINES) return 'day';
  return days <= (MOST_LINES - 1) * 7 ? 'week' : 'month';
}

/** Whether a report may go up to a day: at most a year ahead of `today`. */
export function isWithinReach(day: IsoDate, today: IsoDate): boolean {
  return day <= addMonths(today, 12);
}

/** Divides a span into its days, its calendar weeks from Monday on, or its calendar months. */
export function periodsOf(span: Span, step: Step): Span[] {
  const periods: Span[] = [];
  // Days are counted: dates as texts have no order beyond the year 9999.
  for (let left = lengthOf(span); left > 0; ) {
    const from = addDays(span.to, 1 - left);
    const days = Math.min(left, daysLeftIn(from, step));
    periods.push({ from, to: addDays(from, days - 1) });
    left -= days;
  }
  return periods;
}

/** How many days of the day, week or month that a day is in are left, with itself. */
function daysLeftIn(day: IsoDate, step: Step): number {
  const date = plainDate(day);
  if (step === 'day') return 1;
  // Sunday is 7.
  return step === 'week'
    ? 8 - PlainDate.dayOfWeek(date)
    : PlainDate.daysInMonth(date) - date.day + 1;
}

/** One line of a report, in one currency. Amounts are minor units. */
export type ReportLine = Readonly<Record<keyof typeof EMPTY, number>>;

const EMPTY = {
  /** How many payments were taken: charges, and holds that were captured. */
  taken: 0,
  /** What they brought, fees included; what the acquirer corrected later counts on the day of the payment. */
  takenMinor: 0,
  /** The fees in it, which guests paid. */
  feeMinor: 0,
  /** How many charges and holds banks approved. A capture asks no bank whether it may be. */
  approved: 0,
  declined: 0,
  /** How many payments failed at the acquirer without a decision of the bank. */
  failed: 0,
  refunds: 0,
  /** What went back to guests, less the refunds that failed afterwards. */
  refundedMinor: 0,
  disputes: 0,
  /** What was withdrawn for disputes, less what came back. */
  disputedMinor: 0,
  /** What the acquirer kept of the payouts of these days. */
  acquirerFeeMinor: 0,
};

/** The line of each period, in one currency. */
export function linesOf(sums: ReportSums, currency: string, periods: number): ReportLine[] {
  const parts = [
    ...sums.moved.map((sum) => ({ sum, line: lineOfMoved(sum) })),
    ...sums.untaken.map((sum) => ({
      sum,
      line: { ...EMPTY, [sum.status === 'Declined' ? 'declined' : 'failed']: sum.number },
    })),
    ...sums.acquirerFees.map((sum) => ({
      sum,
      line: { ...EMPTY, acquirerFeeMinor: sum.feeMinor },
    })),
  ];
  const byPeriod = Map.groupBy(
    parts.filter(({ sum }) => sum.currency === currency),
    ({ sum }) => sum.period,
  );
  return Array.from({ length: periods }, (_, period) =>
    added((byPeriod.get(period) ?? []).map(({ line }) => line)),
  );
}

function lineOfMoved(moved: Omit<ReportSums['moved'][number], 'period' | 'currency'>): ReportLine {
  const { kind, number, amountMinor, feeMinor } = moved;
  switch (kind) {
    case 'charge':
      return { ...EMPTY, approved: number, taken: number, takenMinor: amountMinor, feeMinor };
    case 'hold':
      return { ...EMPTY, approved: number };
    case 'capture':
      return { ...EMPTY, taken: number, takenMinor: amountMinor, feeMinor };
    case 'correction':
      return { ...EMPTY, takenMinor: amountMinor, feeMinor };
    case 'refund':
      return { ...EMPTY, refunds: number, refundedMinor: -amountMinor };
    case 'reversal':
      return { ...EMPTY, refundedMinor: -amountMinor };
    case 'chargeback':
      return { ...EMPTY, disputes: number, disputedMinor: -amountMinor };
    case 'chargeback_reversal':
      return { ...EMPTY, disputedMinor: -amountMinor };
  }
}

/** What is left of what was taken, in minor units: less what went back, was withdrawn or kept by the acquirer. */
export function netOf(line: ReportLine): number {
  return line.takenMinor - line.refundedMinor - line.disputedMinor - line.acquirerFeeMinor;
}

/** The days that a span is compared with: the same days of the month before, or as many days before it. */
export function spanBefore(span: Span): Span {
  const { from, to } = span;
  if (!from.endsWith('-01') || from.slice(0, 7) !== to.slice(0, 7)) {
    const days = lengthOf(span);
    return { from: addDays(from, -days), to: addDays(from, -1) };
  }
  const first = PlainDate.subtractMonths(plainDate(from), 1);
  const end = plainDate(to);
  const most = PlainDate.daysInMonth(first);
  const last = end.day === PlainDate.daysInMonth(end) ? most : Math.min(end.day, most);
  return {
    from: PlainDate.toString(first),
    to: PlainDate.toString(PlainDate.withDayOfMonth(first, last)),
  };
}

/** By what a report divides what was taken. */
export type Division = 'brand' | 'agency' | 'purpose' | 'actor';

/** A part of what was taken and given back, in minor units. */
export interface Part {
  /** The brand, the agency, the purpose or the actor; null where there is none. */
  readonly of: string | null;
  readonly name: string | null;
  readonly taken: number;
  readonly takenMinor: number;
  readonly refundedMinor: number;
}

/** What was taken and given back by brand, agency, purpose or actor, in one currency: the most first. */
export function partsOf(shares: readonly Share[], currency: string, by: Division): Part[] {
  const parts = new Map<string | null, Part>();
  for (const { kind, number, amountMinor, ...share } of shares) {
    if (share.currency !== currency) continue;
    const of = share[by];
    const line = lineOfMoved({ kind, number, amountMinor, feeMinor: 0 });
    const before = parts.get(of) ?? { of, name: null, taken: 0, takenMinor: 0, refundedMinor: 0 };
    parts.set(of, {
      of,
      name: before.name ?? share.actorName,
      taken: before.taken + line.taken,
      takenMinor: before.takenMinor + line.takenMinor,
      refundedMinor: before.refundedMinor + line.refundedMinor,
    });
  }
  return [...parts.values()]
    .filter(({ takenMinor, refundedMinor }) => takenMinor !== 0 || refundedMinor !== 0)
    .toSorted((one, other) => other.takenMinor - one.takenMinor);
}

export function added(lines: readonly ReportLine[]): ReportLine {
  const names = Object.keys(EMPTY) as (keyof ReportLine)[];
  const sumOf = (name: keyof ReportLine) => lines.reduce((sum, line) => sum + line[name], 0);
  return { ...EMPTY, ...Object.fromEntries(names.map((name) => [name, sumOf(name)])) };
}

export function isEmpty(line: ReportLine): boolean {
  return Object.values(line).every((value) => value === 0);
}

/** The part of what banks decided that they approved, from 0 to 1; null if they decided nothing. */
export function acceptanceOf({ approved, declined }: ReportLine): number | null {
  return approved + declined === 0 ? null : approved / (approved + declined);
}

/** Why payments of the first periods were not taken, in one currency: the most frequent reason first. */
export function reasonsOf({ untaken }: ReportSums, currency: string, periods: number): Reason[] {
  const byReason = new Map<string, Reason>();
  for (const { amountMinor, declineCode, number, status, ...sum } of untaken) {
    if (sum.currency !== currency || sum.period >= periods) continue;
    const name = `${status} ${declineCode ?? ''}`;
    const before = byReason.get(name) ?? { status, declineCode, number: 0, amountMinor: 0 };
    byReason.set(name, {
      ...before,
      number: before.number + number,
      amountMinor: before.amountMinor + amountMinor,
    });
  }
  return [...byReason.values()].toSorted((one, other) => other.number - one.number);
}

/** How many payments were not taken for one reason, and what they would have brought. */
export type Reason = Omit<ReportSums['untaken'][number], 'period' | 'currency'>;

/** The currencies of a report, `first` before the others. */
export function currenciesOf(sums: ReportSums, first: string): string[] {
  const { acquirerFees, cancellations, moved, untaken } = sums;
  const all = [...moved, ...untaken, ...acquirerFees, ...cancellations];
  return [...new Set([first, ...all.map(({ currency }) => currency)])];
}
