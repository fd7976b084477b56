import { err, ok, type Result } from '../../core/result.ts';
import { type CallerKey, requireFreshKey } from '../../operation/idempotency.ts';
import { type BookingWork, bookingState, decideAgain } from '../../operation/work.ts';
import type { Agreed } from '../../records/guestActs/rules.ts';
import { agreementOfPayment } from '../../records/guestActs/store.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { readTotals } from '../balance/readBalance.ts';
import { balanceOf } from '../balance/rules/balance.ts';
import { applyOutcome, isCertain, lookUp } from '../gateway/operation.ts';
import { abandon, awaitBank } from '../gateway/resolve.ts';
import { recordWish } from '../payments/callOff.ts';
import { type FactsRead, type PaymentCommand, readForCharge } from '../payments/charge.ts';
import { transactionOperation } from '../payments/gatewayOperation.ts';
import { type LoadedTransaction, loadTransaction } from '../payments/loadTransaction.ts';
import { pay } from '../payments/pay.ts';
import { selectTransactions } from '../payments/store.ts';
import { nameSuperseding } from '../payments/superseded.ts';
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
  /** What the page said that its guest pays, and from where they did. */
  readonly agreed?: Agreed;
}

/**
 * Charges a guest's own card with the amount due or a part of it (interface: Paying). A repeated request gets its first
 * answer, also where too many cards were declined by now.
 */
export async function payAsGuest(
  work: BookingWork,
  command: GuestPaymentCommand,
): Promise<Result<TransactionAnswer>> {
  const paid = await pay(work, command, {
    read: () => readForGuest(work, command),
    besides: (row) => [...nameSuperseding(work, row), ...agreementOfPayment(row, command.agreed)],
  });
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
): Promise<Result<FactsRead>> {
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

/** A guest comes back to their payment, or gives it up. */
export interface GuestStepCommand {
  readonly chargeId: number;
  readonly givesUp: boolean;
}

/** What is left for a guest to do about a payment of theirs. */
export interface GuestStep {
  /** Where they confirm it; null if their bank does not ask, or no longer. */
  readonly bankUrl: string | null;
}

const NOTHING_TO_DO: GuestStep = { bankUrl: null };

const GIVEN_UP = 'given up by its guest';

/**
 * Asks the acquirer what became of a guest's payment, and records it (interface: The bank's step). A payment that the
 * guest gives up is canceled there, unless it was taken before. That they gave it up is recorded first: a request that
 * was lost is then not sent again, and one whose acquirer does not answer now is canceled later. Asking again changes
 * nothing.
 */
export async function followGuestPayment(
  work: BookingWork,
  { chargeId, givesUp }: GuestStepCommand,
): Promise<Result<GuestStep>> {
  const found = await decideAgain(work, () => beginStep(work, { chargeId, givesUp }));
  if (!found.ok) return found;
  if (found.value === null) return ok(NOTHING_TO_DO);
  const operation = transactionOperation(work, found.value);
  const said = await lookUp(work, operation.lookUpRequest);
  if (isCertain(said)) await applyOutcome(work, operation, said);
  if (said.kind !== 'open') return ok(NOTHING_TO_DO);
  const after = givesUp
    ? await abandon(work, operation, said)
    : await awaitBank(work, operation, said);
  return ok({ bankUrl: after.status === 'Processing' ? said.url : null });
}

/** The payment, once it is recorded that its guest gave it up, if they did; null if nothing is left to do about it. */
async function beginStep(
  work: BookingWork,
  { chargeId, givesUp }: GuestStepCommand,
): Promise<Result<LoadedTransaction | null>> {
  const found = await loadTransaction(work, chargeId);
  if (!found.ok) return found;
  const { initiator, status } = found.value.row;
  if (status !== 'Processing' || initiator !== 'guest') return ok(null);
  if (!givesUp) return found;
  const wished = await recordWish(work, found.value, null, GIVEN_UP);
  return wished.ok ? ok(wished.value.unwanted) : wished;
}
