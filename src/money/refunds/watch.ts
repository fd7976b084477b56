import type { BookingWork } from '../../operation/work.ts';
import { readPayment } from '../payments/correct.ts';
import { failRefundLate } from './failLate.ts';
import type { RefundSubject } from './gatewayOperation.ts';
import { isSameRefund, nextWatchMs } from './rules.ts';
import { updateRefund } from './store.ts';

/**
 * Asks after a refund that the acquirer accepted but had not carried out yet: it can still fail, and the news of that
 * can be lost (interface: Refunds).
 */
export async function watchRefund(work: BookingWork, subject: RefundSubject): Promise<void> {
  const { refund, charge, card } = subject;
  const report = await readPayment(work, charge.gatewayReference ?? '', card?.gatewayToken ?? '');
  const records = report.kind === 'payment' ? report.payment.refunds : [];
  const record = records.find((one) => isSameRefund(refund, one));
  if (record?.status === 'failed') {
    return failRefundLate(work, subject, record.reason ?? 'failed at the gateway');
  }
  const dueAtMs = record?.status === 'succeeded' ? null : nextWatchMs(refund, work.now());
  const change = updateRefund(work.database.queries, refund, { dueAtMs });
  await work.database.batch('d1.refund.postpone', [change]);
}
