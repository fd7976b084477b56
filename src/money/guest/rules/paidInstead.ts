import type { LoweredSchedule, TransactionRow } from '../../../schema/moneyTables.ts';
import type { Balance } from '../../balance/rules/balance.ts';
import { priceOfLess } from '../../pricing/repricing.ts';

export interface AmountToPay {
  /** Minor units without fees. */
  readonly requestedMinor: number;
  /** The ids of the pending schedules that the guest is asked about and pays by it. */
  readonly asked: readonly number[];
}

/** What a guest's payment changes of what is scheduled: what it is wholly instead of, and what then takes less. */
export interface PaidInstead {
  readonly cancelled: readonly TransactionRow[];
  readonly lowered: { readonly row: TransactionRow; readonly to: LoweredSchedule } | null;
}

/**
 * What a payment is instead of: the schedules that its guest is asked about and pays by it, and what it makes too much of
 * the others, the latest first, so that no more stays scheduled than is then payable (interface: Paying). Amounts are
 * minor units without fees; the acquirer takes multiples of `stepMinor`.
 */
export function paidInstead(
  rows: readonly TransactionRow[],
  { payableMinor, scheduledMinor }: Pick<Balance, 'payableMinor' | 'scheduledMinor'>,
  { asked, requestedMinor }: AmountToPay,
  stepMinor: number,
): PaidInstead {
  const pending = rows.filter(({ status, purpose }) => status === 'Pending' && purpose !== 'Bond');
  const isAsked = ({ id }: TransactionRow) => asked.includes(id);
  const cancelled = pending.filter(isAsked);
  const othersLatestFirst = pending
    .filter((row) => !isAsked(row))
    .toSorted((a, b) => (b.scheduledAtMs ?? 0) - (a.scheduledAtMs ?? 0) || b.id - a.id);
  const staysMinor = cancelled.reduce((sum, row) => sum - row.requestedMinor, scheduledMinor);
  let tooMuchMinor = staysMinor - Math.max(0, payableMinor - requestedMinor);
  for (const row of othersLatestFirst) {
    if (tooMuchMinor <= 0) break;
    const leftMinor = Math.floor((row.requestedMinor - tooMuchMinor) / stepMinor) * stepMinor;
    if (leftMinor > 0) {
      const to = { id: row.id, ...priceOfLess(row, leftMinor, stepMinor) };
      return { cancelled, lowered: { row, to } };
    }
    cancelled.push(row);
    tooMuchMinor -= row.requestedMinor;
  }
  return { cancelled, lowered: null };
}

/** What stays scheduled after that, in minor units without fees. */
export function staysScheduledMinor(
  { scheduledMinor }: Pick<Balance, 'scheduledMinor'>,
  { cancelled, lowered }: PaidInstead,
): number {
  const lessMinor = lowered === null ? 0 : lowered.row.requestedMinor - lowered.to.requestedMinor;
  return cancelled.reduce((sum, row) => sum - row.requestedMinor, scheduledMinor - lessMinor);
}
