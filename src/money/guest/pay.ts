import type { Failure } from '../../core/failure.ts';
import { type Answered, type CallerKey, requireFreshKey } from '../../operation/idempotency.ts';
import type { BookingWork } from '../../operation/work.ts';
import { selectBooking } from '../../records/bookings/store.ts';
import { selectChargeTotals } from '../../records/history/sumsStore.ts';
import { balanceOfRows, openAmountsOf } from '../balance/rules/balance.ts';
import { create, type PaymentCommand } from '../payments/create.ts';
import { selectTransactions } from '../payments/store.ts';
import type { TransactionAnswer } from '../payments/views.ts';
import { paidInstead, staysScheduledMinor } from './rules/paidInstead.ts';
import { checkGuestPayment, countDeclines, type GuestPayment } from './rules.ts';

/** A guest's payment as it reaches the booking's object. The page makes its key, so that a double click pays once. */
export interface GuestPaymentCommand extends PaymentCommand, Omit<GuestPayment, 'requestedMinor'> {
  readonly cardToken: string;
  readonly purpose: GuestPayment['purpose'];
  readonly caller: CallerKey;
}

/** Charges a guest's own card with the amount due or a part of it (interface: Paying). */
export async function payAsGuest(
  work: BookingWork,
  command: GuestPaymentCommand,
): Promise<Answered<TransactionAnswer>> {
  const made = await create(work, command, () => check(work, command));
  // What was taken out for this payment is read again.
  work.memory.sums = null;
  return made;
}

/**
 * Checks the payment against D1's current rows. It runs in the booking's own turn, so that no other payment can come in
 * between, and the guest pays only the price that the page showed.
 */
async function check(work: BookingWork, command: GuestPaymentCommand): Promise<Failure | null> {
  // A repeated request gets its first answer, whatever is due by now.
  await requireFreshKey(work, command.caller);
  const { database, propertyId, reference } = work;
  const { queries } = database;
  const [[property], [booking], cards, rows, totals] = await database.batch(
    'd1.transactions.read',
    [
      ...selectBooking(queries, propertyId, reference),
      selectTransactions(queries, propertyId, reference),
      selectChargeTotals(queries, { propertyId, reference }),
    ],
  );
  const state = property && booking ? { property, booking, cards } : null;
  const balance = balanceOfRows(booking?.totalCostMinor ?? 0, rows, totals);
  work.memory.state = state;
  const nowMs = work.now();
  const stepMinor = work.gateway.amountStepMinor(command.currency);
  const declines = countDeclines(rows, nowMs);
  const instead = paidInstead(rows, balance, command, stepMinor);
  // What this payment is instead of is not scheduled beside it.
  const scheduledMinor = staysScheduledMinor(balance, instead);
  work.memory.sums = { totals, open: { ...openAmountsOf(rows), scheduledMinor } };
  return checkGuestPayment(state, command, balance, { declines, nowMs, stepMinor, instead });
}
