import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type CallerKey, requireFreshKey } from '../../operation/idempotency.ts';
import { type BookingWork, bookingState } from '../../operation/work.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { readTotals } from '../balance/readBalance.ts';
import { balanceOf } from '../balance/rules/balance.ts';
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

/**
 * Charges a guest's own card with the amount due or a part of it (interface: Paying). A repeated request gets its first
 * answer, also where too many cards were declined by now.
 */
export async function payAsGuest(
  work: BookingWork,
  command: GuestPaymentCommand,
): Promise<Result<TransactionAnswer, Failure>> {
  const paid = await charge(work, command, () => readForGuest(work, command));
  if (!paid.ok && paid.error.code === 'rate_limited') await requireFreshKey(work, command.caller);
  return paid;
}

/**
 * Reads what the payment is decided on, and checks it. It runs in the booking's own turn, so that no other payment can
 * come in between. A remembered booking needs no round trip.
 */
async function readForGuest(
  work: BookingWork,
  command: GuestPaymentCommand,
): Promise<Result<FactsRead, Failure>> {
  const state = await bookingState(work);
  const rows = await readTransactions(work);
  const balance = balanceOf(state?.booking.totalCostMinor ?? 0, await readTotals(work));
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

/** All of the booking's transactions, from memory or by one round trip. */
async function readTransactions(work: BookingWork): Promise<readonly TransactionRow[]> {
  const { database, memory, propertyId, reference } = work;
  if (memory.rows) return memory.rows.transactions;
  const [rows] = await database.batch('d1.transactions.read', [
    selectTransactions({ propertyId, reference }),
  ]);
  return rows;
}
