/** The acquirer did not answer a question, or not clearly. */
export interface Unanswered {
  readonly kind: 'unknown';
  readonly reason: string;
}

/** The transaction or refund of this service that an acquirer's record belongs to, as its {@link MoneyRequest} said. */
export interface Origin {
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly reference: string;
}

/** Asks for the movements with `fromMs <= atMs < toMs`. `cursor` is null for the first page. */
export interface MovementQuery {
  readonly account: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly cursor: string | null;
}

/** A page of a list. `nextCursor` is null after the last page. */
type PageOf<Listed> =
  | (Listed & { readonly kind: 'page'; readonly nextCursor: string | null })
  | Unanswered;

export type MovementPage = PageOf<{ readonly movements: readonly GatewayMovement[] }>;

export type DisputePage = PageOf<{ readonly disputes: readonly ListedDispute[] }>;

/**
 * A movement of money at the acquirer, by whomever it was caused: money that was taken from a card (`charge`, whether
 * at once or by a capture), given back (`refund`), came back because a refund failed (`refund_failure`), was withdrawn
 * for a dispute (`dispute`) or returned after it (`dispute_reversal`).
 */
export interface GatewayMovement {
  readonly id: string;
  readonly kind: 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal';
  /** The id of the payment; null if the movement belongs to none. */
  readonly payment: string | null;
  /** What the history records as its `gatewayReference`: that of the charge, the refund or the dispute. */
  readonly subject: string;
  /** The property and booking that the acquirer names for it; null for a payment that this service did not make. */
  readonly about: Origin | null;
  /** The property of a payment that this service did not make, where the acquirer knows it. */
  readonly propertyId?: string;
  /** Positive for money that comes to the property, in minor units. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly atMs: number;
}

/** A dispute in a list. `about` is null for a payment that this service did not make. */
export interface ListedDispute {
  readonly id: string;
  readonly about: Origin | null;
}
