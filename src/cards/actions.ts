import type { CardFacts } from '../core/cardNumbers.ts';
import { type Failure, failure } from '../core/failure.ts';
import { hex } from '../core/ids.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { ElementCard } from '../gateways/cardElement.ts';
import type { CardEntry, Gateway } from '../gateways/gateway.ts';
import type { Crossings } from '../io/crossings.ts';

/** What is kept of a card besides what it is. */
export type Kept = Pick<CardRow, 'propertyId' | 'enteredBy' | 'requestId' | 'createdAtMs'>;

/**
 * Hands a card to the gateway's vault and returns the row to keep: a token of our own, the vault's, and what
 * a person may see. The number and the CVV are in `entry` and nowhere else. `account` is the property's own one at the
 * gateway, if it has one.
 */
export async function vaultCard(
  gateway: Gateway,
  crossings: Crossings,
  entry: CardEntry,
  facts: CardFacts,
  account: string | null,
  kept: Kept,
): Promise<Result<CardRow, Failure>> {
  const vaulted = await crossings.cross('gateway.tokenize', () => gateway.tokenize(entry, account));
  if (vaulted.kind === 'refused') {
    return err(failure('gateway_error', 'The gateway did not take the card. Nothing was kept.'));
  }
  return ok({
    ...kept,
    ...facts,
    token: hex(crypto.getRandomValues(new Uint8Array(16))),
    bookingReference: null,
    gateway: gateway.name,
    gatewayToken: vaulted.gatewayToken,
    holderName: entry.holderName,
    expiryMonth: entry.expiryMonth,
    expiryYear: entry.expiryYear,
  });
}

/**
 * The row of a card that the acquirer's own form took. Its token goes by the vault's, so that a card that is brought
 * twice, such as by a page that is loaded again, is the same card.
 */
export async function elementCardRow(
  gateway: Gateway['name'],
  gatewayToken: string,
  { facts, ...described }: ElementCard,
  kept: Kept,
): Promise<CardRow> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(gatewayToken));
  return {
    ...kept,
    ...facts,
    ...described,
    token: hex(new Uint8Array(digest).subarray(0, 16)),
    bookingReference: null,
    gateway,
    gatewayToken,
  };
}
