import type { CardFacts } from '../../core/cardNumbers.ts';
import type { Failure } from '../../core/failure.ts';
import { hex } from '../../core/ids.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { ElementCard } from '../../gateways/cardElement.ts';
import type { CardEntry, Gateway } from '../../gateways/gateway.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import { newReference } from '../../platform/ids.ts';
import type { About } from '../../platform/log.ts';
import type { Trace } from '../../platform/trace.ts';
import { notVaulted } from './notVaulted.ts';

/** How and when the service got a card. */
export type Kept = Pick<CardRow, 'propertyId' | 'enteredBy' | 'requestId' | 'createdAtMs'>;

/** What storing a card in a vault works with. `about` names the request in the log. */
export interface VaultWork {
  readonly gateway: Gateway;
  /** Whether the cardholder typed the card into a page of ours. */
  readonly isPresent: boolean;
  readonly trace: Trace;
  readonly about: About;
}

/**
 * Stores a card in the gateway's vault, and returns the row to save: this service's token, the vault's token, and what
 * people may see. Only `entry` holds the number and the CVV. `account` is the property's own gateway account, if any.
 * Fails with `card_declined` or `gateway_error`.
 */
export async function vaultCard(
  { gateway, isPresent, trace, about }: VaultWork,
  entry: CardEntry,
  facts: CardFacts,
  account: string | null,
  kept: Kept,
): Promise<Result<CardRow, Failure>> {
  const vaulted = await trace.span('gateway.tokenize', () =>
    gateway.tokenize(entry, account, isPresent),
  );
  if (vaulted.kind !== 'vaulted') return err(notVaulted(vaulted, gateway.name, about));
  return ok({
    ...kept,
    ...facts,
    token: newReference(),
    bookingReference: null,
    removedAtMs: null,
    gateway: gateway.name,
    gatewayToken: vaulted.gatewayToken,
    ...vaulted.traits,
    holderName: entry.holderName,
    expiryMonth: entry.expiryMonth,
    expiryYear: entry.expiryYear,
  });
}

/**
 * The row of a card from the acquirer's own form. Its token is derived from the vault's token, so that a repeated
 * submission, such as a reloaded page, gives the same card.
 */
export async function elementCardRow(
  gateway: Gateway['name'],
  gatewayToken: string,
  { facts, traits, ...described }: ElementCard,
  kept: Kept,
): Promise<CardRow> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(gatewayToken));
  return {
    ...kept,
    ...facts,
    ...traits,
    ...described,
    token: hex(new Uint8Array(digest).subarray(0, 16)),
    bookingReference: null,
    removedAtMs: null,
    gateway,
    gatewayToken,
  };
}
