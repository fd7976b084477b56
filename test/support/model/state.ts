import type { Behaviour } from './cards.ts';

/** One booking's money as a caller may know it: the model that the service is held against. Amounts in minor units. */
export interface BookingModel {
  nowMs: number;
  readonly terms: Terms;
  status: 'booked' | 'cancelled';
  /** Counts its saves; a payment that began before one that cancelled it ends with that. */
  saves: number;
  cancelledAtSave: number | null;
  /** In the order in which they were attached: the last is in use. */
  cards: CardState[];
  /** In the order in which they were made, as are the refunds. */
  payments: Payment[];
  refunds: Refund[];
  /** The disputes that the service knows. */
  disputes: Dispute[];
  /** What each idempotency key stands for, by operation and key. */
  keys: Record<string, Kept>;
  /** What the acquirer should have in its ledger, and the keys whose first answer it has lost. */
  effects: Effect[];
  lost: string[];
  /** Requests that were lost on their way to the acquirer, by their keys: they may still arrive. */
  onTheWay: Record<string, AcquirerRequest>;
  /** The payments and disputes of which the acquirer knows more than it told. */
  untold: string[];
  /** How often its desk charged a card for no booking. */
  strays: number;
}

/** What the booking's property lays down. */
export interface Terms {
  readonly cardFeeBasisPoints: number;
  readonly cardFeeByBrand: Readonly<Record<string, number>>;
  readonly transactionFeeMinor: number;
  readonly keepsSchedules: boolean;
}

export interface CardState {
  readonly token: string;
  readonly brand: string;
  readonly behaviour: Behaviour;
  /** When its month ends at the property, by the service's record. */
  expiresAtMs: number;
  /** How often the acquirer has declined it, and refused it as one request too many. */
  declines: number;
  refusals: number;
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
  card: string;
  /** The attempts that count, the temporary rejections since, and the number of the last gateway key. */
  attempts: number;
  rejections: number;
  keyNumber: number;
  /** How many saves the booking had when it began. */
  save: number;
  firstAttemptAtMs: number | null;
  /** When the acquirer took the money or let it go. */
  settledAtMs: number | null;
  underWay: UnderWay | null;
  /** When its booking must look at it again. */
  dueAtMs: number | null;
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
  readonly amountMinor: number;
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
}

export type RequestKind = 'charge' | 'authorization' | 'capture' | 'release' | 'refund';

export type EffectKind = RequestKind | 'dispute' | 'dispute_reversal' | 'refund_failure';

/** A request as the modelled acquirer takes it. */
export interface AcquirerRequest {
  readonly kind: RequestKind;
  readonly key: string;
  /** The reference of the charge or hold. */
  readonly payment: string;
  readonly amountMinor: number;
  readonly card: string;
}

/** What the acquirer says of a request. */
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
  readonly amountMinor: number;
  readonly outcome: Outcome;
  readonly atMs: number;
  /** How a dispute ended; of a refund, that it failed since. */
  readonly ended?: 'won' | 'lost' | 'failed';
}

/** What a caller is told, in what matters. What an answer has not is undefined. */
export interface Answer {
  readonly code: string;
  readonly replayed: boolean;
  readonly transaction?: ShownTransaction | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly decline?: { readonly code: string; readonly retryable: boolean } | undefined;
  readonly refunds?: readonly ShownRefund[] | undefined;
  readonly cancelled?: readonly ShownTransaction[] | undefined;
  readonly skipped?: readonly { readonly ref: string; readonly status: string }[] | undefined;
  /** Whether news of the acquirer's changed anything. */
  readonly corrected?: boolean | undefined;
}

export interface ShownTransaction {
  readonly ref: string;
  readonly status: string | null;
  readonly amountMinor: number;
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
    keys: Object.fromEntries(keys),
    effects: [...model.effects],
    lost: [...model.lost],
    onTheWay: { ...model.onTheWay },
    untold: [...model.untold],
  };
}

export function paymentOf(model: BookingModel, ref: string): Payment | null {
  return model.payments.find((payment) => payment.ref === ref) ?? null;
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

/** What may be refunded of a charge: nothing while it is disputed or after it was lost (interface: Refunds). */
export function roomOf(model: BookingModel, payment: Payment): number {
  return isDisputed(model, payment) ? 0 : leftOf(model, payment);
}

/** Whether the service knows a dispute of a charge that was not won. */
export function isDisputed(model: BookingModel, { ref }: Payment): boolean {
  return model.disputes.some(({ charge, status }) => charge === ref && status !== 'won');
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

/** Whether the booking gives up what lies ahead: it is cancelled, and its property does not keep it. */
export function cancelsPending({ status, terms }: BookingModel): boolean {
  return status === 'cancelled' && !terms.keepsSchedules;
}

/** Whether a schedule or hold ends with its booking: that is cancelled, or was since, though it is booked again. */
export function endsWithBooking(model: BookingModel, { save }: Payment): boolean {
  return cancelsPending(model) || save < (model.cancelledAtSave ?? 0);
}
