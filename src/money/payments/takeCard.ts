import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { selectRecoveries, updateRecovery } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';
import { foreseeExpiry } from './beginRecovery.ts';
import { changeStatements } from './change.ts';
import { type CardChoice, cardExpired, hasOwnCard } from './rules.ts';
import { selectInStates } from './store.ts';

/** What a booking's new card changes: its pending schedules and its recoveries, as D1 has them. */
export interface Answerable {
  readonly pending: readonly TransactionRow[];
  readonly recoveries: readonly RecoveryRow[];
}

/** Reads what a new card changes; one round trip. */
export async function readAnswerable({
  database,
  propertyId,
  reference,
}: BookingWork): Promise<Answerable> {
  const [pending, recoveries] = await database.batch('d1.recovery.read', [
    selectInStates(database.queries, propertyId, reference, ['Pending']),
    selectRecoveries(database.queries, { propertyId, reference }),
  ]);
  return { pending, recoveries };
}

/**
 * The statements by which a booking's new card answers what its guest was asked (interface: Recovery): what was declined
 * for good is due to be charged again on it, and it takes over what is still pending.
 */
export function answerStatements(
  work: BookingWork,
  property: PropertyRow,
  answerable: Answerable,
  card: CardRow,
): Statement[] {
  return [
    ...answerable.recoveries.flatMap((row) => chargesAgain(work, property, row, card)),
    ...takeOverStatements(work, property, answerable, card),
  ];
}

/**
 * The statements by which a booking's new card takes over the schedules that are still pending: those that name no card,
 * and those that their guest was asked about.
 */
export function takeOverStatements(
  work: BookingWork,
  property: PropertyRow,
  { pending, recoveries }: Answerable,
  card: CardRow,
): Statement[] {
  const answered = recoveries.flatMap((row) => {
    const schedule = pending.find(({ id }) => id === row.transactionId);
    return schedule ? moveToCard(work, property, row, schedule, card) : [];
  });
  const planned = pending.filter(
    (schedule) =>
      !hasOwnCard(schedule) &&
      !recoveries.some((row) => isOpen(row) && row.transactionId === schedule.id),
  );
  return [
    ...answered,
    ...planned.flatMap((schedule) => foreseeExpiry(work, property, schedule, card)),
  ];
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

function chargesAgain(
  work: BookingWork,
  property: PropertyRow,
  row: RecoveryRow,
  card: CardRow,
): Statement[] {
  const nowMs = work.now();
  if (!isChargedAgain(property, row, nowMs)) return [];
  const change = { answerCard: card.token, dueAtMs: nowMs, changedAtMs: nowMs };
  return [updateRecovery(work.database.queries, row, change)];
}

/** Whether a new card still answers a recovery of a charge to come: also after its deadline. */
export function isOpen({ endedAtMs, endedAs }: RecoveryRow): boolean {
  return endedAtMs === null || endedAs === 'unanswered';
}

/** Whether a new card takes over a schedule: one that named its card only if its guest was asked about that. */
export function takesOver({ askedForCause }: RecoveryRow, schedule: CardChoice): boolean {
  return !hasOwnCard(schedule) || askedForCause > 0;
}

function moveToCard(
  work: BookingWork,
  property: PropertyRow,
  row: RecoveryRow,
  schedule: TransactionRow,
  card: CardRow,
): Statement[] {
  const isAsked = row.askedForCause > 0;
  if (!isOpen(row) || !takesOver(row, schedule)) return [];
  const nowMs = work.now();
  const expires = cardExpired(card, property.timeZone, row.chargeAtMs);
  const change = {
    cardToken: card.token,
    changedAtMs: nowMs,
    ...(expires ? row.endedAtMs === null && { dueAtMs: nowMs } : answered(nowMs)),
  };
  const foreseen = row.cause === 'former' ? foreseeExpiry(work, property, schedule, card) : [];
  // One whose time has passed waited for this card.
  const waited = row.cause === 'former' && row.chargeAtMs <= nowMs;
  // It takes the place of the card that the schedule was made on.
  const moved = { cardToken: card.token, otherCard: null, ...(waited && { dueAtMs: nowMs }) };
  return [
    ...(foreseen.length > 0 ? foreseen : [updateRecovery(work.database.queries, row, change)]),
    ...(isAsked || waited ? changeStatements(work, schedule, moved, 'moved to the new card') : []),
  ];
}

/** The change of a recovery that a new card ends. */
function answered(nowMs: number) {
  return { endedAs: 'answered', endedAtMs: nowMs, dueAtMs: null, mailSinceMs: null } as const;
}
