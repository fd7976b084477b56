import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { BookingWork, Standing } from '../../operation/work.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { readBalance } from '../balance/bookingBalance.ts';
import { exceedsDue, isGuarded, judge, openDueMinor, type PaymentWarning } from './overcharge.ts';

/** The amount that a payment takes, and what the caller is warned of. */
export interface DecidedAmount {
  /** In minor units, without fees. */
  readonly requestedMinor: number;
  /** The amount that was asked for, if it is another; else null. */
  readonly askedMinor: number | null;
  readonly warnings: readonly PaymentWarning[];
}

/** What decides the amount of a new payment. */
interface AmountRequest extends Pick<TransactionRow, 'kind' | 'purpose' | 'requestedMinor'> {
  readonly limitToDue: boolean;
}

/**
 * Decides the amount of a new payment: limited to what is due if the request says so, else compared with it by the
 * property's guard (interface: The guard). A schedule is limited when it fires.
 */
export async function decideAmount(
  work: BookingWork,
  state: BookingState,
  { kind, purpose, requestedMinor, limitToDue }: AmountRequest,
): Promise<Result<DecidedAmount, Failure>> {
  const asked = { requestedMinor, askedMinor: null, warnings: [] };
  if (limitToDue && kind === 'schedule') return ok(asked);
  if (!limitToDue && !isGuarded(state.property, purpose)) return ok(asked);
  const dueMinor = await dueBeforePayment(work, state);
  if (!limitToDue) {
    const judged = judge(state.property, purpose, requestedMinor, dueMinor);
    return judged.ok ? ok({ ...asked, warnings: judged.value }) : judged;
  }
  if (dueMinor === null || requestedMinor <= dueMinor) return ok(asked);
  const limitedMinor = inSteps(work, state, dueMinor);
  if (limitedMinor === 0) return err(exceedsDue(dueMinor, state.booking.currency));
  return ok({ ...asked, requestedMinor: limitedMinor, askedMinor: requestedMinor });
}

/**
 * The amount that a schedule takes when it fires, in minor units without fees; 0 if it takes nothing, because nothing is
 * due: for a schedule that is limited to what is due, and for one that the property's guard would refuse by now.
 */
export async function amountOfSchedule(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
): Promise<number> {
  const refuses =
    state.property.overchargeGuard === 'refuse' && isGuarded(state.property, row.purpose);
  if (!row.limitToDue && !refuses) return row.requestedMinor;
  const dueMinor = openDueMinor(state.booking, await readStanding(work));
  const askedMinor = row.askedMinor ?? row.requestedMinor;
  if (dueMinor === null) return askedMinor;
  if (row.limitToDue) {
    return askedMinor <= dueMinor ? askedMinor : inSteps(work, state, dueMinor);
  }
  return dueMinor === 0 ? 0 : row.requestedMinor;
}

/** The most that the gateway takes of an amount, in minor units: some take only multiples of a step. */
function inSteps(work: BookingWork, { booking }: BookingState, amountMinor: number): number {
  const stepMinor = work.gateway.amountStepMinor(booking.currency);
  return Math.floor(amountMinor / stepMinor) * stepMinor;
}

/**
 * What is due before a new payment, less what is uncertain; null if the total is not known. A booking's payments follow
 * each other, so what the last one left is remembered, and a guarded charge costs no read of its own.
 */
async function dueBeforePayment(
  work: BookingWork,
  { booking }: BookingState,
): Promise<number | null> {
  if (booking.totalCostMinor === 0) return null;
  const { memory } = work;
  // A new object: this operation knows what it leaves behind.
  memory.standing = { ...(memory.standing ?? (await readStanding(work))) };
  return openDueMinor(booking, memory.standing);
}

async function readStanding({ database, propertyId, reference }: BookingWork): Promise<Standing> {
  const read = await readBalance(database, { propertyId, reference }, null);
  if (!read.ok) throw new Error('a booking without a balance');
  const { paidMinor, uncertainMinor } = read.value;
  return { paidMinor, uncertainMinor };
}
