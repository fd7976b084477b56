import { daysBetween } from '../../../core/days.ts';
import { addDays, addMonths, type IsoDate, localDate, localInstantMs } from '../../../core/time.ts';
import type { BookingRow } from '../../../schema/bookingTables.ts';
import type {
  PlanDue,
  PlanRepeat,
  PlanShare,
  PlanSpec,
  PlanTerm,
} from '../../../schema/planSpec.ts';

export const MOST_PARTS = 120;

/** The time of day of a part whose terms say none. */
const USUAL_TIME = '09:00';

/** What of a booking its plan follows from, in minor units. */
export type PlannedStay = Pick<
  BookingRow,
  'arrival' | 'departure' | 'totalCostMinor' | 'firstNightCostMinor'
>;

/** Where and when terms are worked out: the property's zone, and when the terms were put. */
export interface PlanClock {
  readonly timeZone: string;
  readonly putAtMs: number;
}

/** A part as the terms give it. `amountMinor` is null for the rest, which follows from the others. */
export interface TermsPart {
  readonly id: string;
  readonly amountMinor: number | null;
  readonly atMs: number;
}

/**
 * The parts that terms give of a stay (interface: Terms), in the order of the terms: at most one more than a plan may
 * have.
 */
export function partsOfTerms(
  { terms, repeat }: PlanSpec,
  stay: PlannedStay,
  clock: PlanClock,
): TermsPart[] {
  const named = terms.map(({ due, share }, index) => {
    const atMs = dueAtMs(due, stay, clock);
    return { id: `t${index + 1}`, amountMinor: shareMinor(share, stay), atMs };
  });
  return repeat === null ? named : [...named, ...periodsOf(repeat, stay, clock, MOST_PARTS + 1)];
}

/** What a share of a booking comes to; null for the rest. */
function shareMinor(share: PlanShare, { firstNightCostMinor, totalCostMinor }: PlannedStay) {
  switch (share.kind) {
    case 'amount':
      return share.amountMinor;
    case 'percent':
      return halfUp(totalCostMinor, share.hundredths, 10_000);
    case 'firstNight':
      return firstNightCostMinor;
    case 'rest':
      return null;
  }
}

/** `amount` × `numerator` ÷ `denominator`, half up to the minor unit. */
function halfUp(amountMinor: number, numerator: number, denominator: number): number {
  const product = BigInt(amountMinor) * BigInt(numerator);
  return Number((2n * product + BigInt(denominator)) / (2n * BigInt(denominator)));
}

function dueAtMs(due: PlanDue, stay: PlannedStay, { putAtMs, timeZone }: PlanClock): number {
  const { anchor, date, days, time } = due;
  if (anchor === 'now' && !days && time === null) return putAtMs;
  const day = {
    now: () => localDate(putAtMs, timeZone),
    arrival: () => stay.arrival,
    departure: () => stay.departure,
    date: () => date ?? stay.arrival,
  }[anchor]();
  return localInstantMs(addDays(day, days ?? 0), time ?? USUAL_TIME, timeZone);
}

/** The periods of a repetition, each due a number of days from its beginning. */
function periodsOf(
  repeat: PlanRepeat,
  stay: PlannedStay,
  { timeZone }: PlanClock,
  most: number,
): TermsPart[] {
  const from = repeat.from ?? stay.arrival;
  const until = repeat.until ?? stay.departure;
  const parts: TermsPart[] = [];
  for (let n = 0; n < most; n += 1) {
    const begin = periodBegin(repeat.every, from, n);
    if (begin >= until) break;
    const end = periodBegin(repeat.every, from, n + 1);
    const isCut = end > until && repeat.lastPeriod === 'prorate';
    parts.push({
      id: `r${n + 1}`,
      amountMinor: isCut
        ? halfUp(repeat.amountMinor, daysBetween(begin, until), daysBetween(begin, end))
        : repeat.amountMinor,
      atMs: localInstantMs(addDays(begin, repeat.days), repeat.time ?? USUAL_TIME, timeZone),
    });
  }
  return parts;
}

/** The day on which a period begins: a month later is the same day of the month, or its last. */
function periodBegin(every: PlanRepeat['every'], from: IsoDate, n: number): IsoDate {
  return every === 'month' ? addMonths(from, n) : addDays(from, n * (every === 'week' ? 7 : 14));
}

/** What the terms say of a part, by its id. */
export function termOf(
  { terms, repeat }: PlanSpec,
  id: string,
): Pick<PlanTerm, 'label' | 'purpose'> {
  const term = id.startsWith('r') ? repeat : terms[Number(id.slice(1)) - 1];
  if (!term) throw new Error('a part has no terms');
  return term;
}
