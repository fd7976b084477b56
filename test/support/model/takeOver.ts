import { type PaymentThere, paymentThere } from './acquirer.ts';
import { takenPrice, termsNow } from './price.ts';
import { type BookingModel, cardOf, type Payment } from './state.ts';

/** Whether the acquirer has something of a payment that can become a record here: money that it took, or holds. */
export function canBeTakenOver(model: BookingModel, ref: string): boolean {
  const there = paymentThere(model, ref);
  return there !== null && (there.taken !== null || there.released === null);
}

/**
 * A payment that the acquirer names as the booking's and that is not here, because D1 was restored to a time before it,
 * becomes a record of the booking (interface: Corrections): with the fees that the property takes now.
 */
export function takeOver(model: BookingModel, ref: string): void {
  const there = paymentThere(model, ref);
  if (!there) throw new Error('the model takes over what is not there');
  const { made, taken } = there;
  const card = cardOf(model, made.card ?? '');
  const terms = termsNow(model, card, false);
  const settledAtMs = taken?.atMs ?? null;
  const payment: Payment = {
    ...UNTOLD,
    ref,
    kind: taken ? 'charge' : 'authorization',
    status: taken ? 'Accepted' : 'Authorized',
    trail: [taken ? 'Accepted' : 'Authorized'],
    ...terms,
    ...takenPrice((taken ?? made).amountMinor, terms),
    card: card.token,
    keyNumber: keyNumberOf(there, ref),
    save: model.saves,
    wasHeld: !taken,
    madeAtMs: model.nowMs,
    settledAtMs,
    expiresAtMs: taken ? null : lapseOf(there),
    dueAtMs: taken ? null : Math.max(model.nowMs, lapseOf(there)),
  };
  model.payments.push(payment);
}

/** Of a hold this is how long its card's network gives it. */
function lapseOf({ made }: PaymentThere): number {
  return made.atMs + HOLD_LIFE_MS;
}

/** The key that it was made with counts as the last one. */
function keyNumberOf({ made }: PaymentThere, ref: string): number {
  return Number(made.id.slice(ref.length + 1));
}

/** How long the networks of all test cards give a hold. */
const HOLD_LIFE_MS = 30 * 86_400_000;

/** What the acquirer does not tell of a payment. */
const UNTOLD = {
  purpose: 'Manual',
  virtual: false,
  limitToDue: false,
  byGuest: false,
  replaces: [],
  lowers: null,
  replacesCharge: null,
  warnings: [],
  cardNamed: true,
  scheduledAtMs: null,
  askedMinor: null,
  madeOn: null,
  otherCard: null,
  attempts: 1,
  rejections: 0,
  endedUnasked: false,
  firstAttemptAtMs: null,
  putOffUntilMs: null,
  isUnwanted: false,
  endedAtMs: null,
  bankAskedAtMs: null,
  underWay: null,
} as const;
