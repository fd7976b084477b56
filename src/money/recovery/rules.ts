import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import { expiryWarningMs } from '../../records/properties/rules.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { CardRecovery } from '../../schema/propertyTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';

/** How long a recovery waits at a time for the outcome of a charge. */
const WAIT_FOR_OUTCOME_MS = 5 * MINUTE_MS;

/** A charge that was made in place of a declined one. */
export type Replacement = Pick<TransactionRow, 'status' | 'cardToken'>;

export interface Situation {
  readonly row: RecoveryRow;
  readonly charge: Pick<TransactionRow, 'status' | 'virtualCard'>;
  readonly settings: CardRecovery | null;
  readonly isCancelled: boolean;
  /** What is still to be charged, in minor units without fees; null while only the outcome of another payment says. */
  readonly wantedMinor: number | null;
  /** The card that the charge would be made on now; null if there is none. */
  readonly card: {
    readonly token: string;
    readonly willHaveExpired: boolean;
    readonly isOfFormerAccount: boolean;
  } | null;
  /** Of a virtual card: whether its property, which is asked itself, has an address. Nothing for any other card. */
  readonly hasContact?: boolean;
  readonly replacements: readonly Replacement[];
  /** When the day of arrival begins. */
  readonly arrivalMs: number;
  readonly nowMs: number;
}

/** What is done about a recovery next. */
export type Step =
  /** Nothing more: the card was replaced, the amount is paid, or the charge is no longer to be made. */
  | { readonly kind: 'end'; readonly as: 'answered' | 'paid' | 'over' }
  /** Nothing before this time; null: nothing until something else changes. */
  | { readonly kind: 'wait'; readonly untilMs: number | null }
  /** Ask the acquirer whether the card was renewed; if not, warn of it. */
  | { readonly kind: 'warnOfExpiry' }
  /** The card may be charged again, but will have expired by then: plan to ask for that. */
  | { readonly kind: 'expires' }
  /** Move the charge to come to the guest's new card. */
  | { readonly kind: 'takeOver'; readonly cardToken: string }
  /** Make the declined charge again, on the guest's new card: what of it is still to be charged, without fees. */
  | { readonly kind: 'charge'; readonly cardToken: string; readonly amountMinor: number }
  /** The new card did not help: remind the guest further. */
  | { readonly kind: 'forgetAnswer' }
  /** Ask the guest, or the property itself. */
  | { readonly kind: 'remind'; readonly deadlineAtMs: number }
  /** No more reminders are left, but an answer still counts until the deadline. */
  | { readonly kind: 'setDeadline'; readonly deadlineAtMs: number }
  /** Nobody answered. */
  | { readonly kind: 'giveUp'; readonly flags: boolean };

/** Whether the charge is still to come. Otherwise it was declined. */
export function isToCome({ cause }: Pick<RecoveryRow, 'cause'>): boolean {
  return cause === 'expiring' || cause === 'former';
}

/** Decides what is done about a recovery now (interface: Recovery). */
export function nextStep(situation: Situation): Step {
  return stepWithoutGuest(situation) ?? reminderStep(situation);
}

/**
 * Whether a guest who was asked still is: a reminder that waited to be sent says nothing of what was answered or paid since,
 * nor of what is past its deadline.
 */
export function isStillAsked(situation: Situation): boolean {
  const { row, nowMs } = situation;
  const { deadlineAtMs, endedAtMs } = row;
  if (endedAtMs !== null || deadlineAtMs === null || nowMs >= deadlineAtMs) return false;
  return mayRemind(situation) && stepWithoutGuest(situation) === null;
}

/** The step that needs no guest to be asked, or none yet. */
function stepWithoutGuest(situation: Situation): Step | null {
  return endStep(situation) ?? chargeStep(situation) ?? warningStep(situation);
}

/** The step of a recovery that nobody needs to be asked for any more, or not yet. */
function endStep(situation: Situation): Step | null {
  if (situation.isCancelled) return { kind: 'end', as: 'over' };
  return isToCome(situation.row) ? endOfChargeToCome(situation) : endOfDeclined(situation);
}

function endOfChargeToCome({ row, charge, wantedMinor, card, nowMs }: Situation): Step | null {
  if (charge.status === 'Processing') {
    return { kind: 'wait', untilMs: nowMs + WAIT_FOR_OUTCOME_MS };
  }
  if (charge.status !== 'Pending') return { kind: 'end', as: 'over' };
  if (row.answerCard !== null) return { kind: 'takeOver', cardToken: row.answerCard };
  if (card !== null && !(row.cause === 'former' ? card.isOfFormerAccount : card.willHaveExpired)) {
    return card.willHaveExpired ? { kind: 'expires' } : { kind: 'end', as: 'answered' };
  }
  if (wantedMinor === null) return { kind: 'wait', untilMs: nowMs + WAIT_FOR_OUTCOME_MS };
  // What is owed may change again before the charge.
  return wantedMinor === 0 ? { kind: 'wait', untilMs: nowMs + DAY_MS } : null;
}

/** The end of a declined charge, or a wait for another's outcome. */
function endOfDeclined({ charge, wantedMinor, replacements, nowMs }: Situation): Step | null {
  if (charge.status !== 'Declined') return { kind: 'end', as: 'over' };
  if (replacements.some(({ status }) => status === 'Accepted')) {
    return { kind: 'end', as: 'answered' };
  }
  if (wantedMinor === null) return { kind: 'wait', untilMs: nowMs + WAIT_FOR_OUTCOME_MS };
  return wantedMinor === 0 ? { kind: 'end', as: 'paid' } : null;
}

/** How often a charge is made again that the acquirer certainly did not carry out. */
const MOST_FAILURES = 3;

/** The step of a declined charge whose guest gave a new card. */
function chargeStep({ row, settings, wantedMinor, replacements, nowMs }: Situation): Step | null {
  if (isToCome(row) || settings === null) return null;
  if (replacements.some(({ status }) => status === 'Processing')) {
    return { kind: 'wait', untilMs: nowMs + WAIT_FOR_OUTCOME_MS };
  }
  const token = row.answerCard;
  if (token === null || wantedMinor === null) return null;
  const onCard = replacements.filter(({ cardToken }) => cardToken === token);
  const isDeclined = onCard.some(({ status }) => status !== 'Failed');
  return isDeclined || onCard.length >= MOST_FAILURES
    ? { kind: 'forgetAnswer' }
    : { kind: 'charge', cardToken: token, amountMinor: wantedMinor };
}

/** The step of a charge to come, until the property is warned of its card. */
function warningStep({ row, settings, card, nowMs }: Situation): Step | null {
  if (row.cause !== 'expiring') return null;
  const warnAtMs = row.chargeAtMs - expiryWarningMs(settings);
  if (nowMs < warnAtMs) return { kind: 'wait', untilMs: warnAtMs };
  return card !== null && row.toldCard !== card.token ? { kind: 'warnOfExpiry' } : null;
}

/**
 * Whether anybody is asked: the guest, or about a virtual card's terms the property. Of a card that only its request called
 * a virtual one, nobody is: it is with its issuer.
 */
function mayRemind({ charge, hasContact, settings }: Situation): boolean {
  return settings !== null && (hasContact ?? !charge.virtualCard);
}

/** The step of a recovery whose guest has not answered yet. */
function reminderStep(situation: Situation): Step {
  const { row, settings, nowMs } = situation;
  if (settings === null || !mayRemind(situation)) return { kind: 'wait', untilMs: null };
  const { deadlineAtMs } = row;
  if (deadlineAtMs !== null && nowMs >= deadlineAtMs) {
    return { kind: 'giveUp', flags: settings.then === 'flag' && row.flaggedAtMs === null };
  }
  const isLeft = row.asked < settings.maxAsks;
  if (deadlineAtMs === null) {
    const deadline = { deadlineAtMs: deadlineOf(settings, nowMs, situation.arrivalMs) };
    return isLeft ? { kind: 'remind', ...deadline } : { kind: 'setDeadline', ...deadline };
  }
  return isLeft
    ? secondReminder(row, deadlineAtMs, nowMs)
    : { kind: 'wait', untilMs: deadlineAtMs };
}

/** The guest is asked again halfway to the deadline. */
function secondReminder(
  { askedForCause, firstAskedAtMs }: RecoveryRow,
  deadlineAtMs: number,
  nowMs: number,
): Step {
  if (askedForCause !== 1 || firstAskedAtMs === null)
    return { kind: 'wait', untilMs: deadlineAtMs };
  const againAtMs = Math.floor((firstAskedAtMs + deadlineAtMs) / 2);
  return nowMs >= againAtMs
    ? { kind: 'remind', deadlineAtMs }
    : { kind: 'wait', untilMs: againAtMs };
}

/**
 * Until when an answer counts: `deadlineHours` after the first reminder, or `shortDeadlineHours` where arrival is nearer
 * than `deadlineHours`.
 */
export function deadlineOf(
  { deadlineHours, shortDeadlineHours }: CardRecovery,
  askedAtMs: number,
  arrivalMs: number,
): number {
  const isNear = arrivalMs - askedAtMs < deadlineHours * HOUR_MS;
  return askedAtMs + (isNear ? shortDeadlineHours : deadlineHours) * HOUR_MS;
}

/** A declined charge, and what was paid of its booking since then. Amounts in minor units without fees. */
export interface DeclinedCharge extends Pick<TransactionRow, 'id' | 'purpose' | 'requestedMinor'> {
  /** By charges and captures: neither schedules nor what was made in place of declined charges. */
  readonly paidSinceMinor: number;
}

/**
 * What of each declined charge was paid since, by its id: payments count for the charge that was declined first, then for
 * the next. `declined` has the earliest declined first. Bonds are no part of what is due.
 */
export function coveredMinor(declined: readonly DeclinedCharge[]): Map<number, number> {
  const counted = declined.filter(({ purpose }) => purpose !== 'Bond');
  let leftMinor = Math.max(0, ...counted.map(({ paidSinceMinor }) => paidSinceMinor));
  return new Map(
    counted.map(({ id, requestedMinor, paidSinceMinor }) => {
      const covered = Math.min(requestedMinor, paidSinceMinor, leftMinor);
      leftMinor -= covered;
      return [id, covered];
    }),
  );
}
