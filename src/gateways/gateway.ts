import type { GatewayName } from '../platform/config.ts';
import type { DisputeAnswer, DisputeStatus } from '../schema/disputeTables.ts';
import type { DisputePage, MovementPage, MovementQuery, Origin, Unanswered } from './movements.ts';
import type { CardEntry, CardReport, Detachment, TakeOverOutcome, VaultOutcome } from './vault.ts';

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
 * 5. `account` is the property's own account at the acquirer, to which something belongs; null for the platform's.
 *
 * `test/worker/gatewayContract.test.ts` checks these rules and the methods below for every gateway.
 */
export interface Gateway {
  /** Recorded with every transaction, so it never changes. */
  readonly name: GatewayName;

  readonly traits: GatewayTraits;

  /** The acquirer takes only amounts that are a multiple of this many minor units of the currency; mostly 1. */
  amountStepMinor(currency: string): number;

  /**
   * Stores a card in the acquirer's vault, so that it can be charged while the cardholder is away. No other method
   * receives a card number. A card whose outcome is unknown is `refused`: the caller can safely enter it again.
   *
   * @param isPresent Whether its cardholder typed it into a page; otherwise somebody else handed it over.
   */
  tokenize(card: CardEntry, account: string | null, isPresent: boolean): Promise<VaultOutcome>;

  /**
   * Takes over a card that the acquirer keeps already, such as one of an engine's own checkout, so that it can be charged
   * while the cardholder is away. It charges nothing. `id` is the acquirer's own of the card, or of its setup.
   */
  takeOver(id: string, account: string | null): Promise<TakeOverOutcome>;

  /** Charges a stored card immediately. `open` if a guest is there and their bank wants to verify them first. */
  charge(request: CardPaymentRequest): Promise<PaymentOutcome>;

  /**
   * Holds an amount on a stored card, for as long as the card's network allows. A capture takes it later, or a release
   * gives it back.
   */
  authorize(request: CardPaymentRequest): Promise<PaymentOutcome>;

  /**
   * Cancels a payment that is `open`, so that it can never be taken. The answer is the payment's own outcome: `declined`
   * with `authentication_required` if it was canceled, now or before; `approved` if the cardholder confirmed it first.
   */
  abandon(id: string, gatewayToken: string): Promise<PaymentOutcome>;

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

  /** Reads what the acquirer knows of a stored card now: issuers renew cards in place, and networks notify acquirers. */
  card(gatewayToken: string): Promise<CardReport>;

  /**
   * Detaches a stored card, so that nobody can charge it again. What was charged on it can still be refunded. A card that
   * the acquirer does not have, or has detached before, is `detached`.
   */
  detach(gatewayToken: string): Promise<Detachment>;

  /** The acquirer's account that a stored card belongs to, read from its token; null for the platform's account. */
  accountOf(gatewayToken: string): string | null;

  /**
   * The acquirer's own page of a payment, for staff who may sign in there; null where it has none. `id` is the
   * `gatewayReference` of the charge or hold, `gatewayToken` that of its card.
   */
  pageOfPayment(id: string, gatewayToken: string): string | null;

  /**
   * Reads everything that the acquirer recorded of one payment: what was held, taken and given back, by whomever. `id` is
   * the `gatewayReference` of the charge or hold.
   */
  payment(id: string, account: string | null): Promise<PaymentReport>;

  /**
   * Reads the current state of a dispute (chargeback), by the acquirer's id of it. `askedAtMs` is when this service asks
   * what became of it, by the property's clock: an acquirer whose clock is moved with that decides by it.
   */
  dispute(id: string, account: string | null, askedAtMs?: number): Promise<DisputeReport>;

  /**
   * Sends the evidence against a dispute to the bank, which then decides: the acquirer takes it once. It moves no money.
   * `approved` if the acquirer took it; then its `gatewayReference` is the dispute's id.
   */
  submitEvidence(request: EvidenceRequest): Promise<Outcome>;

  /**
   * Keeps a PDF that evidence can name. Returns the acquirer's id of it; null where the acquirer takes none, or did not say
   * that it has it. It answers no dispute: a document that no evidence names is of no effect.
   */
  keepDocument(request: DocumentRequest): Promise<string | null>;

  /** Gives a dispute up: it is lost, and what was withdrawn for it stays so. `approved` if the acquirer ended it. */
  acceptDispute(request: DisputeRequest): Promise<Outcome>;

  /** Reads the disputes of a payment, inquiries among them, by the `gatewayReference` of the charge or its payment's id. */
  disputesOf(payment: string, account: string | null): Promise<PaymentDisputes>;

  /**
   * Reads one page of an account's disputes that were opened in a span of time, in any order that stays the same from
   * page to page. It may leave out those whose funds were withdrawn: the movements have these.
   */
  disputes(query: MovementQuery): Promise<DisputePage>;

  /** Reads one page of an account's movements of money, in any order that stays the same from page to page. */
  movements(query: MovementQuery): Promise<MovementPage>;
}

/** How acquirers differ, where this service does something else for some of them. */
export interface GatewayTraits {
  /** Whether all properties share one account, or each may name its own. */
  readonly accounts: 'one' | 'named';
  /** Whether a property's clock may be moved here, so that it differs from real time. */
  readonly movesClocks: boolean;
  /** Whether an operation is accepted by hand only with the acquirer's id of it: without, it could not be refunded. */
  readonly needsReference: boolean;
}

/** The five operations that move or hold money. */
export type OperationKind = 'charge' | 'authorization' | 'capture' | 'release' | 'refund';

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
  /** What a person reads at the acquirer: the property's name, the booking and the caller's description. */
  readonly description: string;
  /** The name that the cardholder reads on the statement, as the property writes it. */
  readonly statementName: string;
  /** When this service asks, by the property's clock, in milliseconds since 1970. */
  readonly askedAtMs: number;
}

/**
 * Who asks for a payment (interface: Who pays):
 * - `guest`: the cardholder, who is on a page and can be sent to their bank;
 * - `property`: nobody is there. The cardholder agreed to such charges when the card was saved;
 * - `phone`: the cardholder ordered by phone or mail (MOTO), and cannot be sent to their bank.
 */
export type Initiator = 'guest' | 'property' | 'phone';

export interface CardPaymentRequest extends MoneyRequest {
  readonly initiator: Initiator;
  /** The page to which the bank returns a guest; null unless the initiator is `guest`. */
  readonly returnUrl: string | null;
}

/** An answer to a dispute. Requests with the same key have one effect. */
export interface DisputeRequest
  extends Pick<MoneyRequest, 'idempotencyKey' | 'propertyId' | 'gatewayToken' | 'askedAtMs'> {
  /** The acquirer's id of the dispute. */
  readonly disputeId: string;
}

export interface EvidenceRequest extends DisputeRequest {
  /** What the bank reads, by the acquirer's names of its fields. */
  readonly texts: Readonly<Record<string, string>>;
  /** Whether the stay took place, as far as is known. */
  readonly stayHappened: boolean;
  /** The acquirer's id of the PDF that goes with it; null for none. If it refuses that alone, the texts go without. */
  readonly document: string | null;
}

/** A PDF for the evidence about a payment on a card. Requests with the same key have one effect. */
export interface DocumentRequest extends Pick<MoneyRequest, 'idempotencyKey' | 'gatewayToken'> {
  readonly pdf: Uint8Array;
}

export interface FollowUpRequest extends MoneyRequest {
  /** The `gatewayReference` of that charge or hold. */
  readonly gatewayReference: string;
}

export interface LookUpRequest {
  readonly kind: OperationKind | DisputeAnswer;
  /**
   * The key that the operation was sent with. Null asks for a charge of `reference` that was taken, under any key, and on
   * any card of the account as far as the acquirer can tell.
   */
  readonly idempotencyKey: string | null;
  readonly propertyId: string;
  /** This service's reference of the transaction or refund. */
  readonly reference: string;
  readonly gatewayToken: string;
  /**
   * For a capture, release or refund: the `gatewayReference` of the charge or hold that it is about. For an answer to a
   * dispute: the dispute's id. Null for a charge or hold itself.
   */
  readonly gatewayReference: string | null;
  /** The earliest time at which this service can have sent the operation, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** The latest time at which this service can have sent the operation, in milliseconds since 1970. */
  readonly untilMs: number;
}

/**
 * What the acquirer did with a money request:
 * - `approved`: the acquirer carried it out;
 * - `declined`: the acquirer or the cardholder's bank declined this card. `declineCode` is the acquirer's code;
 *   `retryable` says whether another attempt with the same card can succeed later;
 * - `rejected`: the acquirer certainly did not carry it out, for a reason other than the card. `temporary` says whether
 *   the reason is the acquirer's own or its configuration (too many requests, a refused key, an error of its own), so
 *   that the same request can succeed later; otherwise the request itself is at fault;
 * - `unknown`: everything else. The acquirer may have carried it out. This service then calls `lookUp` until the
 *   outcome is certain.
 *
 * `reason` is a short text for logs and audit trails. It must not contain personal data.
 */
export type Outcome =
  | Approval
  | { readonly kind: 'declined'; readonly declineCode: string; readonly retryable: boolean }
  | {
      readonly kind: 'rejected';
      readonly reason: string;
      readonly temporary: boolean;
      /** How long the acquirer asks to wait before the next request, in milliseconds; null if it does not say. */
      readonly retryAfterMs: number | null;
      readonly isDisputed?: true;
    }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      /** How long the acquirer asks to wait before it is asked again, in milliseconds, if it says so. */
      readonly retryAfterMs?: number | null;
    };

/** What became of a charge or a hold. */
export type PaymentOutcome = Outcome | OpenPayment;

/**
 * A payment that waits at the acquirer for its cardholder, whose bank wants to verify them. Nothing is taken, but it can
 * be: only the acquirer's answer, or {@link Gateway.abandon}, makes its outcome certain.
 */
export interface OpenPayment {
  readonly kind: 'open';
  readonly gatewayReference: string;
  /** Where the cardholder confirms it; null if a page cannot send them there. It is the cardholder's alone: never kept. */
  readonly url: string | null;
}

/** The acquirer carried out a request. What it does not say is null. */
export interface Approval {
  readonly kind: 'approved';
  /**
   * The acquirer's id of the charge, hold or refund; later captures, releases and refunds name it. A gateway always
   * returns one. It is null only for an outcome that an administrator set by hand.
   */
  readonly gatewayReference: string | null;
  /** When the acquirer lets a hold expire, in milliseconds since 1970. */
  readonly lapsesAtMs: number | null;
  /** What the acquirer held, took or gave back, in minor units as it says, which may differ from the request. */
  readonly amountMinor: number | null;
  /** When the acquirer did it, in milliseconds since 1970. */
  readonly atMs: number | null;
  /** Whether a refund is still on its way, so that it can still fail. */
  readonly pending: boolean;
}

export type CertainOutcome = Exclude<Outcome, { readonly kind: 'unknown' }>;

/**
 * The answer to a look-up: the outcome that the acquirer recorded, or `absent`. `absent` means that the acquirer
 * certainly has no such operation, so that sending it again cannot charge twice. In any doubt, return `unknown`.
 */
export type LookUp = PaymentOutcome | { readonly kind: 'absent' };

/** Everything that the acquirer recorded of one payment. `absent`: it certainly has no such payment. */
export type PaymentReport =
  | { readonly kind: 'payment'; readonly payment: PaymentRecord }
  | { readonly kind: 'absent' }
  | Unanswered;

/**
 * A payment at the acquirer. Amounts are minor units of `currency`.
 * - `pending`: its outcome is not certain yet;
 * - `open`: it waits for its cardholder: see {@link OpenPayment};
 * - `failed`: declined or canceled; it holds and took nothing;
 * - `held`: authorized, nothing captured;
 * - `taken`: charged or captured, whatever was refunded since;
 * - `released`: a hold that was let go.
 */
export interface PaymentRecord {
  readonly id: string;
  /** What a refund of it names: the id of the payment, or of its capture. */
  readonly gatewayReference: string;
  readonly status: 'pending' | 'open' | 'failed' | 'held' | 'taken' | 'released';
  /** The transaction that this service made it for; null for a payment that it did not make. */
  readonly about: Origin | null;
  /** The idempotency key that this service made it with; null for a payment that it did not make. */
  readonly idempotencyKey: string | null;
  /** The token of its card; null if it is on none that this service could charge. */
  readonly gatewayToken: string | null;
  readonly currency: string;
  /** What was asked for: the charge or the hold. */
  readonly askedMinor: number;
  /** What was charged or captured, before refunds; 0 unless `taken`. */
  readonly takenMinor: number;
  /** When its status came about: when it was taken, held or released. */
  readonly atMs: number;
  readonly lapsesAtMs: number | null;
  /** Its refunds, oldest first, by whomever they were made. */
  readonly refunds: readonly RefundRecord[];
}

/** A refund at the acquirer. `pending`: on its way, it may still fail. */
export interface RefundRecord {
  readonly id: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** The idempotency key that this service made it with; null for a refund that it did not make. */
  readonly idempotencyKey: string | null;
  readonly amountMinor: number;
  readonly atMs: number;
  /** Why it failed; null otherwise. */
  readonly reason: string | null;
  /** Whether money left for it. If it failed then, the money came back: both are movements. */
  readonly moved: boolean;
}

/**
 * The current state of a dispute, and the payment that it is about. `absent`: the acquirer has no such dispute, or it is
 * about a payment that this service did not make.
 */
export type DisputeReport =
  | {
      readonly kind: 'dispute';
      readonly dispute: DisputeRecord;
      readonly about: Origin;
      readonly payment: string;
    }
  | { readonly kind: 'absent' }
  | Unanswered;

/** A dispute (chargeback) at the acquirer. Amounts are minor units of `currency`. */
export interface DisputeRecord {
  readonly id: string;
  readonly status: DisputeStatus;
  /** The acquirer's word for the reason, such as `fraudulent`. */
  readonly reason: string;
  readonly currency: string;
  readonly amountMinor: number;
  /** What the acquirer charges for the dispute itself. */
  readonly feeMinor: number;
  /** What the acquirer withdrew and gave back, oldest first; nothing for an inquiry. */
  readonly movements: readonly DisputeMovement[];
  readonly openedAtMs: number;
  /** When an answer to the dispute is due at the latest; null if none is. */
  readonly respondByMs: number | null;
  /** When it was won or lost; null before. */
  readonly closedAtMs: number | null;
  /** The answer that the acquirer has; left out for none, or where it does not say. */
  readonly answer?: DisputeAnswer;
}

/** Money that was withdrawn for a dispute (negative), or came back, in minor units of the dispute's currency. */
export interface DisputeMovement {
  readonly amountMinor: number;
  readonly atMs: number;
}

export type PaymentDisputes =
  | { readonly kind: 'disputes'; readonly disputes: readonly DisputeRecord[] }
  | Unanswered;
