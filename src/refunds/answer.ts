import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { RefundRow } from '../db/moneyTables.ts';
import type { Outcome } from '../gateways/gateway.ts';
import { createdRefundView, type RefundView } from './views.ts';

/** What a refund request answers: a record for each charge that gave a part. */
export interface RefundsAnswer {
  readonly refunds: RefundView[];
}

/** What a refund request has come to. */
export interface RefundProgress {
  readonly askedMinor: number;
  /** The records that it made so far, whatever became of them. */
  readonly refunds: readonly RefundRow[];
  /** The last outcome that kept a part from being refunded; null when none did, or nobody remembers. */
  readonly refusal: Outcome | null;
}

/**
 * The answer to a refund request, from the records that it made. With a part still open it is not known yet; with
 * less refunded than asked for, the answer says why and holds what was refunded.
 */
export function refundAnswer(
  { askedMinor, refunds, refusal }: RefundProgress,
  cardOf: (chargeId: number) => CardRow | null,
  timeZone: string,
): Result<RefundsAnswer, Failure> {
  const view = (row: RefundRow) => createdRefundView(row, cardOf(row.transactionId), timeZone);
  if (refunds.some(({ status }) => status === 'Processing')) {
    const standing = refunds.filter(({ status }) => status !== 'Failed');
    return err(open(standing.map((row) => ({ ...view(row), status: row.status }))));
  }
  const made = refunds.filter(({ status }) => status === 'Refunded');
  const sumMinor = made.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const views = made.map(view);
  return sumMinor === askedMinor ? ok({ refunds: views }) : err(notRefunded(refusal, views));
}

function open(refunds: RefundView[]): Failure {
  return failure(
    'outcome_unknown',
    'The gateway did not answer. What became of the refund is being found out; nothing is refunded twice meanwhile.',
    { refunds },
  );
}

function notRefunded(refusal: Outcome | null, refunds: RefundView[]): Failure {
  const detail =
    refunds.length === 0
      ? 'The gateway did not make the refund. Nothing was refunded.'
      : 'The gateway did not make the whole refund: what was refunded is in `refunds`.';
  if (refusal?.kind !== 'declined') return failure('gateway_error', detail, { refunds });
  const { declineCode, retryable } = refusal;
  return failure('card_declined', detail, { declineCode, retryable, refunds });
}
