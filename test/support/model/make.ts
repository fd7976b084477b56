import { price, termsNow } from './price.ts';
import { planExpiryWarning } from './recoveries.ts';
import { begin, carryOut } from './settle.ts';
import {
  type Answer,
  type BookingModel,
  type CardState,
  fine,
  moveTo,
  type Payment,
} from './state.ts';

/** A payment that may be made. */
export interface Planned
  extends Pick<
    Payment,
    | 'kind'
    | 'purpose'
    | 'ref'
    | 'requestedMinor'
    | 'virtual'
    | 'limitToDue'
    | 'cardNamed'
    | 'byGuest'
    | 'replaces'
    | 'lowers'
    | 'replacesCharge'
  > {
  readonly warnings: readonly string[];
  /** When a schedule is charged, or a hold ends. */
  readonly atMs: number | null;
}

/** What is no guest's, and stands for nothing else. */
export const FOR_CALLER = {
  byGuest: false,
  replaces: [],
  lowers: null,
  replacesCharge: null,
} as const;

/** Records a payment, and carries it out unless it is for later. */
export function make(
  model: BookingModel,
  card: CardState,
  { atMs, ...planned }: Planned,
  caller: string | null,
): Answer {
  const { kind } = planned;
  const terms = termsNow(model, card, planned.virtual);
  const payment: Payment = {
    ...planned,
    limitToDue: kind === 'schedule' && planned.limitToDue,
    warnings: [...planned.warnings],
    ...terms,
    ...price(planned.requestedMinor, terms),
    askedMinor: null,
    scheduledAtMs: kind === 'schedule' ? atMs : null,
    expiresAtMs: kind === 'authorization' ? atMs : null,
    status: 'Pending',
    trail: [],
    card: card.token,
    madeOn: kind === 'schedule' && !planned.cardNamed ? card.token : null,
    otherCard: null,
    attempts: 0,
    rejections: 0,
    endedUnasked: false,
    keyNumber: 0,
    save: model.saves,
    firstAttemptAtMs: null,
    putOffUntilMs: null,
    isUnwanted: false,
    bankAskedAtMs: null,
    wasHeld: false,
    settledAtMs: null,
    endedAtMs: null,
    madeAtMs: model.nowMs,
    underWay: null,
    dueAtMs: null,
  };
  model.payments.push(payment);
  if (kind === 'schedule') return schedule(model, payment, card);
  begin(model, payment, kind === 'charge' ? 'charge' : 'authorize', { caller });
  return carryOut(model, payment);
}

function schedule(model: BookingModel, payment: Payment, card: CardState): Answer {
  moveTo(payment, 'Pending');
  payment.dueAtMs = payment.scheduledAtMs;
  planExpiryWarning(model, payment, card);
  const tooLate = (payment.scheduledAtMs ?? 0) >= card.expiresAtMs;
  const warnings = [
    ...payment.warnings,
    ...(tooLate ? ['card_expires_before_scheduled_time'] : []),
  ];
  return { ...fine(payment), warnings: warnings.length > 0 ? warnings.toSorted() : undefined };
}
