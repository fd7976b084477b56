import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type CallerKey, requireFreshKey } from '../../operation/idempotency.ts';
import type { BookingWork } from '../../operation/work.ts';
import { selectBooking } from '../../records/bookings/store.ts';
import { bookingTotals } from '../../records/history/rules/totals.ts';
import { knownHistory, selectHistory } from '../../records/history/sumsStore.ts';
import { balanceOf, openAmountsOf } from '../balance/rules/balance.ts';
import { charge, type FactsRead, readForCharge } from '../payments/charge.ts';
import type { PaymentCommand } from '../payments/paymentCommand.ts';
import { selectTransactions } from '../payments/store.ts';
import type { TransactionAnswer } from '../payments/views.ts';
import {
  checkGuestPayment,
  countDeclines,
  type GuestPayment,
  paidInstead,
  staysScheduledMinor,
} from './rules.ts';

/**
 * A guest's payment as it reaches the booking's object, with the total that the page showed. The page makes its key, so
 * that a double click pays once.
 */
export interface GuestPaymentCommand extends PaymentCommand, Omit<GuestPayment, 'requestedMinor'> {
  readonly cardToken: string;
  readonly purpose: GuestPayment['purpose'];
  readonly caller: CallerKey;
  readonly agreedMinor: number;
}

/** Charges a guest's own card with the amount due or a part of it (interface: Paying). */
export function payAsGuest(
  work: BookingWork,
  command: GuestPaymentCommand,
): Promise<Result<TransactionAnswer, Failure>> {
  return charge(work, command, () => readForGuest(work, command));
}

/**
 * Reads what the payment is decided on, and checks it against D1's current rows. It runs in the booking's own turn, so that
 * no other payment can come in between.
 */
async function readForGuest(
  work: BookingWork,
  command: GuestPaymentCommand,
): Promise<Result<FactsRead, Failure>> {
  // A repeated request gets its first answer, whatever is due by now.
  await requireFreshKey(work, command.caller);
  const { database, memory, propertyId, reference } = work;
  const [[property], [booking], cards, rows, ...entries] = await database.batch(
    'd1.transactions.read',
    [
      ...selectBooking(propertyId, reference),
      selectTransactions({ propertyId, reference }),
      ...selectHistory({ propertyId, reference }),
    ],
  );
  const state = property && booking ? { property, booking, cards } : null;
  memory.state = state;
  memory.history = { ...knownHistory(...entries), open: openAmountsOf(rows) };
  const balance = balanceOf(booking?.totalCostMinor ?? 0, bookingTotals(memory.history));
  const nowMs = work.now();
  const stepMinor = work.gateway.amountStepMinor(command.currency);
  const instead = paidInstead(rows, balance, command, stepMinor);
  const declines = countDeclines(rows, nowMs);
  const refused = checkGuestPayment(state, command, balance, { declines, nowMs, instead });
  if (refused) return err(refused);
  const facts = await readForCharge(work, command);
  // What this payment is instead of is not scheduled beside it.
  const scheduledMinor = staysScheduledMinor(balance, instead);
  return facts.ok ? ok({ ...facts.value, totals: { ...balance, scheduledMinor } }) : facts;
}
