import type { BookingState } from '../bookings/rules.ts';
import type { BookingWork } from '../bookings/work.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { CardRow, RefundRow } from '../db/schema.ts';
import type { Outcome } from '../gateways/gateway.ts';
import { selectTransactionCards, selectTransactions } from '../payments/store.ts';
import { createdRefundView, type RefundView } from './views.ts';

/** What a refund request answers: a record for each charge that gave a part. */
export interface RefundsAnswer {
  readonly refunds: RefundView[];
}

/**
 * The answer to a refund request, from the records that it made. With a part still open it is not known yet; with
 * less refunded than asked for, the answer says why and holds what was refunded.
 */
export async function refundAnswer(
  work: BookingWork,
  state: BookingState,
  askedMinor: number,
  rows: readonly RefundRow[],
  refusal: Outcome | null,
): Promise<Result<RefundsAnswer, Failure>> {
  const cardOf = await cardsOfCharges(work);
  const { timeZone } = state.property;
  const view = (row: RefundRow) => createdRefundView(row, cardOf(row.transactionId), timeZone);
  const made = rows.filter(({ status }) => status === 'Refunded');
  const open = rows.some(({ status }) => status === 'Processing');
  if (open) {
    const refunds = rows
      .filter(({ status }) => status !== 'Failed')
      .map((row) => ({ ...view(row), status: row.status }));
    return err(
      failure(
        'outcome_unknown',
        'The gateway did not answer. What became of the refund is being found out; nothing is refunded twice meanwhile.',
        { refunds },
      ),
    );
  }
  const refunds = made.map(view);
  const sumMinor = made.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return sumMinor === askedMinor ? ok({ refunds }) : err(notRefunded(refusal, refunds));
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

async function cardsOfCharges(work: BookingWork): Promise<(chargeId: number) => CardRow | null> {
  const { queries } = work.database;
  const [charges, cards] = await work.database.batch('d1.transaction.read', [
    selectTransactions(queries, work.propertyId, work.reference),
    selectTransactionCards(queries, work.propertyId, work.reference),
  ]);
  return (chargeId) => {
    const charge = charges.find(({ id }) => id === chargeId);
    return cards.find(({ token }) => token === charge?.cardToken) ?? null;
  };
}
