import type { Operation } from './operation.ts';
import { begin, carryOut } from './settle.ts';
import {
  type Answer,
  type BookingModel,
  type CardState,
  cancelsPending,
  moveTo,
  type Payment,
  type Priced,
  paymentOf,
  refusal,
  shown,
} from './state.ts';

type Of<Do extends Operation['do']> = Extract<Operation, { do: Do }>;

const MISSING = refusal('transaction_not_found');

/** Longer than any story. */
const RENEWED_FOR_MS = 5 * 365 * 86_400_000;

/** Charges, schedules or holds (interface: Charges). */
export function pay(model: BookingModel, operation: Of<'pay'>, caller: string | null): Answer {
  const { kind, token, requestedMinor } = operation;
  if (kind !== 'charge' && model.status === 'cancelled') return refusal('invalid_state');
  const card = token === null ? cardInUse(model) : cardNamed(model, token);
  if (!card) return refusal(token === null ? 'no_card' : 'token_not_found');
  if (model.nowMs >= card.expiresAtMs && !isRenewed(card)) return refusal('card_expired');

  const basisPoints = operation.virtual ? 0 : feeOf(model, card);
  const fixedFeeMinor = operation.virtual ? 0 : model.terms.transactionFeeMinor;
  const payment: Payment = {
    ref: operation.ref,
    kind,
    basisPoints,
    fixedFeeMinor,
    cardNamed: token !== null,
    scheduledAtMs: kind === 'schedule' ? operation.atMs : null,
    expiresAtMs: kind === 'authorization' ? operation.atMs : null,
    status: 'Pending',
    trail: [],
    ...price(requestedMinor, basisPoints, fixedFeeMinor),
    card: card.token,
    attempts: 0,
    rejections: 0,
    keyNumber: 0,
    save: model.saves,
    firstAttemptAtMs: null,
    settledAtMs: null,
    underWay: null,
    dueAtMs: null,
  };
  model.payments.push(payment);
  if (kind === 'schedule') return schedule(payment, card);
  begin(model, payment, kind === 'charge' ? 'charge' : 'authorize', { caller });
  return carryOut(model, payment);
}

/** Whether the issuer renewed a card that has expired: the service asks the acquirer, and keeps the later expiry. */
function isRenewed(card: CardState): boolean {
  if (card.behaviour.does !== 'accept expired') return false;
  card.expiresAtMs += RENEWED_FOR_MS;
  return true;
}

function schedule(payment: Payment, card: CardState): Answer {
  moveTo(payment, 'Pending');
  payment.dueAtMs = payment.scheduledAtMs;
  const tooLate = (payment.scheduledAtMs ?? 0) >= card.expiresAtMs;
  const warnings = tooLate ? ['card_expires_before_scheduled_time'] : undefined;
  return { code: 'ok', replayed: false, transaction: shown(payment), warnings };
}

/** Charges a hold, wholly or in part, once. */
export function capture(
  model: BookingModel,
  operation: Of<'capture'>,
  caller: string | null,
): Answer {
  const hold = paymentOf(model, operation.ref);
  if (!hold) return MISSING;
  if (hold.kind !== 'authorization') return refusal('invalid_state');
  const lapsed = hold.expiresAtMs !== null && model.nowMs >= hold.expiresAtMs;
  if (hold.status === 'Expired' || (hold.status === 'Authorized' && lapsed)) {
    return refusal('preauth_expired');
  }
  if (hold.status !== 'Authorized') return refusal('invalid_state');
  const requestedMinor = operation.amountMinor ?? hold.requestedMinor;
  if (requestedMinor > hold.requestedMinor) return refusal('capture_exceeds_authorization');
  const captures = price(requestedMinor, hold.basisPoints, hold.fixedFeeMinor);
  begin(model, hold, 'capture', { caller, captures });
  return carryOut(model, hold);
}

/** Lets a hold go; doing it again gives the same answer. */
export function release(
  model: BookingModel,
  operation: Of<'release'>,
  caller: string | null,
): Answer {
  const hold = paymentOf(model, operation.ref);
  if (!hold) return MISSING;
  if (hold.status === 'Released') return { code: 'ok', replayed: false, transaction: shown(hold) };
  if (hold.status !== 'Authorized') return refusal('invalid_state');
  begin(model, hold, 'release', { caller });
  return carryOut(model, hold);
}

/** Cancels one schedule; doing it again gives the same answer. */
export function cancelSchedule(model: BookingModel, operation: Of<'cancel schedule'>): Answer {
  const payment = paymentOf(model, operation.ref);
  if (!payment) return MISSING;
  if (payment.kind !== 'schedule') return refusal('invalid_state');
  if (payment.status === 'Pending') cancel(payment);
  if (payment.status !== 'Cancelled') return refusal('invalid_state');
  return { code: 'ok', replayed: false, transaction: shown(payment) };
}

/** Cancels every schedule that has not begun, and tells which it was too late for. */
export function cancelSchedules(model: BookingModel): Answer {
  const schedules = model.payments.filter(({ kind }) => kind === 'schedule');
  const pending = schedules.filter(({ status }) => status === 'Pending');
  const skipped = schedules
    .filter(({ status }) => status !== 'Pending' && status !== 'Cancelled')
    .map(({ ref, status }) => ({ ref, status }));
  pending.forEach(cancel);
  return { code: 'ok', replayed: false, cancelled: pending.map(shown), skipped };
}

/** Books or cancels; a cancellation gives up schedules and holds unless the property keeps them. */
export function save(model: BookingModel, { status }: Of<'save'>): Answer {
  model.status = status;
  model.saves += 1;
  if (cancelsPending(model)) {
    model.cancelledAtSave = model.saves;
    const held = model.payments.filter((payment) => payment.status === 'Authorized');
    model.payments.filter((payment) => payment.status === 'Pending').forEach(cancel);
    for (const payment of held) {
      begin(model, payment, 'release');
      carryOut(model, payment);
    }
  }
  return { code: 'ok', replayed: false };
}

export function cancel(payment: Payment): void {
  moveTo(payment, 'Cancelled');
  payment.dueAtMs = null;
}

/** The card that was attached last. */
export function cardInUse({ cards }: BookingModel): CardState | null {
  return cards.at(-1) ?? null;
}

function cardNamed({ cards }: BookingModel, token: string): CardState | null {
  return cards.find((card) => card.token === token) ?? null;
}

function feeOf({ terms }: BookingModel, { brand }: CardState): number {
  return terms.cardFeeByBrand[brand] ?? terms.cardFeeBasisPoints;
}

/** A schedule costs no more than when it was made, and less where the card that it is charged on costs less (interface: Fees). */
export function takeLowerFee(model: BookingModel, payment: Payment, card: CardState): void {
  // A virtual card costs nothing.
  if (payment.basisPoints === 0) return;
  const basisPoints = feeOf(model, card);
  const { amountMinor } = price(payment.requestedMinor, basisPoints, payment.fixedFeeMinor);
  if (amountMinor < payment.amountMinor) Object.assign(payment, { basisPoints, amountMinor });
}

/** The gross-up (interface: Fees), rounded half up: amounts here are small enough for plain numbers. */
function price(requestedMinor: number, basisPoints: number, fixedFeeMinor: number): Priced {
  const net = (requestedMinor + fixedFeeMinor) * 10_000;
  const share = 10_000 - basisPoints;
  return { requestedMinor, amountMinor: Math.floor((2 * net + share) / (2 * share)) };
}
