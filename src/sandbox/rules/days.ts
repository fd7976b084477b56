import { pick } from '../../core/pick.ts';
import { addDays, type IsoDate, localDate, MINUTE_MS, startOfDayMs } from '../../core/time.ts';
import { NO_ITEMS } from '../../disbursements/rules/payouts.ts';
import type { DisbursementItemRow, DisbursementRow } from '../../schema/disbursementTables.ts';

/** How long after the end of a day its late movements can still be added. */
const GRACE_MS = 10 * MINUTE_MS;

/** The sandbox acquirer pays out this many days after the day. */
const DAYS_UNTIL_PAID = 2;

export function dayId(propertyId: string, day: IsoDate): string {
  return `sandbox-${propertyId}-${day}`;
}

/** A movement of money at the sandbox acquirer, with the time zone of its property. */
export interface Movement {
  readonly propertyId: string;
  readonly timeZone: string;
  /** What the property's clock shows now. */
  readonly nowMs: number;
  readonly kind: Exclude<DisbursementItemRow['category'], 'adjustment'>;
  /** The sequence number in the acquirer's ledger. */
  readonly sequence: number;
  /** What the movement brings, fees included; negative for what leaves the property. */
  readonly grossMinor: number;
  /** Both fees of a charge; 0 for any other movement. */
  readonly feeMinor: number;
  readonly currency: string;
  /** The booking's reference; empty for a charge that belongs to no booking. */
  readonly description: string;
  /** The acquirer's id of the charge, refund or dispute. */
  readonly gatewayReference: string;
  /** When this service created the charge or refund; for what it did not make, when the acquirer executed it. */
  readonly createdAtMs: number;
  /** When the acquirer executed it. */
  readonly atMs: number;
}

/**
 * The sandbox acquirer's disbursement of a property's local day, without items. It accepts movements until shortly
 * after the day ends, then it is in transit, and two days after its day it is paid out.
 */
export function disbursementOfDay(
  { propertyId, timeZone, currency }: Pick<Movement, 'propertyId' | 'timeZone' | 'currency'>,
  day: IsoDate,
): DisbursementRow {
  const arrivalDate = addDays(day, DAYS_UNTIL_PAID);
  return {
    propertyId,
    id: dayId(propertyId, day),
    gateway: 'sandbox',
    status: 'not_paid_out',
    currency,
    ...NO_ITEMS,
    description: `Payments and refunds of ${day}`,
    effectiveAtMs: startOfDayMs(day, timeZone),
    arrivalDate,
    dueAtMs: startOfDayMs(addDays(day, 1), timeZone) + GRACE_MS,
    paysAtMs: startOfDayMs(arrivalDate, timeZone),
  };
}

/** How many days after today a movement can go to, if a change of the time zone has closed today. */
const DAYS_AHEAD = 2;

/** The local days that can pay out a movement, in order: its own day, today, and the days after. */
export function daysOf(movement: Pick<Movement, 'atMs' | 'nowMs' | 'timeZone'>): IsoDate[] {
  const { atMs, nowMs, timeZone } = movement;
  const today = localDate(nowMs, timeZone);
  const ahead = Array.from({ length: DAYS_AHEAD + 1 }, (_day, days) => addDays(today, days));
  return [localDate(atMs, timeZone), ...ahead];
}

/** The local day that pays out a movement: the first of {@link daysOf} that is not closed. */
export function dayOf(
  movement: Movement,
  isClosed: (propertyId: string, day: IsoDate) => boolean,
): IsoDate {
  const days = daysOf(movement);
  const open = days.find((day) => !isClosed(movement.propertyId, day));
  return open ?? (days.at(-1) as IsoDate);
}

export function itemId(sequence: number): string {
  return `sandbox-item-${sequence}`;
}

export function itemOf(movement: Movement, day: IsoDate): DisbursementItemRow {
  const { kind, sequence, grossMinor, feeMinor, atMs, timeZone } = movement;
  return {
    ...pick(movement, 'propertyId', 'description', 'currency', 'createdAtMs'),
    id: itemId(sequence),
    disbursementId: dayId(movement.propertyId, day),
    gatewayTransactionId: movement.gatewayReference,
    category: kind,
    grossMinor,
    feeMinor,
    netMinor: grossMinor - feeMinor,
    threeDsAuthenticated: false,
    effectiveAtMs: atMs,
    availableAtMs: startOfDayMs(addDays(day, DAYS_UNTIL_PAID), timeZone),
  };
}
