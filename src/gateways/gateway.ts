/**
 * What this service asks of an acquirer, whichever it is. An adapter never throws: whatever happens
 * is told as an outcome, and only the acquirer's own word makes one certain.
 */
export interface Gateway {
  readonly name: GatewayName;
  /**
   * Puts a card into the acquirer's vault, for the property's own account there if it has one. The only place that a
   * card number is ever handed to.
   */
  tokenize(card: CardEntry, account: string | null): Promise<VaultOutcome>;
  /** Charges a card at once. */
  charge(request: MoneyRequest): Promise<Outcome>;
  /** Holds an amount on a card, to be captured or released later. */
  authorize(request: MoneyRequest): Promise<Outcome>;
  /** Takes a held amount, wholly or in part; the rest is released. */
  capture(request: FollowUpRequest): Promise<Outcome>;
  /** Lets a held amount go. */
  release(request: FollowUpRequest): Promise<Outcome>;
  /** Sends charged money back, wholly or in part. */
  refund(request: FollowUpRequest): Promise<Outcome>;
  /** What became of an operation that we sent under this key. */
  lookUp(inquiry: Inquiry): Promise<LookUp>;
  /** The account that a card is kept for; null for the platform's own. */
  accountOf(gatewayToken: string): string | null;
  /** A charge that the cardholder's bank disputes, by the acquirer's name of the dispute, as it stands now. */
  dispute(id: string, account: string | null): Promise<DisputeReport>;
}

export type GatewayName = 'sandbox' | 'stripe';

/** The five operations that move or hold money. */
export type OperationKind = 'charge' | 'authorization' | 'capture' | 'release' | 'refund';

/** A card as typed in. It lives in memory only, on its way to the vault. */
export interface CardEntry {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly holderName: string | null;
  readonly cvv: string | null;
}

/** What every money request carries. `idempotencyKey` stands for one effect, however often it is sent. */
export interface MoneyRequest {
  readonly idempotencyKey: string;
  readonly propertyId: string;
  readonly bookingReference: string;
  /** Our reference of the transaction or refund. */
  readonly reference: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** The vault's token of the card that the money is on. */
  readonly gatewayToken: string;
}

/** A request about an earlier charge or authorization, by the acquirer's reference of it. */
export interface FollowUpRequest extends MoneyRequest {
  readonly gatewayReference: string;
}

/** A question about an operation whose answer we never saw. */
export interface Inquiry {
  readonly kind: OperationKind;
  readonly idempotencyKey: string;
  readonly propertyId: string;
  readonly reference: string;
  /** The vault's token of the card that the money is on. */
  readonly gatewayToken: string;
  /** The acquirer's reference of the charge or hold that the operation is about; null for a charge or hold itself. */
  readonly gatewayReference: string | null;
  /** It was sent at this time at the earliest, in milliseconds. */
  readonly sinceMs: number;
}

/**
 * What an acquirer did with a money request:
 * - `approved`: done;
 * - `declined`: it said no to this card; `retryable` says whether asking again later makes sense;
 * - `refused`: the request was certainly not executed (never connected, not valid, not allowed);
 * - `unknown`: anything else. It may have been done: it is to be looked up, never guessed.
 */
export type Outcome =
  | {
      readonly kind: 'approved';
      /** What later captures, releases and refunds name it by; null when it was settled by hand. */
      readonly gatewayReference: string | null;
      /** When a hold ends by the acquirer's own rules; null when it does not say. */
      readonly lapsesAtMs: number | null;
    }
  | { readonly kind: 'declined'; readonly declineCode: string; readonly retryable: boolean }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** An outcome that is certain. */
export type CertainOutcome = Exclude<Outcome, { readonly kind: 'unknown' }>;

/**
 * A look-up's answer: the recorded outcome, or `absent`, the acquirer's certain word that it has no such operation.
 * An adapter that cannot be certain of that says `unknown`.
 */
export type LookUp = Outcome | { readonly kind: 'absent' };

/** A dispute as it stands, with the charge that it is about; `absent` when there is none that this service knows of. */
export type DisputeReport =
  | { readonly kind: 'dispute'; readonly dispute: Dispute; readonly about: Origin }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** What this service told the acquirer of a charge or refund when it asked for it. */
export interface Origin {
  readonly propertyId: string;
  readonly bookingReference: string;
  /** Our reference of the transaction or refund. */
  readonly reference: string;
}

/** What a cardholder's bank disputes; see `transactions.dispute` in the schema. */
export interface Dispute {
  readonly id: string;
  /** The acquirer's word, such as `needs_response`, `won` or `lost`. */
  readonly status: string;
  readonly reason: string;
  /** In minor units of the charge's currency. */
  readonly amountMinor: number;
  readonly openedAtMs: number;
}

/** Whether the vault took a card. */
export type VaultOutcome =
  | { readonly kind: 'vaulted'; readonly gatewayToken: string }
  | { readonly kind: 'refused'; readonly reason: string };
