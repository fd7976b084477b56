import { commit } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { reversalMessage } from '../../pms/rules/messages.ts';
import { readPayment } from '../payments/correct.ts';
import { type RefundSubject, refundWrites } from './gatewayOperation.ts';
import { isSameRefund, nextWatchMs } from './rules.ts';
import { updateRefund } from './store.ts';

/**
 * Asks after a refund that the acquirer accepted but had not carried out yet: it can still fail, and the event of that
 * can be lost (interface: Refunds).
 */
export async function watchRefund(work: BookingWork, subject: RefundSubject): Promise<void> {
  const { refund, charge, card } = subject;
  const report = await readPayment(work, charge.gatewayReference, card.gatewayToken);
  const records = report.kind === 'payment' ? report.payment.refunds : [];
  const record = records.find((one) => isSameRefund(refund, one));
  if (record?.status === 'failed') {
    return failRefundLate(work, subject, record.reason ?? 'failed at the gateway');
  }
  const dueAtMs = record?.status === 'succeeded' ? null : nextWatchMs(refund, work.now());
  const change = updateRefund(work.database.queries, refund, { dueAtMs });
  await work.database.batch('d1.refund.postpone', [change]);
}

/**
 * Records that a completed refund has failed after all: its amount can be refunded again, and the PMS gets the reversal
 * (interface: Refunds). The schema refuses to record this twice.
 */
export async function failRefundLate(
  work: BookingWork,
  subject: RefundSubject,
  why: string,
): Promise<void> {
  await commit(work, 'd1.refund.apply', lateFailureWrites(work, subject, why));
}

/** The writes that record it. The charge has the refund's amount reserved. */
export function lateFailureWrites(
  work: BookingWork,
  subject: RefundSubject,
  why: string | undefined,
): Write[] {
  const { state, refund, charge, card } = subject;
  const nowMs = work.now();
  const change = {
    status: 'Failed' as const,
    dueAtMs: null,
    completedAtMs: nowMs,
    learntAtMs: nowMs,
  };
  const failed = { ...refund, ...change, version: refund.version + 1 };
  const id = work.ids.next('refund', work.now());
  const reversal = reversalMessage({ ...state, card }, failed, charge.gateway, id);
  return [
    ...refundWrites(work, subject, change, why),
    ...queueMessage(work, state.property, reversal),
  ];
}
