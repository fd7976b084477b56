import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { reversalMessage } from '../../pms/rules/messages.ts';
import { type RefundSubject, refundStatements } from './gatewayOperation.ts';

/**
 * Records that a completed refund has failed after all: its amount can be refunded again, and the PMS gets the reversal
 * (interface: Refunds). The schema refuses to record this twice.
 */
export async function failRefundLate(
  work: BookingWork,
  subject: RefundSubject,
  why: string,
): Promise<void> {
  await work.database.batch('d1.refund.apply', lateFailureStatements(work, subject, why));
}

/** The statements that record it. The charge has the refund's amount reserved. */
export function lateFailureStatements(
  work: BookingWork,
  subject: RefundSubject,
  why: string | undefined,
): [Statement, ...Statement[]] {
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
    ...refundStatements(work, subject, change, why),
    ...queueMessage(work, state.property, reversal),
  ];
}
