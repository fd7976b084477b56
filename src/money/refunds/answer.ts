import { z } from '@hono/zod-openapi';
import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Outcome } from '../../gateways/gateway.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { RefundRow } from '../../schema/moneyTables.ts';
import { createdRefundView, type RefundView, refundSchema } from './views.ts';

/** The answer to a refund request: one record for each charge that was refunded. */
export const refundsAnswerSchema = z.object({
  refunds: z.array(refundSchema).describe('one for each charge that was refunded'),
});

export type RefundsAnswer = z.infer<typeof refundsAnswerSchema>;

/** A refund request after its last round. */
export interface RefundProgress {
  readonly askedMinor: number;
  /** The records that the request made, in any status. */
  readonly refunds: readonly RefundRow[];
  /** The last outcome that failed a part; null if there was none, or it is no longer known. */
  readonly rejection: Outcome | null;
  /** Why nothing more is refunded, where a charge is disputed; null otherwise. */
  readonly disputed: Failure | null;
}

/**
 * The answer to a refund request, from the records that it made. While a part is in `Processing`, the outcome is
 * unknown. If less was refunded than requested, the failure says why and lists what was refunded.
 */
export function refundAnswer(
  { askedMinor, refunds, rejection, disputed }: RefundProgress,
  cardOf: (chargeId: number) => CardRow | null,
  timeZone: string,
): Result<RefundsAnswer, Failure> {
  const view = (row: RefundRow) => createdRefundView(row, cardOf(row.transactionId), timeZone);
  if (refunds.some(({ status }) => status === 'Processing')) {
    const notFailed = refunds.filter(({ status }) => status !== 'Failed');
    return err(stillUnknown(notFailed.map((row) => ({ ...view(row), status: row.status }))));
  }
  const made = refunds.filter(({ status }) => status === 'Refunded');
  const sumMinor = made.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const views = made.map(view);
  if (sumMinor === askedMinor) return ok({ refunds: views });
  return err(
    disputed ? { ...disputed, members: { refunds: views } } : notRefunded(rejection, views),
  );
}

function stillUnknown(refunds: RefundView[]): Failure {
  return failure(
    'outcome_unknown',
    'The gateway did not answer. The service is checking the outcome and refunds nothing twice.',
    { refunds },
  );
}

function notRefunded(rejection: Outcome | null, refunds: RefundView[]): Failure {
  const detail =
    refunds.length === 0
      ? 'The gateway did not accept the refund. Nothing was refunded.'
      : 'The gateway did not accept the whole refund. `refunds` lists what was refunded.';
  if (rejection?.kind !== 'declined') return failure('gateway_error', detail, { refunds });
  const { declineCode, retryable } = rejection;
  return failure('card_declined', detail, { declineCode, retryable, refunds });
}
