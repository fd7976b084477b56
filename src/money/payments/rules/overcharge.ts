import { type Failure, failure } from '../../../core/failure.ts';
import { storedDecimal } from '../../../core/money.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import type { BookingTotals } from '../../../records/history/sums.ts';
import type { BookingRow } from '../../../schema/bookingTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import {
  dueOf,
  known,
  lesserOf,
  openDueMinor,
  totalFor,
  unattendedDue,
} from '../../balance/rules/balance.ts';

/** What the caller is told beside a transaction. */
export type PaymentWarning = TransactionRow['warnings'][number];

/** Whether the property's guard compares a payment of this purpose with what is due (interface: The guard). */
export function isGuarded(
  { overchargeGuard }: Pick<PropertyRow, 'overchargeGuard'>,
  purpose: TransactionRow['purpose'],
): boolean {
  return overchargeGuard !== 'off' && canBeGuarded(purpose);
}

function canBeGuarded(purpose: TransactionRow['purpose']): boolean {
  return purpose === 'Deposit' || purpose === 'Balance';
}

/** Whether what a schedule takes may depend on what is due, whatever its property says. */
export function mayDependOnDue(row: Pick<TransactionRow, 'purpose' | 'limitToDue'>): boolean {
  return row.limitToDue || canBeGuarded(row.purpose);
}

/** Judges an amount by what is due: nothing to say, a warning, or a refusal, as the property wants. */
export function judge(
  property: Pick<PropertyRow, 'overchargeGuard' | 'currency'>,
  purpose: TransactionRow['purpose'],
  requestedMinor: number,
  dueMinor: number,
): Result<readonly PaymentWarning[]> {
  if (!isGuarded(property, purpose) || requestedMinor <= dueMinor) return ok([]);
  return property.overchargeGuard === 'refuse'
    ? err(exceedsDue(dueMinor, property.currency))
    : ok(['exceeds_due']);
}

function exceedsDue(dueMinor: number, currency: string): Failure {
  return failure('amount_exceeds_due', 'The amount is more than is due. Nothing was charged.', {
    due: storedDecimal(dueMinor, currency),
  });
}

/** The amount that a payment takes, and what the caller is warned of. */
export interface DecidedAmount {
  /** In minor units, without fees. */
  readonly requestedMinor: number;
  /** The amount that was asked for, if it is another; else null. */
  readonly askedMinor: number | null;
  readonly warnings: readonly PaymentWarning[];
}

export interface AmountRequest extends Pick<TransactionRow, 'kind' | 'purpose' | 'requestedMinor'> {
  /** Whether to take what is due, at most. */
  readonly limitToDue: boolean;
}

/** Whether a new payment depends on what is paid already. A schedule is limited when it fires. */
export function dependsOnTotals(
  property: Pick<PropertyRow, 'overchargeGuard'>,
  booking: Pick<BookingRow, 'totalCostMinor' | 'knownTotalMinor'>,
  request: Pick<AmountRequest, 'kind' | 'limitToDue'>,
): boolean {
  const isLimited = request.limitToDue && request.kind !== 'schedule';
  const isCompared = property.overchargeGuard !== 'off' || isLimited;
  return isCompared && totalFor(booking, request) !== null;
}

/**
 * Decides the amount of a new payment: limited to what is due if the request says so, else compared with it by the
 * property's guard (interface: The guard). The acquirer takes multiples of `stepMinor`. Without `totals`, nothing
 * depends on it.
 */
export function amountFor(
  property: Pick<PropertyRow, 'overchargeGuard' | 'currency'>,
  booking: Pick<BookingRow, 'totalCostMinor' | 'knownTotalMinor'>,
  request: AmountRequest,
  totals: BookingTotals | null,
  stepMinor: number,
): Result<DecidedAmount> {
  const { kind, purpose, requestedMinor, limitToDue } = request;
  const asked = { requestedMinor, askedMinor: null, warnings: [] };
  const dueMinor = totals && openDueMinor(totalFor(booking, request), totals);
  if (dueMinor === null || (limitToDue && kind === 'schedule')) return ok(asked);
  if (!limitToDue) {
    const judged = judge(property, purpose, requestedMinor, dueMinor);
    return judged.ok ? ok({ ...asked, warnings: judged.value }) : judged;
  }
  const limitedMinor = steppedMinor(requestedMinor, dueMinor, stepMinor);
  if (limitedMinor === 0) return err(exceedsDue(dueMinor, property.currency));
  const askedMinor = limitedMinor === requestedMinor ? null : requestedMinor;
  return ok({ ...asked, requestedMinor: limitedMinor, askedMinor });
}

/** What is due once a payment is made, in minor units: a schedule counts as paid, a hold and a Bond pay nothing. */
export function dueAfterMinor(
  { totalCostMinor }: Pick<BookingRow, 'totalCostMinor'>,
  { kind, purpose, requestedMinor }: Pick<AmountRequest, 'kind' | 'purpose' | 'requestedMinor'>,
  totals: BookingTotals,
): number {
  const brings = kind !== 'authorization' && purpose !== 'Bond';
  return Math.max(0, dueOf(totalCostMinor, totals) - (brings ? requestedMinor : 0));
}

/** Warns where what stays scheduled exceeds what is due after a new payment, unless the property wants no word of that. */
export function scheduledWarnings(
  property: Pick<PropertyRow, 'overchargeGuard'>,
  booking: Pick<BookingRow, 'totalCostMinor'>,
  payment: Pick<AmountRequest, 'kind' | 'purpose' | 'requestedMinor'>,
  totals: BookingTotals | null,
): readonly 'scheduled_exceeds_due'[] {
  const isTold = property.overchargeGuard !== 'off' && known(booking.totalCostMinor) !== null;
  if (!isTold || totals === null) return [];
  const exceeds = totals.scheduledMinor > dueAfterMinor(booking, payment, totals);
  return exceeds ? ['scheduled_exceeds_due'] : [];
}

/** What a schedule takes now that it fires, in minor units without fees. */
export type FiringAmount =
  | { readonly kind: 'take'; readonly requestedMinor: number }
  | { readonly kind: 'nothingDue' }
  /** The property is told that nothing is due, and has a day to cancel it. */
  | { readonly kind: 'putOff' }
  /** Only the outcome of what is under way says. */
  | { readonly kind: 'wait' };

/** The columns of a schedule that what it takes depends on. */
export type FiringSchedule = Pick<
  TransactionRow,
  'purpose' | 'requestedMinor' | 'askedMinor' | 'limitToDue' | 'putOffUntilMs'
>;

/**
 * Decides what a schedule takes when it fires: at most what is due if it is limited to that, or if the property's guard
 * refuses more. A guard that warns puts it off by a day, once, if nothing is due (interface: The guard).
 */
export function amountToFire(
  property: Pick<PropertyRow, 'overchargeGuard'>,
  booking: Pick<BookingRow, 'totalCostMinor' | 'knownTotalMinor'>,
  row: FiringSchedule,
  totals: BookingTotals | null,
  stepMinor: number,
): FiringAmount {
  const { requestedMinor, putOffUntilMs } = row;
  const take = { kind: 'take', requestedMinor } as const;
  const due = totals && unattendedDue(totalFor(booking, row), totals);
  const isJudged = isGuarded(property, row.purpose);
  if (due === null || !(row.limitToDue || isJudged)) return take;
  if (row.limitToDue || property.overchargeGuard === 'refuse') {
    const lesserMinor = lesserOf(row.askedMinor ?? requestedMinor, due);
    if (lesserMinor === null) return { kind: 'wait' };
    const takenMinor = steppedMinor(row.askedMinor ?? requestedMinor, lesserMinor, stepMinor);
    return takenMinor === 0 ? { kind: 'nothingDue' } : { ...take, requestedMinor: takenMinor };
  }
  if (putOffUntilMs !== null) return take;
  if (due.certainMinor === 0) return { kind: 'putOff' };
  return due.certainMinor <= due.uncertainMinor ? { kind: 'wait' } : take;
}

/** An amount that is at most what is due, in steps that the acquirer takes. */
function steppedMinor(amountMinor: number, dueMinor: number, stepMinor: number): number {
  return amountMinor <= dueMinor ? amountMinor : Math.floor(dueMinor / stepMinor) * stepMinor;
}

/**
 * What a capture takes of what is asked for, compared with what is due at that moment: a guard that refuses lets it take
 * the lesser, and fails if nothing is due.
 */
export function amountToCapture(
  property: Pick<PropertyRow, 'overchargeGuard' | 'currency'>,
  { totalCostMinor }: Pick<BookingRow, 'totalCostMinor'>,
  { purpose, requestedMinor }: Pick<TransactionRow, 'purpose' | 'requestedMinor'>,
  totals: BookingTotals | null,
  stepMinor: number,
): Result<Omit<DecidedAmount, 'askedMinor'>> {
  const dueMinor = totals && openDueMinor(known(totalCostMinor), totals);
  if (dueMinor === null) return ok({ requestedMinor, warnings: [] });
  const judged = judge(property, purpose, requestedMinor, dueMinor);
  if (judged.ok) return ok({ requestedMinor, warnings: judged.value });
  const lesserMinor = steppedMinor(requestedMinor, dueMinor, stepMinor);
  return lesserMinor === 0 ? judged : ok({ requestedMinor: lesserMinor, warnings: [] });
}

/** What a property sets by which a payment may be refused, whatever it costs. */
export function guardsOf(
  property: Pick<PropertyRow, 'duplicateWindowSeconds' | 'overchargeGuard'>,
): string {
  return `${property.overchargeGuard} ${property.duplicateWindowSeconds}`;
}
