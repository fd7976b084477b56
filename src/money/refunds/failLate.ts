import type { BookingWork } from '../../operation/work.ts';
import { reversalMessage } from '../../pms/messages.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { type RefundSubject, refundStatements } from './gatewayOperation.ts';

/** The columns of a completed refund that change when it fails after all. */
export function lateFailure(nowMs: number) {
  return { status: 'Failed' as const, dueAtMs: null, completedAtMs: nowMs, learntAtMs: nowMs };
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
  const { state, refund, charge, card } = subject;
  const nowMs = work.now();
  const change = lateFailure(nowMs);
  const failed = { ...refund, ...change, version: refund.version + 1 };
  const id = work.ids.next('refund', work.now());
  const reversal = reversalMessage({ ...state, card }, failed, charge.gateway, id);
  await work.database.batch('d1.refund.apply', [
    ...refundStatements(work, subject, change, why),
    ...queueMessage(work, state.property, reversal),
  ]);
}
