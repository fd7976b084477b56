import type { Failure } from '../../core/failure.ts';
import { sumOf } from '../../core/sum.ts';
import type {
  DisputeRecord,
  Outcome,
  PaymentRecord,
  RefundRecord,
} from '../../gateways/gateway.ts';
import { approval } from '../../gateways/rules/outcome.ts';
import { commit } from '../../operation/commit.ts';
import { type BookingWork, onCurrentState } from '../../operation/work.ts';
import { refusedByGuard } from '../../platform/db/errors.ts';
import { aboutBooking, logError } from '../../platform/log.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';
import { recordDispute } from '../disputes/record.ts';
import { CHARGE_DISPUTED, disputeFailure } from '../disputes/rules.ts';
import { applyOutcome, ask } from '../gateway/operation.ts';
import { asGateway, correctTransaction, readPayment } from '../payments/correct.ts';
import { type LoadedTransaction, loadTransaction } from '../payments/loadTransaction.ts';
import { isAtGateway } from '../payments/rules/cases.ts';
import {
  changedRefund,
  failRefundLate,
  lateFailureWrites,
  type RefundSubject,
  readRefunds,
  refundEntry,
  refundOperation,
  reserveOn,
  tellOfRefund,
} from './gatewayOperation.ts';
import { isSameRefund, newRefund, outcomeOfRecord, refundChange } from './rules.ts';
import { insertRefund, updateRefund } from './store.ts';

/**
 * Corrects the refunds of a charge by the acquirer's record of them (parts: Corrections), one batch each. A
 * refund made at the acquirer becomes a record like any other. Returns whether one was corrected: the caller reads the
 * charge and its refunds again and continues, until nothing is left to correct. Throws if D1 does not commit a change.
 */
export async function correctOneRefund(
  work: BookingWork,
  { state, row: charge, card }: LoadedTransaction,
  known: readonly RefundRow[],
  records: readonly RefundRecord[],
): Promise<boolean> {
  if (!isAtGateway(charge)) return false;
  for (const record of records) {
    const refund = known.find((row) => isSameRefund(row, record));
    const changed = refund
      ? await correctKnown(work, { state, charge, card, refund }, record)
      : await addMissing(work, { state, charge, card }, record);
    if (changed) return true;
  }
  return false;
}

async function correctKnown(
  work: BookingWork,
  subject: RefundSubject,
  record: RefundRecord,
): Promise<boolean> {
  const { refund } = subject;
  const outcome = outcomeOfRecord(record);
  switch (refund.status) {
    case 'Processing': {
      const after = await applyOutcome(work, refundOperation(work, subject), outcome);
      return after.status !== 'Processing';
    }
    case 'Refunded':
      if (outcome.kind === 'rejected') {
        await failRefundLate(asGateway(work), subject, outcome.reason);
        return true;
      }
      return record.status === 'succeeded' && refund.dueAtMs !== null
        ? endWatch(work, refund)
        : false;
    case 'Failed':
      return outcome.kind === 'approved' ? revive(work, subject, record) : false;
  }
}

/** The refund has arrived: it need not be looked after any more. That changes nothing that anyone sees. */
async function endWatch(work: BookingWork, refund: RefundRow): Promise<false> {
  const arrived = updateRefund(refund, { dueAtMs: null });
  await work.database.batch('d1.refund.postpone', [arrived]);
  return false;
}

/** A refund that counted as failed was made: its amount is reserved again. */
async function revive(
  work: BookingWork,
  subject: RefundSubject,
  record: RefundRecord,
): Promise<boolean> {
  const nowMs = work.now();
  const change = { ...refundChange(outcomeOfRecord(record), nowMs), correctedAtMs: nowMs };
  const why = 'corrected by the record of the gateway';
  const { row, writes } = changedRefund(asGateway(work), subject, change, why);
  await commit(work, 'd1.refund.apply', [
    ...writes,
    reserveOn(work, subject.charge, subject.refund.amountMinor),
    ...tellOfRefund(work, subject, row),
  ]);
  return true;
}

/** A refund that a person made at the acquirer. If its money came back since, it has failed already. */
async function addMissing(
  work: BookingWork,
  subject: Omit<RefundSubject, 'refund'>,
  record: RefundRecord,
): Promise<boolean> {
  const { charge, state } = subject;
  if (!record.moved || charge.status !== 'Accepted') return false;
  const refund = gatewayRefund(work, charge, record, state.property.version);
  if (refund.dueAtMs !== null) await work.wakeBy(refund.dueAtMs);
  const gateway = asGateway(work);
  const made = { before: null, after: refund, charge };
  const refundReservedMinor = charge.refundReservedMinor + refund.amountMinor;
  const reserved = { ...subject, refund, charge: { ...charge, refundReservedMinor } };
  await commit(work, 'd1.refund.apply', [
    insertRefund(refund),
    refundEntry(gateway, work.now(), made, 'made at the gateway'),
    ...tellOfRefund(work, subject, refund),
    // One that fails in the batch that adds it needs no room on the charge.
    ...(record.status === 'failed'
      ? lateFailureWrites(gateway, reserved, record.reason ?? undefined)
      : [reserveOn(work, charge, refund.amountMinor)]),
  ]);
  return true;
}

function gatewayRefund(
  work: BookingWork,
  charge: TransactionRow,
  record: RefundRecord,
  propertyVersion: number,
): RefundRow {
  const nowMs = work.now();
  // One that this service made before D1 was restored keeps its reference, which was its key.
  const { amountMinor, atMs, id, idempotencyKey, status } = record;
  const isOwn = idempotencyKey !== null && /^[0-9a-f]{32}$/.test(idempotencyKey);
  const reference = isOwn ? idempotencyKey : work.newReference();
  return newRefund(charge, {
    id: work.ids.next('refund', nowMs),
    reference,
    commandReference: reference,
    amountMinor,
    origin: 'gateway',
    actor: 'gateway',
    propertyVersion,
    createdAtMs: atMs,
    correctedAtMs: nowMs,
    // It was made, whatever became of it.
    ...refundChange(approval(id, { amountMinor, atMs, pending: status === 'pending' }), nowMs),
  });
}

/** How many corrections one look makes at most: a charge has few refunds. Reconciliation makes the rest. */
const MOST_CORRECTIONS = 50;

/**
 * Reads the acquirer's record of a charge whose refund it rejected, and brings ours into agreement: its desk may have
 * refunded the charge meanwhile. Returns whether anything was corrected. Never throws: reconciliation corrects later what
 * this cannot.
 */
export async function correctRejected(
  work: BookingWork,
  { charge, card }: Pick<RefundSubject, 'charge' | 'card'>,
): Promise<boolean> {
  const report = await readPayment(work, charge.gatewayReference, card.gatewayToken);
  if (report.kind !== 'payment') return false;
  const { payment } = report;
  if (payment.about?.reference !== charge.reference) return false;
  let corrected = 0;
  try {
    while (corrected < MOST_CORRECTIONS) {
      const again = await onCurrentState(work, () => correctOnce(work, charge.id, payment));
      if (!again) break;
      corrected += 1;
    }
  } catch (error) {
    logError('refund_correction_failed', error, aboutBooking(work));
  }
  return corrected > 0;
}

/** Makes one correction, on the charge and its refunds as D1 has them now. */
async function correctOnce(
  work: BookingWork,
  id: number,
  payment: PaymentRecord,
): Promise<boolean> {
  const loaded = await loadTransaction(work, id);
  if (!loaded.ok) return false;
  try {
    const { corrected } = await correctTransaction(work, loaded.value, payment);
    if (corrected) return true;
    const known = (await readRefunds(work)).filter(({ transactionId }) => transactionId === id);
    return await correctOneRefund(work, loaded.value, known, payment.refunds);
  } catch (error) {
    // More is given back here or there than the charge has room for: a difference that reconciliation reports.
    if (refusedByGuard(error, 'transactions_refund_reserved')) return false;
    throw error;
  }
}

interface Rejected extends Pick<RefundSubject, 'charge' | 'card'> {
  readonly rejection: Outcome & { readonly kind: 'rejected' };
}

/**
 * Why a charge cannot be refunded after the acquirer rejected that; null if no dispute is the reason. Its disputes at the
 * acquirer are read and recorded: their events may be late. Never throws: reconciliation records what this cannot.
 */
export async function disputeOfRejected(
  work: BookingWork,
  { charge, card, rejection }: Rejected,
): Promise<Failure | null> {
  const disputes = await readDisputes(work, charge, card.gatewayToken);
  for (const dispute of disputes) await record(work, charge.id, dispute);
  const states = disputes.map(({ movements, status }) => ({
    transactionId: charge.id,
    status,
    fundsWithdrawn: sumOf(movements, 'amountMinor') < 0,
  }));
  return disputeFailure(charge.id, states) ?? (rejection.isDisputed ? CHARGE_DISPUTED : null);
}

async function readDisputes(
  work: BookingWork,
  { gatewayReference }: Rejected['charge'],
  gatewayToken: string,
): Promise<readonly DisputeRecord[]> {
  const account = work.gateway.accountOf(gatewayToken);
  const report = await ask(work, 'gateway.dispute', (gateway) =>
    gateway.disputesOf(gatewayReference, account),
  );
  return report.kind === 'disputes' ? report.disputes : [];
}

async function record(work: BookingWork, id: number, dispute: DisputeRecord): Promise<void> {
  try {
    await onCurrentState(work, async () => {
      const loaded = await loadTransaction(work, id);
      return loaded.ok && (await recordDispute(work, loaded.value, dispute));
    });
  } catch (error) {
    logError('dispute_not_recorded', error, aboutBooking(work));
  }
}
