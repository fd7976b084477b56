import type { Failure } from '../../core/failure.ts';
import type { Reader } from '../../core/words/reader.ts';
import type { Folio } from './readFolio.ts';

/** Why a payment is not possible; undefined for what no guest can mend. */
export function issueOf(
  code: Failure['code'],
  { balance, state }: Folio,
  { money, words }: Reader,
): string | undefined {
  const { payIssues } = words;
  switch (code) {
    case 'amount_precision':
      return payIssues.amountPrecision;
    case 'amount_out_of_range':
    case 'amount_exceeds_due':
      return payIssues.amountTooMuch({
        amount: money(balance.payableMinor, state.booking.currency),
      });
    case 'token_not_found':
      return payIssues.cardGone;
    case 'card_expired':
      return payIssues.cardExpired;
    case 'invalid_state':
    case 'idempotency_key_reused':
      return payIssues.changed;
    case 'rate_limited':
      return payIssues.tooManyDeclines;
    case 'gateway_error':
      return payIssues.gateway;
    case 'busy':
      return payIssues.busy;
    default:
      return undefined;
  }
}
