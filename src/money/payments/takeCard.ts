import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { cardMessage, isByLink } from '../../pms/rules/messages.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { useCard } from '../../records/bookings/store.ts';
import { isOfFormerAccount } from '../../records/cards/rules.ts';
import { updateCard } from '../../records/cards/store.ts';
import { changedPlan } from '../../records/plans/rules/changes.ts';
import { cardEndMs, isForetold } from '../../records/plans/rules/foresight.ts';
import { selectPlan } from '../../records/plans/store.ts';
import { answerLater, selectRecoveries, updateRecovery } from '../../records/recoveries/store.ts';
import { selectCatalogue } from '../../records/rooms/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PlanRow } from '../../schema/planTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';
import { planExpiryWarnings } from './beginRecovery.ts';
import { cardEntry, changed, changeWrites, MOST_CHANGES } from './entries.ts';
import { nominalTimeMs } from './rules/retries.ts';
import { type CardChoice, cardExpired, hasOwnCard } from './rules.ts';
import { selectInStates } from './store.ts';

/** What a booking's new card changes: its pending schedules, its plan and its recoveries, as D1 has them. */
export interface CardDependents {
  readonly plan: PlanRow | null;
  readonly pending: readonly TransactionRow[];
  readonly recoveries: readonly RecoveryRow[];
}

/**
 * What a new card changes, from memory or by one round trip. A guest's card is no answer to what is asked because of a
 * virtual card: its property was asked.
 */
export async function readCardDependents(
  work: BookingWork,
  { cards }: Pick<BookingState, 'cards'>,
  { enteredBy }: Pick<CardRow, 'enteredBy'>,
): Promise<CardDependents> {
  const dependents = await readDependents(work);
  if (enteredBy !== 'guest') return dependents;
  const virtual = new Set(cards.filter((card) => card.virtual).map(({ token }) => token));
  const recoveries = dependents.recoveries.filter(({ cardToken }) => !virtual.has(cardToken));
  return { ...dependents, recoveries };
}

async function readDependents(work: BookingWork): Promise<CardDependents> {
  const { database, memory, propertyId, reference } = work;
  const { plan: known, rows } = memory;
  if (rows && known !== undefined) {
    const pending = rows.transactions.filter(({ status }) => status === 'Pending');
    return { plan: known, pending, recoveries: rows.recoveries };
  }
  const [pending, recoveries, [plan]] = await database.batch('d1.recovery.read', [
    selectInStates(propertyId, reference, ['Pending']),
    selectRecoveries({ propertyId, reference }),
    selectPlan({ propertyId, reference }),
  ]);
  return { plan: plan ?? null, pending, recoveries };
}

/**
 * The writes by which a booking's new card answers what its guest was asked (interface: Recovery): what was declined
 * for good is due to be charged again on it, and it takes over what is still pending.
 */
export function newCardWrites(
  work: BookingWork,
  property: PropertyRow,
  answerable: CardDependents,
  card: CardRow,
): Write[] {
  const nowMs = work.now();
  const declined = answerable.recoveries.filter((row) => isChargedAgain(property, row, nowMs));
  return [
    ...answeredLater(work, declined, card),
    ...takeOverSchedules(work, property, answerable, card).writes,
  ];
}

/** Leaves what a new card answers to the alarm, by one statement. */
function answeredLater(
  work: BookingWork,
  rows: readonly RecoveryRow[],
  { token: answerCard }: CardRow,
): Write[] {
  if (rows.length === 0) return [];
  const ids = rows.map(({ transactionId }) => transactionId);
  return [answerLater(work, ids, { answerCard, nowMs: work.now() })];
}

/** What a new card takes over: the writes, and the schedules that they change, as they are then. */
interface TakenOver {
  readonly writes: Write[];
  readonly schedules: readonly TransactionRow[];
}

/**
 * A booking's new card takes over the schedules that are still pending: those that name no card, and those that their
 * guest was asked about. The alarm moves those that the batch has no room for.
 */
function takeOverSchedules(
  work: BookingWork,
  property: PropertyRow,
  { pending, plan, recoveries }: CardDependents,
  card: CardRow,
): TakenOver {
  const asked = recoveries.flatMap((row) => {
    const schedule = pending.find(({ id }) => id === row.transactionId);
    return schedule && isOpen(row) && takesOver(row, schedule) ? [{ row, schedule }] : [];
  });
  const moved = asked
    .slice(0, MOST_CHANGES)
    .map(({ row, schedule }) => moveToCard(work, property, row, schedule, card));
  const later = asked.slice(MOST_CHANGES).map(({ row }) => row);
  const planned = pending.filter(
    (schedule) =>
      !hasOwnCard(schedule) &&
      !recoveries.some((row) => isOpen(row) && row.transactionId === schedule.id),
  );
  return {
    writes: [
      ...moved.flatMap(({ writes }) => writes),
      ...answeredLater(work, later, card),
      ...planExpiryWarnings(work, property, planned, card),
      ...takeOverPlan(work, property, { plan, recoveries }, card),
    ],
    schedules: moved.flatMap(({ schedules }) => schedules),
  };
}

/**
 * A booking's plan charges its new card from now on: one that names a card only if its guest was asked about that. When the
 * card will have expired is known then; what was foretold of another one ends by the alarm.
 */
function takeOverPlan(
  work: BookingWork,
  { timeZone }: PropertyRow,
  { plan, recoveries }: Pick<CardDependents, 'plan' | 'recoveries'>,
  card: CardRow,
): Write[] {
  if (plan?.status !== 'active') return [];
  const foretold = plan.parts.flatMap((part) => part.foretold?.recoveryId ?? []);
  const isAsked = recoveries.some(
    ({ askedForCause, transactionId }) => askedForCause > 0 && foretold.includes(transactionId),
  );
  if (plan.cardToken !== null && !isAsked) return [];
  const cardEndsAtMs = cardEndMs(card, timeZone);
  const isForeseen = plan.parts.every((part) => isForetold(part, cardEndsAtMs));
  const dueAtMs = isForeseen ? plan.dueAtMs : plan.putAtMs;
  const row = changedPlan(plan, { cardToken: null, cardEndsAtMs, dueAtMs }, work.now());
  return row === plan ? [] : [{ plan: { row, events: [] } }];
}

/** Whether a card that is attached now is charged what was declined before. */
export function isChargedAgain(
  { cardRecovery }: Pick<PropertyRow, 'cardRecovery'>,
  { cause, endedAtMs, deadlineAtMs }: RecoveryRow,
  nowMs: number,
): boolean {
  const isDeclined = cause === 'declined' || cause === 'authentication';
  const isAsked = endedAtMs === null && cardRecovery !== null;
  return isDeclined && isAsked && (deadlineAtMs === null || nowMs < deadlineAtMs);
}

/** Whether a new card still answers a recovery of a charge to come: also after its deadline. */
export function isOpen({ endedAtMs, endedAs }: RecoveryRow): boolean {
  return endedAtMs === null || endedAs === 'unanswered';
}

/** Whether a new card takes over a schedule: one that named its card only if its guest was asked about that. */
export function takesOver({ askedForCause }: RecoveryRow, schedule: CardChoice): boolean {
  return !hasOwnCard(schedule) || askedForCause > 0;
}

/** Moves a schedule whose recovery is open to a booking's new card. */
export function moveToCard(
  work: BookingWork,
  property: PropertyRow,
  row: RecoveryRow,
  schedule: TransactionRow,
  card: CardRow,
): TakenOver {
  const isAsked = row.askedForCause > 0;
  const nowMs = work.now();
  const expires = cardExpired(card, property.timeZone, row.chargeAtMs);
  const change = {
    cardToken: card.token,
    answerCard: null,
    changedAtMs: nowMs,
    ...(expires ? row.endedAtMs === null && { dueAtMs: nowMs } : answered(nowMs)),
  };
  const warning =
    row.cause === 'former' ? planExpiryWarnings(work, property, [schedule], card) : [];
  // One whose time has passed waited for this card.
  const waited = row.cause === 'former' && nominalTimeMs(schedule) <= nowMs;
  // It takes the place of the card that the schedule was made on.
  const moved = { cardToken: card.token, otherCard: null, ...(waited && { dueAtMs: nowMs }) };
  const moves = isAsked || waited;
  const told = { why: 'moved to the new card', card };
  return {
    writes: [
      ...(warning.length > 0 ? warning : [updateRecovery(row, change)]),
      ...(moves ? changeWrites(work, schedule, moved, told) : []),
    ],
    schedules: moves ? [changed(schedule, moved)] : [],
  };
}

/** The change of a recovery that a new card ends. */
function answered(nowMs: number) {
  return { endedAs: 'answered', endedAtMs: nowMs, dueAtMs: null } as const;
}

/**
 * The writes by which a card that a guest entered to pay becomes the card in use (interface: Paying), for the batch
 * that accepts its payment: it takes over the schedules that this does not end, and the PMS and the events report it. What
 * was declined before is not charged on it: its guest paid the amount that they chose. None for any other card, nor for
 * one that may not be charged again because its property's account changed meanwhile.
 */
export async function adoptCard(
  work: BookingWork,
  state: BookingState,
  { replaces }: Pick<TransactionRow, 'replaces'>,
  card: CardRow | null,
  dependents: CardDependents,
): Promise<TakenOver> {
  const isKept = card?.enteredToPay && card.removedAtMs === null;
  if (!isKept || isOfFormerAccount(state.property, card)) return { writes: [], schedules: [] };
  const { propertyId, reference } = work;
  const atMs = work.now();
  const staying = dependents.pending.filter(({ id }) => !replaces.includes(id));
  // The booking and its cards are read again.
  work.memory.state = null;
  const attached = { from: 'entered', to: 'attached' };
  const answerable = { ...dependents, pending: staying };
  const taken = takeOverSchedules(work, state.property, answerable, card);
  if (dependents.recoveries.length > MOST_CHANGES) await work.wakeBy(atMs);
  return {
    writes: [
      updateCard(card, { enteredToPay: false }),
      useCard({ propertyId, reference }, card.token, atMs),
      cardEntry(work, atMs, card, 'card.attached', attached),
      ...taken.writes,
      ...(await notifyOfCard(work, state, card)),
    ],
    schedules: taken.schedules,
  };
}

/** The message to the PMS about a booking's new card, if its guest entered it. */
export async function notifyOfCard(
  work: BookingWork,
  state: BookingState,
  card: CardRow,
): Promise<Write[]> {
  const { database, propertyId } = work;
  const { booking, property } = state;
  const isTold = property.pmsUrl !== null && isByLink(card);
  // The message has to name the rooms and rates; most cards need none, and no round trip.
  const [[catalogue]] =
    isTold && (booking.roomStays ?? []).length > 0
      ? await database.batch('d1.rooms.read', [selectCatalogue(propertyId)])
      : [[]];
  const roomTypes = catalogue?.roomTypes ?? [];
  return queueMessage(work, property, cardMessage({ ...state, roomTypes }, booking, card));
}
