import { answers } from './acquirer.ts';
import { isRenewed, unusableCard } from './attach.ts';
import { lesserOf } from './balance.ts';
import { judgeNew } from './guard.ts';
import { FOR_CALLER, make } from './make.ts';
import { expiryWarningMs, isToCome, planExpiryWarning } from './recoveries.ts';
import {
  type Answer,
  type BookingModel,
  type CardState,
  cardInUse,
  cardOf,
  hasOwnCard,
  isFormer,
  type Payment,
  paymentOf,
  type Recovery,
  type RecoveryTerms,
  refusal,
} from './state.ts';
import { ARRIVAL_MS } from './times.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long the outcome of a charge is waited for at a time. */
const FOR_OUTCOME = 5 * MINUTE;

/** How often a charge is made again on one card that the acquirer certainly did not carry out. */
const MOST_FAILURES = 3;

/** What a step changes of a recovery. */
type Change = Partial<Recovery>;

/** Takes the next step of what is due about a card that fails (interface: Recovery). */
export function recover(model: BookingModel, recovery: Recovery): void {
  recovery.dueAtMs = null;
  Object.assign(recovery, stepOf(model, recovery));
}

function stepOf(model: BookingModel, recovery: Recovery): Change {
  const charge = chargeOf(model, recovery);
  if (model.status === 'cancelled') return ended('over');
  return isToCome(recovery)
    ? warnOfExpiry(model, recovery, charge)
    : makeGood(model, recovery, charge);
}

/** Of a charge to come. */
function warnOfExpiry(model: BookingModel, recovery: Recovery, charge: Payment): Change {
  const { nowMs } = model;
  const card = hasOwnCard(charge) ? cardOf(model, charge.card) : cardInUse(model);
  if (charge.status === 'Processing') return waiting(nowMs + FOR_OUTCOME);
  if (charge.status !== 'Pending') return ended('over');
  if (card && mayBeCharged(model, recovery, card)) return answered(model, recovery, charge, card);
  // What is owed may change again before its time.
  const anything = charge.purpose === 'Bond' ? 1 : lesserOf(model, 1, totalOf(model, charge));
  if (anything === 'wait') return waiting(nowMs + FOR_OUTCOME);
  if (anything === 0) return waiting(nowMs + DAY);
  if (recovery.cause === 'former') return ask(model, recovery, charge);
  const warnAtMs = recovery.chargeAtMs - expiryWarningMs(model);
  if (nowMs < warnAtMs) return waiting(warnAtMs);
  if (card && recovery.toldCard !== card.token) return tellOf(model, recovery, card);
  return ask(model, recovery, charge);
}

/** A card that may be charged again can have expired by then. */
function answered(
  model: BookingModel,
  { chargeAtMs }: Recovery,
  charge: Payment,
  card: CardState,
): Change {
  if (chargeAtMs < card.expiresAtMs) return ended('answered');
  planExpiryWarning(model, charge, card);
  return {};
}

/** Whether what was wrong with a card to come is over. */
function mayBeCharged(model: BookingModel, { cause, chargeAtMs }: Recovery, card: CardState) {
  return cause === 'former' ? !isFormer(model, card) : chargeAtMs < card.expiresAtMs;
}

function tellOf(model: BookingModel, recovery: Recovery, card: CardState): Change {
  recovery.card = card.token;
  return isRenewed(model, card) ? {} : { toldCard: card.token, dueAtMs: model.nowMs };
}

/** Of a charge that was declined. */
function makeGood(model: BookingModel, recovery: Recovery, charge: Payment): Change {
  const made = model.payments.filter(({ replacesCharge }) => replacesCharge === charge.ref);
  if (charge.status !== 'Declined') return ended('over');
  if (made.some(({ status }) => status === 'Accepted')) return ended('answered');
  const wanted = wantedMinor(model, charge);
  if (wanted === 'wait') return waiting(model.nowMs + FOR_OUTCOME);
  if (wanted === 0) return ended('paid');
  if (model.terms.recovery !== null) {
    if (made.some(({ status }) => status === 'Processing')) {
      return waiting(model.nowMs + FOR_OUTCOME);
    }
    if (recovery.answerCard !== null) return chargeAgain(model, recovery, charge, made);
  }
  return ask(model, recovery, charge);
}

/** Charges the new card, unless that did not help before. */
function chargeAgain(
  model: BookingModel,
  { answerCard }: Recovery,
  charge: Payment,
  made: readonly Payment[],
): Change {
  const onCard = made.filter(({ card }) => card === answerCard);
  if (onCard.length >= MOST_FAILURES || onCard.some(({ status }) => status !== 'Failed')) {
    return { answerCard: null, dueAtMs: model.nowMs };
  }
  // It may have been made before D1 was restored: the acquirer is asked first.
  if (!answers(model)) return { dueAtMs: model.nowMs + FOR_OUTCOME };
  const { code } = payInPlace(model, charge, answerCard ?? '', onCard.length);
  if (code === 'gateway_error' || code === 'outcome_unknown') {
    return { dueAtMs: model.nowMs + FOR_OUTCOME };
  }
  const wasTried = code === 'ok' || code === 'card_declined';
  return { dueAtMs: model.nowMs, ...(!wasTried && { answerCard: null }) };
}

function payInPlace(model: BookingModel, charge: Payment, token: string, tried: number): Answer {
  const wanted = wantedMinor(model, charge);
  if (wanted === 'wait') throw new Error('the model charges what is not known');
  const card = cardOf(model, token);
  const unusable = unusableCard(model, card);
  if (unusable && unusable !== 'renewed') return refusal(unusable);
  const planned = {
    ...FOR_CALLER,
    kind: 'charge',
    purpose: charge.purpose,
    ref: inPlaceOf(charge.ref, token, tried),
    requestedMinor: wanted,
    virtual: false,
    limitToDue: false,
    cardNamed: true,
    replacesCharge: charge.ref,
    atMs: null,
  } as const;
  const judged = judgeNew(model, planned);
  return make(model, card, { ...planned, warnings: judged?.warnings ?? [] }, null);
}

/** The model's name of a charge that is made in place of a declined one. */
export function inPlaceOf(ref: string, token: string, tried: number): string {
  return `${ref}>${token}>${tried}`;
}

/** Asks the guest for another card, or gives up. */
function ask(model: BookingModel, recovery: Recovery, charge: Payment): Change {
  const { nowMs, terms } = model;
  // Whoever issued a virtual card has it: its guest does not.
  if (terms.recovery === null || charge.virtual) return waiting(null);
  const { maxAsks, then: afterwards } = terms.recovery;
  const { deadlineAtMs, firstAskedAtMs } = recovery;
  if (deadlineAtMs !== null && nowMs >= deadlineAtMs) {
    return { ...ended('unanswered'), isFlagged: recovery.isFlagged || afterwards === 'flag' };
  }
  const mayAsk = recovery.asked < maxAsks;
  if (deadlineAtMs === null) {
    const deadline = deadlineOf(terms.recovery, nowMs);
    return mayAsk
      ? { deadlineAtMs: deadline, ...reminded(recovery, nowMs) }
      : { deadlineAtMs: deadline, dueAtMs: deadline };
  }
  if (!mayAsk || recovery.askedForCause !== 1 || firstAskedAtMs === null) {
    return waiting(deadlineAtMs);
  }
  const halfwayMs = Math.floor((firstAskedAtMs + deadlineAtMs) / 2);
  return nowMs < halfwayMs ? waiting(halfwayMs) : reminded(recovery, nowMs);
}

function deadlineOf({ deadlineHours, shortDeadlineHours }: RecoveryTerms, nowMs: number): number {
  const isNear = ARRIVAL_MS - nowMs < deadlineHours * HOUR;
  return nowMs + (isNear ? shortDeadlineHours : deadlineHours) * HOUR;
}

function reminded({ asked, askedForCause, firstAskedAtMs }: Recovery, nowMs: number): Change {
  return {
    asked: asked + 1,
    askedForCause: askedForCause + 1,
    firstAskedAtMs: firstAskedAtMs ?? nowMs,
    dueAtMs: nowMs,
  };
}

function waiting(untilMs: number | null): Change {
  return { dueAtMs: untilMs };
}

function ended(as: NonNullable<Recovery['ended']>): Change {
  return { ended: as, dueAtMs: null };
}

function chargeOf(model: BookingModel, { charge: ref }: Recovery): Payment {
  const charge = paymentOf(model, ref);
  if (!charge) throw new Error('the model has a recovery without its charge');
  return charge;
}

/**
 * What of a declined charge is still wanted: what was not paid since, and no more than is due. What was paid counts for
 * the charge that was declined first.
 */
function wantedMinor(model: BookingModel, charge: Payment): number | 'wait' {
  if (charge.purpose === 'Bond') return charge.requestedMinor;
  const declined = declinedFirst(model);
  let leftMinor = Math.max(0, ...declined.map((one) => paidSince(model, one)));
  for (const one of declined) {
    const coveredMinor = Math.min(one.requestedMinor, paidSince(model, one), leftMinor);
    leftMinor -= coveredMinor;
    if (one.ref !== charge.ref) continue;
    return lesserOf(model, one.requestedMinor - coveredMinor, totalOf(model, charge));
  }
  return 0;
}

/** What is limited to what is due goes by the last total that was known. */
function totalOf({ knownTotalMinor, totalMinor }: BookingModel, { limitToDue }: Payment): number {
  return totalMinor === 0 && limitToDue ? knownTotalMinor : totalMinor;
}

/** The charges that were declined and not made good since, the one that was declined first first. */
function declinedFirst(model: BookingModel): Payment[] {
  return model.recoveries
    .map((recovery) => chargeOf(model, recovery))
    .filter(({ purpose, status }) => status === 'Declined' && purpose !== 'Bond')
    .filter(
      ({ ref }) =>
        !model.payments.some((it) => it.replacesCharge === ref && it.status === 'Accepted'),
    )
    .toSorted(
      (one, other) =>
        (one.endedAtMs ?? 0) - (other.endedAtMs ?? 0) ||
        model.payments.indexOf(one) - model.payments.indexOf(other),
    );
}

/** What was paid otherwise since a charge was declined. */
function paidSince(model: BookingModel, { endedAtMs }: Payment): number {
  return model.payments
    .filter(
      ({ kind, purpose, replacesCharge, status }) =>
        status === 'Accepted' &&
        kind !== 'schedule' &&
        purpose !== 'Bond' &&
        replacesCharge === null,
    )
    .filter(({ settledAtMs }) => (settledAtMs ?? 0) >= (endedAtMs ?? 0))
    .reduce((sum, { requestedMinor }) => sum + requestedMinor, 0);
}
