import { type Failure, failure } from '../../core/failure.ts';
import { storedDecimal } from '../../core/money.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Standing } from '../../operation/work.ts';
import type { BookingRow } from '../../platform/db/bookingTables.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';

/** What the caller is told beside a transaction. */
export type PaymentWarning = TransactionRow['warnings'][number];

/** What is due less what is uncertain, in minor units; null if the booking's total is not known. */
export function openDueMinor(
  { totalCostMinor }: Pick<BookingRow, 'totalCostMinor'>,
  { paidMinor, uncertainMinor }: Standing,
): number | null {
  if (totalCostMinor === 0) return null;
  return Math.max(0, totalCostMinor - paidMinor - uncertainMinor);
}

/** Whether the property's guard compares a payment of this purpose with what is due (interface: The guard). */
function isGuarded(
  { overchargeGuard }: Pick<PropertyRow, 'overchargeGuard'>,
  purpose: TransactionRow['purpose'],
): boolean {
  return overchargeGuard !== 'off' && canBeGuarded(purpose);
}

function canBeGuarded(purpose: TransactionRow['purpose']): boolean {
  return purpose === 'Deposit' || purpose === 'Balance';
}

/** Judges an amount by what is due: nothing to say, a warning, or a refusal, as the property wants. */
export function judge(
  property: Pick<PropertyRow, 'overchargeGuard' | 'currency'>,
  purpose: TransactionRow['purpose'],
  requestedMinor: number,
  dueMinor: number | null,
): Result<readonly PaymentWarning[], Failure> {
  if (!isGuarded(property, purpose) || dueMinor === null || requestedMinor <= dueMinor) {
    return ok([]);
  }
  return property.overchargeGuard === 'refuse'
    ? err(exceedsDue(dueMinor, property.currency))
    : ok(['exceeds_due']);
}

/** The failure of a payment of more than is due. */
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

/** What decides the amount of a new payment. */
export interface AmountRequest extends Pick<TransactionRow, 'kind' | 'purpose' | 'requestedMinor'> {
  /** Whether to take what is due, at most. */
  readonly limitToDue: boolean;
}

/** Whether the amount of a new payment depends on what is due. A schedule is limited when it fires. */
export function dependsOnDue(
  property: Pick<PropertyRow, 'overchargeGuard'>,
  { kind, purpose, limitToDue }: Omit<AmountRequest, 'requestedMinor'>,
): boolean {
  return limitToDue ? kind !== 'schedule' : isGuarded(property, purpose);
}

/** Whether the amount of a new payment may depend on what is due, whatever its property says. */
export function mayDependOnDue({
  purpose,
  limitToDue,
}: Pick<AmountRequest, 'purpose' | 'limitToDue'>): boolean {
  return limitToDue || canBeGuarded(purpose);
}

/**
 * Decides the amount of a new payment: limited to what is due if the request says so, else compared with it by the
 * property's guard (interface: The guard). The acquirer takes multiples of `stepMinor`.
 */
export function amountFor(
  property: Pick<PropertyRow, 'overchargeGuard' | 'currency'>,
  request: AmountRequest,
  dueMinor: number | null,
  stepMinor: number,
): Result<DecidedAmount, Failure> {
  const { purpose, requestedMinor, limitToDue } = request;
  const asked = { requestedMinor, askedMinor: null, warnings: [] };
  if (dueMinor === null || !dependsOnDue(property, request)) return ok(asked);
  if (!limitToDue) {
    const judged = judge(property, purpose, requestedMinor, dueMinor);
    return judged.ok ? ok({ ...asked, warnings: judged.value }) : judged;
  }
  const limitedMinor = limitedAmount(requestedMinor, dueMinor, stepMinor);
  if (limitedMinor === 0) return err(exceedsDue(dueMinor, property.currency));
  const askedMinor = limitedMinor === requestedMinor ? null : requestedMinor;
  return ok({ ...asked, requestedMinor: limitedMinor, askedMinor });
}

/**
 * The amount that a schedule takes when it fires, in minor units without fees: at most what is due if it is limited to
 * that, which may be 0. Otherwise it takes what it was made for: the guard compared it then.
 */
export function amountOfSchedule(
  { limitToDue, askedMinor, requestedMinor }: ScheduledAmount,
  dueMinor: number | null,
  stepMinor: number,
): number {
  const plannedMinor = askedMinor ?? requestedMinor;
  if (dueMinor === null) return plannedMinor;
  if (limitToDue) return limitedAmount(plannedMinor, dueMinor, stepMinor);
  return requestedMinor;
}

type ScheduledAmount = Pick<TransactionRow, 'limitToDue' | 'askedMinor' | 'requestedMinor'>;

/** Whether what a schedule takes when it fires depends on what is due. */
export function scheduleDependsOnDue(
  property: Pick<PropertyRow, 'overchargeGuard'>,
  { limitToDue, purpose }: Pick<TransactionRow, 'limitToDue' | 'purpose'>,
): boolean {
  return limitToDue || (property.overchargeGuard === 'refuse' && isGuarded(property, purpose));
}

/** An amount that is at most what is due, in steps that the acquirer takes. */
function limitedAmount(amountMinor: number, dueMinor: number, stepMinor: number): number {
  return amountMinor <= dueMinor ? amountMinor : Math.floor(dueMinor / stepMinor) * stepMinor;
}

/** What is paid and under way once a payment has its outcome: `accepted`, `ended` without a charge, or not known yet. */
export function standingAfter(
  { paidMinor, uncertainMinor }: Standing,
  { kind, purpose, requestedMinor }: Pick<TransactionRow, 'kind' | 'purpose' | 'requestedMinor'>,
  outcome: 'accepted' | 'ended',
): Standing {
  const brought = kind === 'charge' && purpose !== 'Bond' && outcome === 'accepted';
  return { paidMinor: paidMinor + (brought ? requestedMinor : 0), uncertainMinor };
}
