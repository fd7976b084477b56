import { holdsCardNumber } from '../../core/cardNumbers.ts';
import { type Failure, failure } from '../../core/failure.ts';
import type { Gateway } from '../../gateways/gateway.ts';
import type { VaultOutcome } from '../../gateways/vault.ts';
import { type About, logWarning } from '../../platform/log.ts';

/**
 * Logs why the vault did not take a card, in the acquirer's own words, and returns what the caller gets: `card_declined`
 * if the card's bank declined it, otherwise `gateway_error` (interface: Tokenize a card).
 */
export function notVaulted(
  outcome: Exclude<VaultOutcome, { readonly kind: 'vaulted' }>,
  gateway: Gateway['name'],
  about: About,
): Failure {
  const { reason, message, parameter, requestId } = outcome.refusal;
  const declineCode = outcome.kind === 'declined' ? outcome.declineCode : undefined;
  logWarning(`card_${outcome.kind}`, {
    ...about,
    gateway,
    declineCode,
    why: loggable(reason),
    message: loggable(message),
    parameter: loggable(parameter),
    gatewayRequestId: loggable(requestId),
  });
  return declineCode === undefined
    ? failure('gateway_error', 'The gateway rejected the card. Nothing was saved.')
    : failure('card_declined', declineDetail(declineCode), { declineCode, retryable: false });
}

/** Acquirers do not repeat card numbers. Should one do so, its words stay out of the log. */
function loggable(words: string | null): string | undefined {
  if (words === null) return undefined;
  return holdsCardNumber(words) ? '(withheld: it holds a card number)' : words;
}

/** If the bank requires authentication, only the cardholder can add the card. */
function declineDetail(declineCode: string): string {
  const sentence = "The card's bank declined the card. Nothing was saved.";
  return declineCode === 'authentication_required'
    ? `${sentence} The bank requires the cardholder to authenticate: let the guest add the card on the payment page.`
    : sentence;
}
