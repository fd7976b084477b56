import type { BookingWork } from '../../operation/work.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';
import type { RecoveryRow } from '../../platform/db/recoveryTables.ts';
import { selectRecoveries, updateRecovery } from '../../records/recoveries/store.ts';
import { foreseeExpiry } from '../payments/beginRecovery.ts';
import { changeStatements } from '../payments/change.ts';
import { cardExpired } from '../payments/rules.ts';
import { selectInStates } from '../payments/store.ts';
import { processRecovery } from './process.ts';

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
 * The statements by which a booking's new card answers what its guest was asked (interface: Recovery). It takes over the
 * schedules that are still pending: those that name no card, and those that their guest was asked about. What was
 * declined for good is due to be charged again on it.
 */
export function answerStatements(
  work: BookingWork,
  property: PropertyRow,
  { pending, recoveries }: Answerable,
  card: CardRow,
): Statement[] {
  const answered = recoveries.flatMap((row) => {
    const schedule = pending.find(({ id }) => id === row.transactionId);
    if (row.cause !== 'expiring') return chargesAgain(work, property, row, card);
    return schedule ? moveToCard(work, property, row, schedule, card) : [];
  });
  const planned = pending.filter(
    ({ id, cardNamed }) =>
      !cardNamed && !recoveries.some((row) => isOpen(row) && row.transactionId === id),
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
  const isDeclined = cause !== 'expiring' && endedAtMs === null && cardRecovery !== null;
  return isDeclined && (deadlineAtMs === null || nowMs < deadlineAtMs);
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
export function takesOver(
  { askedForCause }: RecoveryRow,
  { cardNamed }: Pick<TransactionRow, 'cardNamed'>,
): boolean {
  return !cardNamed || askedForCause > 0;
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
  const ended = {
    endedAs: 'answered',
    endedAtMs: nowMs,
    dueAtMs: null,
    mailSinceMs: null,
  } as const;
  const change = {
    cardToken: card.token,
    changedAtMs: nowMs,
    ...(expires ? row.endedAtMs === null && { dueAtMs: nowMs } : ended),
  };
  return [
    updateRecovery(work.database.queries, row, change),
    ...(isAsked
      ? changeStatements(work, schedule, { cardToken: card.token }, 'moved to the new card')
      : []),
  ];
}

/** How many charges are made before whoever adds a card gets an answer; the alarm makes the rest. */
const MOST_AT_ONCE = 5;

/** Charges a new card at once what was declined before. What is left to do is left to the alarm. */
export async function chargeAnswered(
  work: BookingWork,
  property: PropertyRow,
  before: Answerable,
): Promise<void> {
  const nowMs = work.now();
  const answered = before.recoveries.filter((row) => isChargedAgain(property, row, nowMs));
  for (const row of answered.slice(0, MOST_AT_ONCE)) {
    // The charge, then what follows from its outcome.
    await processRecovery(work, row);
    await processRecovery(work, row);
  }
}
