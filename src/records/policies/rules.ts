import { addDays, localInstantMs, SECOND_MS, startOfDayMs } from '../../core/time.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CancellationPolicy, CancellationRule, Keep } from '../../schema/propertyTables.ts';

/** Whether a policy has amounts of money, which do not change with the property's currency. */
export function keepsAmount(policy: CancellationPolicy | null): boolean {
  if (policy === null) return false;
  const keeps = [...policy.rules.map(({ keep }) => keep), policy.noShow];
  return keeps.some((keep) => keep !== undefined && 'amountMinor' in keep);
}

/** A stay, and the zone of its property. */
export interface Stay {
  readonly arrival: string;
  readonly timeZone: string;
}

/** The index of the rule that holds at an instant: the first whose last moment has not passed. The last one never ends. */
export function ruleAt({ rules }: CancellationPolicy, stay: Stay, atMs: number): number {
  return rules.findIndex((rule) => {
    const untilMs = endOfRule(rule, stay);
    return untilMs === null || atMs < untilMs;
  });
}

/** When a rule holds no more; null for one that never ends. A time of the day is inclusive to its first second. */
function endOfRule(
  { daysBeforeArrival, time }: Omit<CancellationRule, 'keep'>,
  { arrival, timeZone }: Stay,
): number | null {
  if (daysBeforeArrival === undefined) return null;
  const day = addDays(arrival, -daysBeforeArrival);
  return time === undefined
    ? startOfDayMs(addDays(day, 1), timeZone)
    : localInstantMs(day, time, timeZone) + SECOND_MS;
}

/** What a policy keeps, in minor units. Where the total is not known, an amount is kept, and nothing else. */
export function keptMinor(
  keep: Keep,
  {
    totalCostMinor,
    firstNightCostMinor,
  }: Pick<BookingRow, 'totalCostMinor' | 'firstNightCostMinor'>,
  paidMinor: number,
): number {
  if (totalCostMinor === 0) return 'amountMinor' in keep ? keep.amountMinor : 0;
  return Math.min(totalCostMinor, plainMinor());

  function plainMinor(): number {
    if ('percent' in keep) return shareOf(totalCostMinor, keep.percent);
    if ('firstNight' in keep) return firstNightCostMinor;
    if ('amountMinor' in keep) return keep.amountMinor;
    return 'paid' in keep ? paidMinor : 0;
  }
}

/** A percentage with two decimals of an amount, half up to the minor unit. */
function shareOf(minor: number, percent: number): number {
  return Number((BigInt(minor) * BigInt(Math.round(percent * 100)) * 2n + 10_000n) / 20_000n);
}
