import type { BookingWork } from '../../operation/work.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { type Answerable, isChargedAgain } from '../payments/takeCard.ts';
import { processRecovery } from './process.ts';

/** How many charges are made before whoever adds a card gets an answer; the alarm makes the rest. */
const MOST_AT_ONCE = 5;

/**
 * Charges a new card at once what was declined before. What is left to do is left to the alarm. `returnBase` is where the
 * bank returns a guest who is there; null if none is.
 */
export async function chargeAnswered(
  work: BookingWork,
  property: PropertyRow,
  before: Answerable,
  returnBase: string | null,
): Promise<void> {
  const nowMs = work.now();
  const answered = before.recoveries.filter((row) => isChargedAgain(property, row, nowMs));
  for (const row of answered.slice(0, MOST_AT_ONCE)) {
    // The charge, then what follows from its outcome.
    await processRecovery(work, row, returnBase);
    await processRecovery(work, row);
  }
}
