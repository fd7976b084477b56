import {
  type BookingModel,
  type CardState,
  cardOf,
  hasOwnCard,
  isFormer,
  type Payment,
  type Recovery,
  type Terms,
} from './state.ts';

const DAY = 86_400_000;

/** How many days before its time a schedule's card is looked at where the property does not say. */
const USUAL_DAYS_BEFORE = 14;

/** How long before a schedule its card is looked at. */
export function expiryWarningMs({ terms }: BookingModel): number {
  return (terms.recovery?.askDaysBefore ?? USUAL_DAYS_BEFORE) * DAY;
}

function recoveryOf(model: BookingModel, ref: string): Recovery | null {
  return model.recoveries.find(({ charge }) => charge === ref) ?? null;
}

/** Whether what is done is about a charge to come. */
export function isToCome({ cause }: Pick<Recovery, 'cause'>): boolean {
  return cause === 'expiring' || cause === 'former';
}

/** Plans what is done about a schedule whose card will have expired at its time. */
export function planExpiryWarning(model: BookingModel, schedule: Payment, card: CardState): void {
  const chargeAtMs = schedule.scheduledAtMs ?? 0;
  if (chargeAtMs < card.expiresAtMs) return;
  begin(model, schedule, card, 'expiring', chargeAtMs - expiryWarningMs(model));
}

/** Begins what is done about a schedule whose card is kept at a former account. */
export function recoverFormer(
  model: BookingModel,
  schedule: Payment,
  card: Pick<CardState, 'token'>,
): void {
  begin(model, schedule, card, 'former', model.nowMs);
}

/** Begins what is done about a charge that was declined for good: a schedule's, or one that needs its guest. */
export function recoverDeclined(model: BookingModel, declined: Payment, code: string): void {
  const needsGuest = code === 'authentication_required';
  const isUnattended =
    declined.kind === 'schedule' || (declined.kind === 'charge' && needsGuest && !declined.byGuest);
  if (!isUnattended || declined.replacesCharge !== null) return;
  const cause = needsGuest ? 'authentication' : 'declined';
  const card = { token: declined.card };
  begin(model, declined, card, cause, model.terms.recovery === null ? null : model.nowMs);
}

/** One that is there begins again with its new cause; how often its guest was asked stays. */
function begin(
  model: BookingModel,
  charge: Payment,
  card: Pick<CardState, 'token'>,
  cause: Recovery['cause'],
  dueAtMs: number | null,
): void {
  const before = recoveryOf(model, charge.ref);
  const begun = {
    cause,
    card: card.token,
    dueAtMs,
    askedForCause: 0,
    firstAskedAtMs: null,
    deadlineAtMs: null,
    answerCard: null,
    ended: null,
  };
  if (before) Object.assign(before, begun);
  else {
    const chargeAtMs = charge.scheduledAtMs ?? charge.madeAtMs;
    const known = { charge: charge.ref, chargeAtMs, toldCard: null, asked: 0, isFlagged: false };
    model.recoveries.push({ ...known, ...begun });
  }
}

/** The property lays down something else. Guests who were not asked yet are asked by that. */
export function setTerms(model: BookingModel, terms: Terms): void {
  const hasNewAccount = terms.account !== model.terms.account;
  model.terms = terms;
  model.version += 1;
  if (hasNewAccount) beginFormer(model);
  for (const recovery of model.recoveries) {
    if (recovery.cause === 'former' && recovery.ended === null) recovery.dueAtMs = model.nowMs;
    const isAhead = recovery.cause === 'expiring' && recovery.ended === null;
    if (!isAhead || recovery.askedForCause > 0) continue;
    recovery.dueAtMs = recovery.chargeAtMs - expiryWarningMs(model);
  }
}

/** Each schedule whose card the new account does not keep waits for another card. */
function beginFormer(model: BookingModel): void {
  for (const schedule of model.payments.filter(({ status }) => status === 'Pending')) {
    const token = hasOwnCard(schedule) ? schedule.card : model.inUse;
    const card = token === null ? null : cardOf(model, token);
    if (card && isFormer(model, card)) recoverFormer(model, schedule, card);
  }
}

/** The issuer renewed a card: who was to be asked for another one no longer is. */
export function recheck(model: BookingModel, { token }: CardState): void {
  for (const recovery of model.recoveries) {
    if (recovery.card !== token || recovery.ended !== null) continue;
    recovery.dueAtMs = model.nowMs;
    if (recovery.cause === 'declined') recovery.answerCard = token;
  }
}
