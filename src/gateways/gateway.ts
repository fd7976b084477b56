import type { GatewayName } from '../platform/config.ts';
import type { Dispute } from '../platform/db/moneyTables.ts';

/**
 * A payment gateway: everything that this service asks of an acquirer. To add an acquirer, implement this interface in
 * `src/gateways/<name>/`; docs/contributing.md lists the other steps.
 *
 * Every method keeps these rules:
 *
 * 1. It never throws and never rejects. It returns a failure as an outcome.
 * 2. It answers within `GATEWAY_DEADLINE_MS`. After that it returns `unknown`; `withinDeadline` does both for you.
 * 3. Only the acquirer's own answer makes an outcome certain. A timeout, a broken connection, a server error or an
 *    unreadable answer is `unknown`, because the acquirer may have moved the money.
 * 4. It sends each request once and never retries. This service decides when to send a request again.
 *
 * `test/worker/gatewayContract.test.ts` checks these rules and the methods below for every gateway.
 */
export interface Gateway {
  /** Recorded with every transaction, so it never changes. */
  readonly name: GatewayName;

  /**
   * Stores a card in the acquirer's vault, so that it can be charged while the cardholder is away. No other method
   * receives a card number. A card whose outcome is unknown is `rejected`: the caller can safely enter it again.
   *
   * @param account The property's own account at the acquirer; null for the platform's account.
   */
  tokenize(card: CardEntry, account: string | null): Promise<VaultOutcome>;

  /** Charges a stored card immediately. */
  charge(request: MoneyRequest): Promise<Outcome>;

  /** Holds an amount on a stored card. A capture takes it later, or a release gives it back. */
  authorize(request: MoneyRequest): Promise<Outcome>;

  /** Takes the held amount or a part of it. The acquirer releases the rest. */
  capture(request: FollowUpRequest): Promise<Outcome>;

  /** Releases the whole held amount. */
  release(request: FollowUpRequest): Promise<Outcome>;

  /** Sends a charged or captured amount, or a part of it, back to the card. */
  refund(request: FollowUpRequest): Promise<Outcome>;

  /**
   * Asks the acquirer for the outcome of an operation that this service sent earlier. It moves no money. An `absent`
   * operation is sent again under the same key for up to 23 hours, so the acquirer has to honour a key for 24 hours.
   */
  lookUp(lookUpRequest: LookUpRequest): Promise<LookUp>;

  /** The acquirer's account that a stored card belongs to, read from its token; null for the platform's account. */
  accountOf(gatewayToken: string): string | null;

  /**
   * Reads the current state of a dispute (chargeback).
   *
   * @param id The acquirer's id of the dispute.
   * @param account The account that the dispute belongs to; null for the platform's account.
   */
  dispute(id: string, account: string | null): Promise<DisputeReport>;
}

/** The five operations that move or hold money. */
export type OperationKind = 'charge' | 'authorization' | 'capture' | 'release' | 'refund';

/** A card as a person typed it. It stays in memory only, on its way to the vault. */
export interface CardEntry {
  readonly number: string;
  /** 1 to 12. */
  readonly expiryMonth: number;
  /** Four digits. */
  readonly expiryYear: number;
  readonly holderName: string | null;
  readonly cvv: string | null;
}

/** What every money request carries. */
export interface MoneyRequest {
  /**
   * Identifies one operation. Send it to the acquirer as its idempotency key: requests with the same key have one
   * effect, and each of them gets the outcome of the first.
   */
  readonly idempotencyKey: string;
  readonly propertyId: string;
  readonly bookingReference: string;
  /**
   * This service's reference of the transaction or refund. Record it at the acquirer together with `propertyId` and
   * `bookingReference`: webhooks, disputes and payouts bring all three back as an {@link Origin}.
   */
  readonly reference: string;
  /** In minor units of `currency`, as ISO 4217 counts them. */
  readonly amountMinor: number;
  /** ISO 4217 code, such as `AUD`. */
  readonly currency: string;
  /** The token that `tokenize` returned for the card. */
  readonly gatewayToken: string;
}

/** A request about an earlier charge or hold. */
export interface FollowUpRequest extends MoneyRequest {
  /** The `gatewayReference` of that charge or hold. */
  readonly gatewayReference: string;
}

/** A question about the outcome of an earlier operation. */
export interface LookUpRequest {
  readonly kind: OperationKind;
  /** The key that the operation was sent with. */
  readonly idempotencyKey: string;
  readonly propertyId: string;
  /** This service's reference of the transaction or refund. */
  readonly reference: string;
  /** The token of the card. */
  readonly gatewayToken: string;
  /**
   * For a capture, release or refund: the `gatewayReference` of the charge or hold that it is about. Null for a charge
   * or hold itself.
   */
  readonly gatewayReference: string | null;
  /** The earliest time at which this service can have sent the operation, in milliseconds since 1970. */
  readonly sinceMs: number;
}

/**
 * What the acquirer did with a money request:
 * - `approved`: the acquirer carried it out;
 * - `declined`: the acquirer or the cardholder's bank declined this card. `declineCode` is the acquirer's code;
 *   `retryable` says whether another attempt with the same card can succeed later;
 * - `rejected`: the acquirer certainly did not carry it out, for a reason other than the card: the request is invalid
 *   or not allowed, for example;
 * - `unknown`: everything else. The acquirer may have carried it out. This service then calls `lookUp` until the
 *   outcome is certain.
 *
 * `reason` is a short text for logs and audit trails. It must not contain personal data.
 */
export type Outcome =
  | {
      readonly kind: 'approved';
      /**
       * The acquirer's id of the charge, hold or refund; later captures, releases and refunds name it. A gateway always
       * returns one. It is null only for an outcome that an administrator set by hand.
       */
      readonly gatewayReference: string | null;
      /** When the acquirer lets a hold expire, in milliseconds since 1970; null if it does not say. */
      readonly lapsesAtMs: number | null;
    }
  | { readonly kind: 'declined'; readonly declineCode: string; readonly retryable: boolean }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** An outcome that is certain. */
export type CertainOutcome = Exclude<Outcome, { readonly kind: 'unknown' }>;

/**
 * The answer to a look-up: the outcome that the acquirer recorded, or `absent`. `absent` means that the acquirer
 * certainly has no such operation, so that sending it again cannot charge twice. In any doubt, return `unknown`.
 */
export type LookUp = Outcome | { readonly kind: 'absent' };

/**
 * The current state of a dispute, and the charge that it is about. `absent`: the acquirer has no such dispute, or it is
 * about a charge that this service did not make.
 */
export type DisputeReport =
  | { readonly kind: 'dispute'; readonly dispute: Dispute; readonly about: Origin }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The transaction or refund of this service that an acquirer's record belongs to, as its {@link MoneyRequest} said. */
export interface Origin {
  readonly propertyId: string;
  readonly bookingReference: string;
  /** This service's reference of the transaction or refund. */
  readonly reference: string;
}

/** Whether the vault stored a card. `gatewayToken` is all that this service keeps of it for later charges. */
export type VaultOutcome =
  | { readonly kind: 'vaulted'; readonly gatewayToken: string }
  | { readonly kind: 'rejected'; readonly reason: string };
