import type { Behaviour } from './cards.ts';

/** One booking's money as a caller may know it: the model that the service is held against. Amounts in minor units. */
export interface BookingModel {
  nowMs: number;
  /** What the property lays down now. */
  terms: Terms;
  status: 'booked' | 'cancelled';
  /** What the stay costs; 0 is not known. */
  totalMinor: number;
  /** The last that was known. */
  knownTotalMinor: number;
  /** Counts its saves; a payment that began before one that cancelled it ends with that. */
  saves: number;
  /** Counts whatever a quote may rest on; and the quotes that were used. */
  version: number;
  quotes: Record<string, Quote>;
  quotesUsed: string[];
  cancelledAtSave: number | null;
  /** In the order in which they were attached, and the token of the one in use. */
  cards: CardState[];
  inUse: string | null;
  /** In the order in which they were made, as are the refunds. */
  payments: Payment[];
  refunds: Refund[];
  /** The disputes that the service knows. */
  disputes: Dispute[];
  /** What is done about cards that fail, in the order in which it began. */
  recoveries: Recovery[];
  /** How the acquirer fails the property; null while it does not. */
  outage: Outage | null;
  /** What each idempotency key stands for, by operation and key. */
  keys: Record<string, Kept>;
  /** What the acquirer should have in its ledger, and the keys whose first answer it has lost. */
  effects: Effect[];
  lost: string[];
  /** Requests that were lost on their way to the acquirer, by their keys: they may still arrive. */
  onTheWay: Record<string, AcquirerRequest>;
  /** The later keys that schedules were tried under last, by their numbers: no restore of D1 makes them forgotten. */
  retried: Record<string, number>;
  /** The payments and disputes of which the acquirer knows more than it told. */
  untold: string[];
  /** How often its desk charged a card for no booking. */
  strays: number;
  /** Whether D1 was restored before. */
  wasRestored: boolean;
}

/** What the booking's property lays down. */
export interface Terms {
  readonly cardFeeBasisPoints: number;
  readonly cardFeeByBrand: Readonly<Record<string, number>>;
  readonly transactionFeeMinor: number;
  readonly keepsSchedules: boolean;
  readonly guard: 'off' | 'warn' | 'refuse';
  /** The acquirer's account that the property has. */
  readonly account: string;
  /** How guests are asked for another card; null if they are not. */
  readonly recovery: RecoveryTerms | null;
}

export interface RecoveryTerms {
  readonly askDaysBefore: number;
  readonly deadlineHours: number;
  readonly shortDeadlineHours: number;
  readonly maxAsks: number;
  readonly then: 'none' | 'flag';
}

/** Every request is answered with a status of HTTP's, and nothing is carried out. */
export interface Outage {
  readonly status: number;
  /** Whether questions fail too. */
  readonly lookUps: boolean;
  readonly retryAfterMs: number | null;
}

export interface CardState {
  readonly token: string;
  readonly brand: string;
  readonly enteredBy: 'api' | 'guest';
  /** The account that keeps it. */
  readonly account: string;
  /** Entered to pay, and nothing is paid with it yet. */
  toPay: boolean;
  readonly behaviour: Behaviour;
  /** When its month ends at the property, by the service's record. */
  expiresAtMs: number;
  /** Whether the service knows that its issuer renewed it. */
  isRenewed?: boolean;
  /** How often the acquirer has declined it, and refused it as one request too many. */
  declines: number;
  refusals: number;
}

export type Purpose = 'Deposit' | 'Balance' | 'Manual' | 'Bond';

/** What guests pay: the deposit that the page offers, or another part of what is due. */
export type GuestPurpose = 'Deposit' | 'Balance';

export interface Lowered extends Priced {
  readonly ref: string;
}

export type PaymentKind = 'charge' | 'schedule' | 'authorization';

export type Status =
  | 'Pending'
  | 'Processing'
  | 'Authorized'
  | 'Accepted'
  | 'Declined'
  | 'Failed'
  | 'Cancelled'
  | 'Released'
  | 'Expired';

export type Pending = 'charge' | 'authorize' | 'capture' | 'release' | 'expire';

/** An amount with its fees. */
export interface Priced {
  readonly requestedMinor: number;
  readonly amountMinor: number;
}

/** What is asked of the acquirer while a payment is `Processing`. */
export interface UnderWay {
  readonly operation: Pending;
  readonly askedAtMs: number;
  /** When it was sent again, and when it was first certain that the acquirer has no such operation. */
  sentAtMs: number | null;
  absentAtMs: number | null;
  readonly captures: Priced | null;
  /** The name in {@link BookingModel.keys} of the request that waits for it. */
  readonly caller: string | null;
  statusChecks: number;
}

export interface Payment {
  readonly ref: string;
  readonly kind: PaymentKind;
  readonly purpose: Purpose;
  readonly virtual: boolean;
  /** Whether a schedule takes what is due, at most. */
  readonly limitToDue: boolean;
  /** Whether its guest made it on a page. */
  readonly byGuest: boolean;
  /** The schedules that it is made instead of, and the declined charge that it is made in place of. */
  readonly replaces: readonly string[];
  /** The schedule that takes less for it, and what that then takes. */
  readonly lowers: Lowered | null;
  readonly replacesCharge: string | null;
  /** What its caller is warned of. */
  warnings: readonly string[];
  basisPoints: number;
  /** Given up where the acquirer took less than it. */
  fixedFeeMinor: number;
  readonly cardNamed: boolean;
  readonly scheduledAtMs: number | null;
  readonly expiresAtMs: number | null;
  status: Status;
  /** Every status that it has had, oldest first: what the audit trail must show. */
  trail: Status[];
  requestedMinor: number;
  amountMinor: number;
  /** What a schedule was made for, where it takes less. */
  askedMinor: number | null;
  card: string;
  /** The card that the booking used when a schedule was made, or that its guest gave for it since: it may be tried too. */
  madeOn: string | null;
  otherCard: string | null;
  /** The attempts that count, the temporary rejections since, and the number of the last gateway key. */
  attempts: number;
  rejections: number;
  keyNumber: number;
  /** How many saves the booking had when it began. */
  save: number;
  firstAttemptAtMs: number | null;
  /** Whether it ended although the acquirer could not be asked for it. */
  endedUnasked: boolean;
  /** Until when a schedule was put off, for which nothing was due. */
  putOffUntilMs: number | null;
  /** Whether a caller, or the end of its booking, wants its end while its outcome is not known. */
  isUnwanted: boolean;
  /** When the bank began to wait for its guest's word. */
  bankAskedAtMs: number | null;
  /** Whether a hold was made, as far as the service knows. */
  wasHeld: boolean;
  /** When it was made. */
  readonly madeAtMs: number;
  /** When the acquirer took the money or let it go, and when a charge came to its end here. */
  settledAtMs: number | null;
  endedAtMs: number | null;
  underWay: UnderWay | null;
  /** When its booking must look at it again. */
  dueAtMs: number | null;
}

/** A quote, with all that it rests on (interface: Quotes). */
export interface Quote {
  readonly kind: PaymentKind;
  readonly purpose: Purpose;
  readonly requestedMinor: number;
  readonly virtual: boolean;
  readonly named: string | null;
  readonly card: string | null;
  readonly amountMinor: number;
  readonly version: number;
  readonly paidMinor: number;
  readonly uncertainMinor: number;
  readonly untilMs: number;
}

/** What is done about a charge whose card fails (interface: Recovery). */
export interface Recovery {
  readonly charge: string;
  /** `expiring` and `former`: the charge is still to come; else it was declined. */
  cause: 'expiring' | 'former' | 'declined' | 'authentication';
  readonly chargeAtMs: number;
  /** The card that fails. */
  card: string;
  /** The card that was told of as expiring. */
  toldCard: string | null;
  asked: number;
  askedForCause: number;
  firstAskedAtMs: number | null;
  deadlineAtMs: number | null;
  /** The new card that the charge is to be made again on. */
  answerCard: string | null;
  isFlagged: boolean;
  dueAtMs: number | null;
  ended: 'answered' | 'paid' | 'over' | 'unanswered' | null;
}

export interface Refund {
  /** The acquirer's desk makes some. */
  readonly origin: 'service' | 'gateway';
  /** The request that made it, or the acquirer's entry. */
  readonly command: string;
  /** Counts the records of one request. */
  readonly part: number;
  readonly charge: string;
  readonly amountMinor: number;
  /** Whether the stay costs less by it. */
  readonly waived: boolean;
  readonly askedAtMs: number;
  sentAtMs: number | null;
  absentAtMs: number | null;
  settledAtMs: number | null;
  status: 'Processing' | 'Refunded' | 'Failed';
  trail: string[];
  statusChecks: number;
  dueAtMs: number | null;
}

/** A dispute as the service knows it. */
export interface Dispute {
  /** The acquirer's entry. */
  readonly id: string;
  readonly charge: string;
  amountMinor: number;
  /** What is held back for it: nothing for an inquiry. */
  withdrawnMinor: number;
  status: DisputeStatus;
  trail: string[];
}

export type DisputeStatus = 'needs_response' | 'won' | 'lost';

/** A request under an idempotency key. */
export interface Kept {
  readonly request: string;
  answer: Answer;
  /** A refund whose answer is not certain yet: it is told anew each time. */
  readonly refund: { readonly command: string; readonly amountMinor: number } | null;
  /** A payment whose end was asked for: its record is told. */
  readonly calledOff: string | null;
}

export type RequestKind = 'charge' | 'authorization' | 'capture' | 'release' | 'refund';

export type EffectKind =
  | RequestKind
  | 'inquiry'
  | 'dispute'
  | 'dispute_reversal'
  | 'refund_failure';

/** A request as the modelled acquirer takes it. */
export interface AcquirerRequest {
  readonly kind: RequestKind;
  readonly key: string;
  /** The reference of the charge or hold. */
  readonly payment: string;
  readonly amountMinor: number;
  readonly card: string;
  /** Whether a guest is there whom the bank can ask. */
  readonly isGuestThere: boolean;
}

/** What the acquirer says of a request: it may be open, until its guest has confirmed it at their bank. */
export type Said = Outcome | { readonly kind: 'open' };

/** What the acquirer certainly did. */
export type Outcome =
  | { readonly kind: 'approved' }
  | { readonly kind: 'rejected'; readonly temporary: boolean; readonly retryAfterMs: number | null }
  | { readonly kind: 'declined'; readonly code: string; readonly retryable: boolean };

/** An entry of the acquirer's ledger. Entries are never changed in place: models share them. */
export interface Effect {
  readonly kind: EffectKind;
  /** Its key, or a name of its own where a person made it at the desk. */
  readonly id: string;
  readonly byDesk: boolean;
  /** The reference of the charge or hold that it belongs to. */
  readonly payment: string;
  /** The card that a charge or hold was asked for on. */
  readonly card?: string;
  readonly amountMinor: number;
  readonly outcome: Said;
  readonly atMs: number;
  /** The dispute or inquiry that a movement belongs to, where it did not open it. */
  readonly of?: string;
  /** How a dispute ended; of a refund, that it failed since. */
  readonly ended?: 'won' | 'lost' | 'failed';
}

/** What a caller is told, in what matters. What an answer has not is undefined. */
export interface Answer {
  readonly code: string;
  readonly replayed: boolean;
  readonly transaction?: ShownTransaction | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly quote?: ShownQuote | undefined;
  readonly decline?: { readonly code: string; readonly retryable: boolean } | undefined;
  readonly refunds?: readonly ShownRefund[] | undefined;
  readonly cancelled?: readonly ShownTransaction[] | undefined;
  readonly skipped?: readonly Skipped[] | undefined;
  /** Whether news of the acquirer's changed anything. */
  readonly corrected?: boolean | undefined;
}

export interface Skipped {
  readonly ref: string;
  readonly status: string;
  readonly warnings?: readonly string[] | undefined;
}

export interface ShownTransaction {
  readonly ref: string;
  readonly status: string | null;
  readonly amountMinor: number;
}

export interface ShownQuote {
  readonly amountMinor: number;
  readonly dueBeforeMinor: number;
  readonly dueAfterMinor: number;
  readonly refusals: readonly string[];
  readonly warnings: readonly string[];
}

export interface ShownRefund {
  readonly amountMinor: number;
  readonly status: string | null;
}

/** How a payment's own operation shows it: a charge that is made has no status. */
export function shown(payment: Payment): ShownTransaction {
  const { ref, kind, status, amountMinor } = payment;
  return { ref, status: kind === 'charge' ? null : status, amountMinor };
}

/** The answer of an operation on a payment that did as it was asked. */
export function fine(payment: Payment): Answer {
  const isCalledOff = payment.status === 'Cancelled' || payment.status === 'Released';
  const warnings = isCalledOff || payment.warnings.length === 0 ? undefined : payment.warnings;
  return { code: 'ok', replayed: false, transaction: shown(payment), warnings };
}

/** A refusal that recorded nothing. */
export function refusal(code: string): Answer {
  return { code, replayed: false };
}

/** A model of its own, to be changed while this one stays. (The structured clone takes several times as long.) */
export function copyOf(model: BookingModel): BookingModel {
  const keys = Object.entries(model.keys).map(([name, kept]) => [name, { ...kept }] as const);
  return {
    ...model,
    cards: model.cards.map((card) => ({ ...card })),
    payments: model.payments.map((payment) => ({
      ...payment,
      trail: [...payment.trail],
      underWay: payment.underWay && { ...payment.underWay },
    })),
    refunds: model.refunds.map((refund) => ({ ...refund, trail: [...refund.trail] })),
    disputes: model.disputes.map((dispute) => ({ ...dispute, trail: [...dispute.trail] })),
    recoveries: model.recoveries.map((recovery) => ({ ...recovery })),
    keys: Object.fromEntries(keys),
    effects: [...model.effects],
    lost: [...model.lost],
    retried: { ...model.retried },
    quotes: { ...model.quotes },
    quotesUsed: [...model.quotesUsed],
    onTheWay: { ...model.onTheWay },
    untold: [...model.untold],
  };
}

export function paymentOf(model: BookingModel, ref: string): Payment | null {
  return model.payments.find((payment) => payment.ref === ref) ?? null;
}

/** Whether an account keeps a card that its property no longer uses: it is charged no more (interface: Accounts). */
export function isFormer({ terms }: BookingModel, { account }: CardState): boolean {
  return account !== terms.account;
}

/** The card that the booking uses. */
export function cardInUse({ cards, inUse }: BookingModel): CardState | null {
  return cards.find(({ token }) => token === inUse) ?? null;
}

export function cardOf(model: BookingModel, token: string): CardState {
  const card = model.cards.find((candidate) => candidate.token === token);
  if (!card) throw new Error('the model has no such card');
  return card;
}

/** Moves a payment to a state, and keeps the trail. */
export function moveTo(payment: Payment, status: Status): void {
  payment.status = status;
  payment.trail.push(status);
}

/** The rejection of what the acquirer will never carry out. */
export const REJECTED: Outcome = { kind: 'rejected', temporary: false, retryAfterMs: null };

/** What may be refunded of a charge: nothing while money is held back for a dispute or after one was lost (interface: Refunds). */
export function roomOf(model: BookingModel, payment: Payment): number {
  return isDisputed(model, payment) ? 0 : leftOf(model, payment);
}

/** Whether the service knows a dispute of a charge for which money is held back, or that was lost. */
export function isDisputed(model: BookingModel, { ref }: Payment): boolean {
  return model.disputes.some((dispute) => dispute.charge === ref && isInTheWay(dispute));
}

/** Whether a dispute keeps its charge from being refunded. */
export function isInTheWay({ status, withdrawnMinor }: Dispute): boolean {
  return withdrawnMinor > 0 || status === 'lost';
}

/** The refunds of a charge that were made. */
export function refundsOf({ refunds }: BookingModel, { ref }: Payment): Refund[] {
  return refunds.filter(({ charge, status }) => charge === ref && status === 'Refunded');
}

export function sumOf(amounts: readonly { readonly amountMinor: number }[]): number {
  return amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** What is left of a charge: its amount less its refunds that have not failed. */
export function leftOf(model: BookingModel, payment: Payment): number {
  if (payment.status !== 'Accepted') return 0;
  return payment.amountMinor - reservedOf(model, payment);
}

export function reservedOf(model: BookingModel, payment: Payment): number {
  return model.refunds
    .filter(({ charge, status }) => charge === payment.ref && status !== 'Failed')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** Whether a schedule or hold ends with its booking, which was cancelled since: that decides once, for good. */
export function endsWithBooking(model: BookingModel, { save }: Payment): boolean {
  return save < (model.cancelledAtSave ?? 0);
}

/**
 * Whether nothing is to be taken any more: its end was asked for, or its booking was cancelled since. What the property
 * charges at once outlives its booking; what its guest pays, and what is charged again on a new card, does not.
 */
export function isCalledOff(model: BookingModel, payment: Payment): boolean {
  if (payment.isUnwanted) return true;
  if (payment.kind !== 'charge') return endsWithBooking(model, payment);
  const isCancelled = model.status === 'cancelled' || endsWithBooking(model, payment);
  return stopsWithBooking(payment) && isCancelled;
}

/** Whether no guest can confirm a payment at their bank any more, or none is there. */
export function isStopped({ status }: BookingModel, { byGuest, isUnwanted }: Payment): boolean {
  return !byGuest || isUnwanted || status === 'cancelled';
}

/** Whether an immediate charge stops when its booking is cancelled. */
export function stopsWithBooking({ byGuest, kind, replacesCharge }: Payment): boolean {
  return kind === 'charge' && (byGuest || replacesCharge !== null);
}

/** Whether a pending schedule has a card of its own. Otherwise it uses the booking's card of its time. */
export function hasOwnCard({ card, cardNamed, otherCard }: Payment): boolean {
  return cardNamed || isOnOther({ card, otherCard });
}

/** Whether a schedule is on the card that the booking used when it was made, after another was declined for good. */
export function isOnOther({ card, otherCard }: Pick<Payment, 'card' | 'otherCard'>): boolean {
  return otherCard !== null && otherCard === card;
}
