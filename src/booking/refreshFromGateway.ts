import { err, ok, type Result } from '../core/result.ts';
import type { Approval, PaymentRecord, PaymentReport } from '../gateways/gateway.ts';
import { approval } from '../gateways/rules/outcome.ts';
import { recordDispute } from '../money/disputes/record.ts';
import { applyOutcome, ask, isCertain, lookUp } from '../money/gateway/operation.ts';
import {
  chargedCard,
  correctReference,
  correctTransaction,
  findOwnPayment,
  isAnothers,
  readPayment,
} from '../money/payments/correct.ts';
import { transactionOperation } from '../money/payments/gatewayOperation.ts';
import {
  cardOf,
  type LoadedTransaction,
  readTransaction,
} from '../money/payments/loadTransaction.ts';
import { TRANSACTION_NOT_FOUND } from '../money/payments/rules.ts';
import { takeOver } from '../money/payments/takeOver.ts';
import { correctOneRefund } from '../money/refunds/correct.ts';
import { readRefunds } from '../money/refunds/gatewayOperation.ts';
import { type BookingWork, bookingState, onCurrentState } from '../operation/work.ts';
import { refusedByGuard } from '../platform/db/errors.ts';
import { uncertain } from '../records/bookings/rules.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';

/** A payment that an acquirer's event names: its id there, our reference of the charge, and the account. */
export interface ReportedPayment {
  readonly payment: string;
  readonly reference: string;
  readonly account: string | null;
}

/** A dispute of the charge with this reference, on the account that reported it. */
interface ReportedDispute extends Omit<ReportedPayment, 'payment'> {
  readonly disputeId: string;
}

export interface Refreshed {
  readonly corrected: number;
}

/** How many corrections one call makes at most: a charge has few refunds. The next refresh makes the rest. */
const MOST_CORRECTIONS = 50;

/**
 * Reads the acquirer's record of a payment and brings ours into agreement: ends an operation in `Processing` before its
 * alarm, corrects final states and amounts, and adds refunds that were made at the acquirer. A payment of this booking
 * that is not here is taken over. If the acquirer gives no certain answer, the result is `outcome_unknown`, so that it
 * sends the event again; the alarm keeps its time.
 */
export async function refreshFromGateway(
  work: BookingWork,
  reported: ReportedPayment,
): Promise<Result<Refreshed>> {
  work.memory.forget();
  const found = await findCharge(work, reported.reference, reported.account);
  const report = found
    ? await readOwn(work, found, reported.payment)
    : await ask(work, 'gateway.payment', (gateway) =>
        gateway.payment(reported.payment, reported.account),
      );
  if (report.kind === 'unknown') return err(uncertain());
  if (report.kind === 'absent') return err(TRANSACTION_NOT_FOUND);
  let corrected = 0;
  if (found === null) {
    const { account } = reported;
    const taken = await onCurrentState(work, () =>
      takeOver(work, { payment: report.payment, account }),
    );
    if (taken !== 'taken') {
      return err(taken === 'unknown' ? uncertain() : TRANSACTION_NOT_FOUND);
    }
    corrected = 1;
  }
  while (corrected < MOST_CORRECTIONS) {
    const step = await onCurrentState(work, () => correctOnce(work, reported, report.payment));
    if (step === 'unknown') return err(uncertain());
    if (step === 'agrees') break;
    corrected += 1;
  }
  return ok({ corrected });
}

/**
 * Reads a payment if it is the charge's. If it is not, although the charge was accepted as that payment by hand, looks
 * for the charge's own.
 */
async function readOwn(
  work: BookingWork,
  charge: LoadedTransaction,
  id: string,
): Promise<PaymentReport> {
  const report = await readPayment(work, id, charge.card.gatewayToken);
  const { gatewayReference: known, reference, status } = charge.row;
  if (report.kind === 'payment' && report.payment.about?.reference === reference) return report;
  if (report.kind === 'unknown') return report;
  const names = [id, ...(report.kind === 'payment' ? [report.payment.gatewayReference] : [])];
  const isNamed = status === 'Accepted' && known !== null && names.includes(known);
  return isNamed ? findOwnPayment(work, charge) : { kind: 'absent' };
}

/** Makes one correction, on the charge and its refunds as D1 has them now. */
async function correctOnce(
  work: BookingWork,
  { account, reference }: ReportedPayment,
  payment: PaymentRecord,
): Promise<'corrected' | 'agrees' | 'unknown'> {
  const charge = await findCharge(work, reference, account);
  if (charge === null) return 'agrees';
  try {
    if (isSecond(charge.row, payment)) return await replaceNamed(work, charge, payment);
    const settled = await settle(work, charge, payment);
    if (settled !== 'agrees') return settled;
    const all = work.memory.rows?.refunds ?? (await readRefunds(work));
    const own = all.filter(({ transactionId }) => transactionId === charge.row.id);
    return (await correctOneRefund(work, charge, own, payment.refunds)) ? 'corrected' : 'agrees';
  } catch (error) {
    // More is given back here or there than the charge has room for: a difference that reconciliation reports.
    if (refusedByGuard(error, 'transactions_refund_reserved')) return 'agrees';
    throw error;
  }
}

/**
 * Whether a charge or hold is known here as another payment: the acquirer made a second one for the same transaction. It
 * says nothing of the first. Reconciliation reports it.
 */
function isSecond({ gatewayReference: known }: TransactionRow, payment: PaymentRecord): boolean {
  return known !== null && known !== payment.id && known !== payment.gatewayReference;
}

/**
 * A charge that was accepted by hand may name a payment that is not its own: then the one that was taken for it replaces
 * that. Otherwise there are two, which is no correction.
 */
async function replaceNamed(
  work: BookingWork,
  charge: LoadedTransaction,
  payment: PaymentRecord,
): Promise<'corrected' | 'agrees' | 'unknown'> {
  const { card, row } = charge;
  const { gatewayReference, status } = row;
  if (status !== 'Accepted' || payment.status !== 'taken' || gatewayReference === null) {
    return 'agrees';
  }
  const named = await readPayment(work, gatewayReference, card.gatewayToken);
  if (named.kind === 'unknown') return 'unknown';
  if (!isAnothers(named, row)) return 'agrees';
  await correctReference(work, charge, payment);
  return 'corrected';
}

/** Brings the charge itself into agreement. An operation in `Processing` gets its own outcome, if that is certain. */
async function settle(
  work: BookingWork,
  charge: LoadedTransaction,
  payment: PaymentRecord,
): Promise<'corrected' | 'agrees' | 'unknown'> {
  const isWaiting = charge.row.status === 'Processing' && !endedOtherwise(charge.row, payment);
  const settled = isWaiting ? await settleWaiting(work, charge, payment) : null;
  if (settled !== null) return settled;
  // Of a charge that is not known here yet, D1 may have another card than the one that was charged.
  const isNew = charge.row.gatewayReference === null;
  const card = isNew ? await chargedCard(work, charge.card, payment) : charge.card;
  if (card === null) return 'unknown';
  const further = { cardToken: card.token };
  const { corrected } = await correctTransaction(work, { ...charge, card }, payment, further);
  return corrected ? 'corrected' : 'agrees';
}

/** Ends an operation under way if its outcome is certain; null if the payment's record may correct it. */
async function settleWaiting(
  work: BookingWork,
  charge: LoadedTransaction,
  payment: PaymentRecord,
): Promise<'corrected' | 'agrees' | 'unknown' | null> {
  if (payment.status === 'pending') return 'unknown';
  // It waits for its guest: the alarm ends it in time.
  if (payment.status === 'open') return 'agrees';
  const operation = transactionOperation(work, charge);
  const found =
    outcomeOfPayment(charge.row, payment) ?? (await lookUp(work, operation.lookUpRequest));
  if (isCertain(found)) {
    const after = await applyOutcome(work, operation, found);
    return after.status === 'Processing' ? 'unknown' : 'corrected';
  }
  return found.kind === 'unknown' && !isFollowUp(charge) ? 'unknown' : null;
}

/** Whether the hold that a capture or release under way is about was ended by the other of the two, at the acquirer. */
function endedOtherwise({ pendingOperation }: TransactionRow, { status }: PaymentRecord): boolean {
  return pendingOperation === 'capture'
    ? status === 'released'
    : status === 'taken' && (pendingOperation === 'release' || pendingOperation === 'expire');
}

/** The outcome of a charge or hold under way that the payment itself is; null if its record does not tell. */
function outcomeOfPayment(row: TransactionRow, payment: PaymentRecord): Approval | null {
  if (payment.idempotencyKey !== row.gatewayKey) return null;
  const { askedMinor, atMs, gatewayReference, lapsesAtMs, status, takenMinor } = payment;
  if (row.pendingOperation === 'charge' && status === 'taken') {
    return approval(gatewayReference, { amountMinor: takenMinor, atMs });
  }
  return row.pendingOperation === 'authorize' && status === 'held'
    ? approval(gatewayReference, { amountMinor: askedMinor, atMs, lapsesAtMs })
    : null;
}

/** A capture or release under way: what it is about can end otherwise at the acquirer. */
function isFollowUp({ row }: LoadedTransaction): boolean {
  return row.pendingOperation !== 'charge' && row.pendingOperation !== 'authorize';
}

/**
 * Saves a dispute on its charge, in the state that the acquirer reports now (interface: Disputes). Only what was taken is
 * disputed: a charge that was not accepted here is corrected first.
 */
export async function refreshDispute(
  work: BookingWork,
  { account, disputeId, reference }: ReportedDispute,
): Promise<Result<Refreshed>> {
  const report = await work.trace.span('gateway.dispute', () =>
    work.gateway.dispute(disputeId, account),
  );
  if (report.kind === 'unknown') return err(uncertain());
  if (report.kind === 'absent') return err(TRANSACTION_NOT_FOUND);
  const { payment } = report;
  const before = await refreshDisputed(work, { payment, reference, account });
  if (!before.ok) return before;
  return onCurrentState(work, async () => {
    const charge = await findCharge(work, reference, account);
    if (charge === null) return err(TRANSACTION_NOT_FOUND);
    if (charge.row.status !== 'Accepted') return err(uncertain());
    const changed = await recordDispute(work, charge, report.dispute);
    return ok({ corrected: before.value.corrected + (changed ? 1 : 0) });
  });
}

/**
 * Only what was taken can be disputed: a charge that does not count as taken here is corrected first. A payment other
 * than the charge's own, which happens to name its reference, is none of this service.
 */
async function refreshDisputed(
  work: BookingWork,
  disputed: ReportedPayment,
): Promise<Result<Refreshed>> {
  work.memory.forget();
  const charge = await findCharge(work, disputed.reference, disputed.account);
  if (charge?.row.status !== 'Accepted') return refreshFromGateway(work, disputed);
  const report = await readPayment(work, disputed.payment, charge.card.gatewayToken);
  if (report.kind === 'unknown') return err(uncertain());
  if (report.kind === 'absent') return err(TRANSACTION_NOT_FOUND);
  const { gatewayReference } = report.payment;
  if (gatewayReference === charge.row.gatewayReference) return ok({ corrected: 0 });
  const refreshed = await refreshFromGateway(work, disputed);
  if (!refreshed.ok) return refreshed;
  const after = await findCharge(work, disputed.reference, disputed.account);
  return after?.row.gatewayReference === gatewayReference ? refreshed : err(TRANSACTION_NOT_FOUND);
}

/**
 * A charge with its card, as it is remembered or as D1 has it; null if this account has no such charge. An event of another
 * account is ignored: its owner can report anything.
 */
async function findCharge(work: BookingWork, own: string, account: string | null) {
  const state = await bookingState(work);
  if (!state) return null;
  const remembered = work.memory.rows?.transactions.find(({ reference }) => reference === own);
  const row = remembered ?? (await readTransaction(work, { reference: own }));
  const card = row && (await cardOf(work, state, row));
  return row && card && work.gateway.accountOf(card.gatewayToken) === account
    ? { state, row, card }
    : null;
}
