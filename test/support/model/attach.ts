import { testCards } from './cards.ts';
import type { Operation } from './operation.ts';
import { isToCome, planExpiryWarning, recheck } from './recoveries.ts';
import { nominalTimeMs } from './retries.ts';
import { type BookingModel, type CardState, hasOwnCard, isFormer, type Recovery } from './state.ts';

type Attach = Extract<Operation, { do: 'attach' }>;

/** Longer than any story. */
const RENEWED_FOR_MS = 5 * 365 * 86_400_000;

/** A card becomes the one in use, and answers what its guest was asked (interface: Recovery). Returns what it is charged. */
export function attach(model: BookingModel, operation: Attach): Recovery[] {
  const card = vaulted(model, operation);
  return card.toPay ? [] : use(model, card);
}

function vaulted(model: BookingModel, operation: Attach): CardState {
  const known = testCards[operation.card];
  if (!known) throw new Error('no such test card');
  const { account, enteredBy, expiresAtMs, toPay, token } = operation;
  const { brand, behaviour } = known;
  const counts = { declines: 0, refusals: 0 };
  const card = { token, brand, enteredBy, account, toPay, behaviour, expiresAtMs, ...counts };
  model.cards.push(card);
  return card;
}

function use(model: BookingModel, card: CardState): Recovery[] {
  model.inUse = card.token;
  model.version += 1;
  const charged = byCharge(model, model.recoveries).filter((it) => isChargedAgain(model, it));
  for (const recovery of charged) {
    recovery.answerCard = card.token;
    recovery.dueAtMs = model.nowMs;
  }
  takeOver(model, card);
  return charged;
}

/** The card in use takes over the schedules that are still to come. */
export function takeOver(model: BookingModel, card: CardState): void {
  const open = model.recoveries.filter(isOpen).map(({ charge }) => charge);
  for (const recovery of model.recoveries) {
    if (isToCome(recovery)) moveToCard(model, recovery, card);
  }
  for (const schedule of model.payments) {
    const isPlanned = schedule.status === 'Pending' && !hasOwnCard(schedule);
    if (isPlanned && !open.includes(schedule.ref)) planExpiryWarning(model, schedule, card);
  }
}

/** Whether a new card still answers: also after the deadline. */
function isOpen({ ended }: Recovery): boolean {
  return ended === null || ended === 'unanswered';
}

/** What the earliest charge is about comes first. */
export function byCharge({ payments }: BookingModel, recoveries: readonly Recovery[]): Recovery[] {
  const made = payments.map(({ ref }) => ref);
  return recoveries.toSorted(
    (one, other) =>
      one.chargeAtMs - other.chargeAtMs || made.indexOf(one.charge) - made.indexOf(other.charge),
  );
}

/** Whether a new card is charged what was declined before. */
function isChargedAgain({ nowMs, terms }: BookingModel, recovery: Recovery): boolean {
  const { cause, deadlineAtMs, ended } = recovery;
  const inTime = deadlineAtMs === null || nowMs < deadlineAtMs;
  return !isToCome({ cause }) && ended === null && terms.recovery !== null && inTime;
}

/** A new card takes over a schedule: one that names its card only if its guest was asked about that. */
function moveToCard(model: BookingModel, recovery: Recovery, card: CardState): void {
  const schedule = model.payments.find(({ ref }) => ref === recovery.charge);
  const isAsked = recovery.askedForCause > 0;
  if (schedule?.status !== 'Pending' || !isOpen(recovery)) return;
  if (hasOwnCard(schedule) && !isAsked) return;
  const isOfFormer = recovery.cause === 'former';
  recovery.card = card.token;
  if (recovery.chargeAtMs < card.expiresAtMs) {
    recovery.ended = 'answered';
    recovery.dueAtMs = null;
  } else if (isOfFormer) planExpiryWarning(model, schedule, card);
  else if (recovery.ended === null) recovery.dueAtMs = model.nowMs;
  // One whose time has passed waited for this card.
  const waited = isOfFormer && nominalTimeMs(schedule) <= model.nowMs;
  if (waited) schedule.dueAtMs = model.nowMs;
  if (!isAsked && !waited) return;
  schedule.card = card.token;
  // Its guest gave this card for it, in place of the one that it was made on.
  if (schedule.madeOn !== null) schedule.madeOn = card.token;
  schedule.otherCard = null;
  // The audit trail notes the card.
  schedule.trail.push(schedule.status);
}

/** Why a card takes nothing new, or that its issuer renewed it, which is asked where it has expired; null where it does. */
export function unusableCard(
  model: BookingModel,
  card: CardState,
): 'card_of_former_account' | 'card_expired' | 'renewed' | null {
  if (isFormer(model, card)) return 'card_of_former_account';
  if (model.nowMs < card.expiresAtMs) return null;
  return isRenewed(model, card) ? 'renewed' : 'card_expired';
}

/** Whether the issuer renewed a card in place: the acquirer is asked, and the later expiry kept. */
export function isRenewed(model: BookingModel, card: CardState): boolean {
  if (card.behaviour.does !== 'accept expired' || card.isRenewed) return false;
  card.isRenewed = true;
  card.expiresAtMs += RENEWED_FOR_MS;
  model.version += 1;
  recheck(model, card);
  return true;
}
