import type { CardFacts } from '../core/cardNumbers.ts';
import type { Unanswered } from './movements.ts';

/** A card as a person typed it. It stays in memory only, on its way to the vault. */
export interface CardEntry {
  readonly number: string;
  /** 1 to 12. */
  readonly expiryMonth: number;
  /** Four digits. */
  readonly expiryYear: number;
  readonly holderName: string | null;
  readonly cvv: string | null;
  /** From when its issuer lets a virtual card be charged, in milliseconds; nothing for any other card. */
  readonly activeFromMs?: number | undefined;
}

/**
 * Whether the vault stored a card. `gatewayToken` is all that this service keeps of it for later charges.
 * - `declined`: the card's bank refused it. `authentication_required` as `declineCode` means that the cardholder has to
 *   be present;
 * - `refused`: the vault did not take it for another reason.
 */
export type VaultOutcome =
  | { readonly kind: 'vaulted'; readonly gatewayToken: string; readonly traits: CardTraits }
  | NotVaulted;

export type NotVaulted =
  | { readonly kind: 'declined'; readonly declineCode: string; readonly refusal: Refusal }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Whether a card that the acquirer kept already can be charged. `absent`: the account has no such card, or it cannot be
 * charged while its holder is away. The others are those of a vault.
 */
export type TakeOverOutcome =
  | { readonly kind: 'vaulted'; readonly gatewayToken: string; readonly card: DescribedCard }
  | { readonly kind: 'absent'; readonly refusal: Refusal }
  | NotVaulted;

/** A stored card as the acquirer knows it now. `absent`: it certainly has no such card. */
export type CardReport =
  | {
      readonly kind: 'card';
      /** Lower-case brand kind, such as `visa`. */
      readonly brand: string;
      readonly last4: string;
      /** 1 to 12, and four digits. */
      readonly expiryMonth: number;
      readonly expiryYear: number;
    }
  | { readonly kind: 'absent' }
  | Unanswered;

/** Whether a card is certainly detached at the acquirer. */
export type Detachment = { readonly kind: 'detached' } | Unanswered;

export interface DescribedCard {
  readonly facts: CardFacts;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly holderName: string | null;
  readonly traits: CardTraits;
}

/** What the acquirer says of a card beyond its number. */
export interface CardTraits {
  readonly funding: 'credit' | 'debit' | 'prepaid' | 'unknown';
  /** ISO 3166-1, two letters; null if the acquirer does not say. */
  readonly issuerCountry: string | null;
}

/** The acquirer's own words for a refusal, for the log. They never contain card data. */
export interface Refusal {
  readonly reason: string;
  readonly message: string | null;
  /** The parameter of the request that the acquirer names. */
  readonly parameter: string | null;
  readonly requestId: string | null;
}

/** Why a vault did not take a card, in the acquirer's own words as far as it gave any. */
export function refusal(reason: string, said: Partial<Omit<Refusal, 'reason'>> = {}): Refusal {
  return { reason, message: null, parameter: null, requestId: null, ...said };
}
