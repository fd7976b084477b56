import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { BookingWork } from '../../operation/work.ts';
import { type BookingState, cardInUse } from '../../records/bookings/rules.ts';
import type { Standing } from '../../records/history/sums.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { openQuote, type SealedQuote } from './quoteSeal.ts';
import { checkQuote, quoteInvalid, quoteStale } from './rules/quoteCheck.ts';
import type { PaymentRequest } from './rules.ts';
import { selectByQuote } from './store.ts';

/** A payment that names a quote, or none. */
type QuotingRequest = PaymentRequest &
  Pick<TransactionRow, 'kind'> & { readonly quoteId: string | null };

/**
 * The quote that a payment is to be made by, checked against what the payment meets; null if it names none. Payments of a
 * booking follow each other, so a quote is used once.
 */
export async function quoteToUse(
  work: BookingWork,
  state: BookingState,
  request: QuotingRequest,
  named: CardRow | null,
  standing: Standing | null,
): Promise<Result<SealedQuote | null, Failure>> {
  if (request.quoteId === null || standing === null) return ok(null);
  const quote = await openQuote(work.keyring, work.propertyId, request.quoteId);
  if (quote === null) return err(quoteInvalid());
  const card = request.cardToken === null ? cardInUse(state) : named;
  const refused = checkQuote(quote, state, request, { card, standing, nowMs: work.now() });
  if (refused) return err(refused);
  const [[used]] = await work.database.batch('d1.transaction.read', [
    selectByQuote(work.database.queries, quote.id),
  ]);
  return used ? err(quoteStale()) : ok(quote);
}
