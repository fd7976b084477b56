import { balanceOf } from './balance.ts';
import { price } from './price.ts';
import {
  type BookingModel,
  type CardState,
  isFormer,
  type Lowered,
  moveTo,
  type Payment,
  paymentOf,
} from './state.ts';
import { FIRST_NIGHT_MINOR } from './times.ts';

/** After so many declines within so long, a guest may try no other card. */
export const MOST_DECLINES = 5;
const DECLINES_WITHIN = 10 * 60_000;

/**
 * The cards that a guest may pay with: a guest entered them, the property's account keeps them, and they have not expired
 * by the service's record.
 */
export function guestCards(model: BookingModel): CardState[] {
  return model.cards.filter(
    (card) =>
      card.enteredBy === 'guest' && !isFormer(model, card) && model.nowMs < card.expiresAtMs,
  );
}

export function recentDeclines({ nowMs, payments }: BookingModel): number {
  const sinceMs = nowMs - DECLINES_WITHIN;
  return payments.filter(({ endedAtMs, madeAtMs, status }) =>
    status === 'Declined'
      ? (endedAtMs ?? 0) > sinceMs
      : status === 'Processing' && madeAtMs > sinceMs,
  ).length;
}

/** What a guest may pay now: neither what may be taken already nor what they dispute. */
export function payableMinor(model: BookingModel): number {
  const { disputedMinor, dueMinor, uncertainMinor } = balanceOf(model);
  return Math.max(0, dueMinor - uncertainMinor - disputedMinor);
}

/** The deposit that the page offers: what the first night costs beyond all that is paid or will be; null for none. */
export function depositMinor(model: BookingModel): number | null {
  const { disputedMinor, paidMinor, scheduledMinor, uncertainMinor } = balanceOf(model);
  const towardsMinor = paidMinor + uncertainMinor + disputedMinor + scheduledMinor;
  const leftMinor = FIRST_NIGHT_MINOR - towardsMinor;
  const proposedMinor = payableMinor(model) - scheduledMinor;
  return leftMinor > 0 && leftMinor < proposedMinor ? leftMinor : null;
}

/** What a guest's payment is instead of: schedules that end, and one that takes less. */
export interface Instead {
  readonly replaces: readonly string[];
  readonly lowers: Lowered | null;
}

/** What a guest's payment makes too much of what is scheduled, the latest first (interface: Paying). */
export function paidInstead(model: BookingModel, requestedMinor: number): Instead {
  const staysMinor = Math.max(0, payableMinor(model) - requestedMinor);
  let tooMuchMinor = balanceOf(model).scheduledMinor - staysMinor;
  const replaces: string[] = [];
  for (const schedule of latestFirst(model)) {
    if (tooMuchMinor <= 0) break;
    const leftMinor = schedule.requestedMinor - tooMuchMinor;
    if (leftMinor > 0) {
      return { replaces, lowers: { ref: schedule.ref, ...price(leftMinor, schedule) } };
    }
    replaces.push(schedule.ref);
    tooMuchMinor -= schedule.requestedMinor;
  }
  return { replaces, lowers: null };
}

function latestFirst({ payments }: BookingModel): Payment[] {
  return payments
    .filter(({ purpose, status }) => status === 'Pending' && purpose !== 'Bond')
    .toReversed()
    .toSorted((one, other) => (other.scheduledAtMs ?? 0) - (one.scheduledAtMs ?? 0));
}

/** What stays scheduled beside a guest's payment. */
export function staysScheduled(model: BookingModel, { lowers, replaces }: Instead) {
  const left = model.payments
    .filter(
      ({ purpose, ref, status }) =>
        status === 'Pending' && purpose !== 'Bond' && !replaces.includes(ref),
    )
    .map((it) => (it.ref === lowers?.ref ? lowers.requestedMinor : it.requestedMinor));
  return { scheduledMinor: left.reduce((sum, minor) => sum + minor, 0) };
}

/** Schedules give way to the accepted payment that was made instead of them, as far as they still wait. */
export function giveWay(model: BookingModel, { lowers, replaces, status }: Payment): void {
  if (status !== 'Accepted') return;
  for (const ref of replaces) {
    const schedule = paymentOf(model, ref);
    if (schedule?.status !== 'Pending') continue;
    moveTo(schedule, 'Cancelled');
    schedule.dueAtMs = null;
  }
  if (lowers === null) return;
  const lowered = paymentOf(model, lowers.ref);
  if (lowered?.status !== 'Pending' || lowered.requestedMinor <= lowers.requestedMinor) return;
  const { amountMinor, requestedMinor } = lowers;
  Object.assign(lowered, { amountMinor, requestedMinor, askedMinor: null });
  // The audit trail notes it.
  moveTo(lowered, 'Pending');
}

/** Whether a schedule must wait for the outcome of a payment that it may give way to. */
export function mayGiveWay({ payments }: BookingModel, { ref }: Payment): boolean {
  return payments.some(
    ({ lowers, replaces, status }) =>
      status === 'Processing' && (replaces.includes(ref) || lowers?.ref === ref),
  );
}
