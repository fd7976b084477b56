import { addDays, type IsoDate, localDate, MINUTE_MS, startOfDayMs } from '../core/time.ts';
import type { DisbursementItemRow, DisbursementRow } from '../db/disbursementTables.ts';

/** A movement that is recorded just after its day has ended still belongs to it for so long. */
const GRACE_MS = 10 * MINUTE_MS;

/** How many days after its day the embedded acquirer pays out. */
const DAYS_UNTIL_PAID = 2;

/** The embedded acquirer's name for what it pays out of a day. */
export function dayId(day: IsoDate): string {
  return `sandbox-${day}`;
}

/** A charge, a capture or a refund of the embedded acquirer's, with what its property says of time. */
export interface Movement {
  readonly propertyId: string;
  readonly timeZone: string;
  readonly kind: 'sale' | 'refund';
  /** Its place in the acquirer's ledger. */
  readonly sequence: number;
  /** What was charged or sent back, fees included: above 0 for both. */
  readonly amountMinor: number;
  /** Both fees of a charge; 0 of a refund. */
  readonly feeMinor: number;
  readonly currency: string;
  readonly description: string;
  readonly gatewayReference: string;
  /** When it was asked for, and when the acquirer did it. */
  readonly createdAtMs: number;
  readonly atMs: number;
}

/**
 * What the embedded acquirer pays out of a property's local day, before any item is in it. It can take movements until
 * shortly after the day has ended, then it is in transit, and it is paid out two days after its day.
 */
export function disbursementOfDay(
  { propertyId, timeZone, currency }: Pick<Movement, 'propertyId' | 'timeZone' | 'currency'>,
  day: IsoDate,
): DisbursementRow {
  const arrivalDate = addDays(day, DAYS_UNTIL_PAID);
  return {
    propertyId,
    id: dayId(day),
    gateway: 'sandbox',
    status: 'not_paid_out',
    currency,
    grossMinor: 0,
    feeMinor: 0,
    netMinor: 0,
    description: `Payments and refunds of ${day}`,
    effectiveAtMs: startOfDayMs(day, timeZone),
    arrivalDate,
    dueAtMs: startOfDayMs(addDays(day, 1), timeZone) + GRACE_MS,
    paysAtMs: startOfDayMs(arrivalDate, timeZone),
  };
}

/** How many days on a movement is put at most, should a change of the zone have closed the day that it is now. */
const DAYS_AHEAD = 2;

/** The local days that a movement can be paid out with, the first of them that is open: its own, then the day that it is now, and on. */
export function daysOf(
  { atMs, timeZone }: Pick<Movement, 'atMs' | 'timeZone'>,
  nowMs: number,
): IsoDate[] {
  const today = localDate(nowMs, timeZone);
  const ahead = Array.from({ length: DAYS_AHEAD + 1 }, (_day, days) => addDays(today, days));
  return [localDate(atMs, timeZone), ...ahead];
}

/** The local day that a movement is paid out with: the first that is not closed. */
export function dayOf(
  movement: Movement,
  isClosed: (propertyId: string, day: IsoDate) => boolean,
  nowMs: number,
): IsoDate {
  const days = daysOf(movement, nowMs);
  const open = days.find((day) => !isClosed(movement.propertyId, day));
  return open ?? (days.at(-1) as IsoDate);
}

/** A movement as an item: refunds are negative, and only sales bear fees. */
export function itemOf(movement: Movement, day: IsoDate): DisbursementItemRow {
  const { kind, sequence, amountMinor, feeMinor, atMs, timeZone } = movement;
  const grossMinor = kind === 'sale' ? amountMinor : -amountMinor;
  return {
    propertyId: movement.propertyId,
    id: `sandbox-item-${sequence}`,
    disbursementId: dayId(day),
    gatewayTransactionId: movement.gatewayReference,
    description: movement.description,
    category: kind,
    currency: movement.currency,
    grossMinor,
    feeMinor,
    netMinor: grossMinor - feeMinor,
    threeDsAuthenticated: false,
    effectiveAtMs: atMs,
    createdAtMs: movement.createdAtMs,
    availableAtMs: startOfDayMs(addDays(day, DAYS_UNTIL_PAID), timeZone),
  };
}
