import type { D1Boundary, Statement } from '../db/database.ts';
import { certainlyRefused } from '../db/errors.ts';
import type { BookingWork } from './work.ts';

/** Whether an intent stands in D1: `perhaps` when D1 would not say. */
export type Recorded = 'yes' | 'perhaps';

/**
 * Records an intent before the gateway hears of it. When D1 does not say whether it committed, the same batch is
 * sent once more; refused then, `isOurs` reads back whether that is because the first sending had been committed.
 * Throws D1's refusal otherwise: nothing was recorded.
 */
export async function commitIntent(
  work: BookingWork,
  boundary: D1Boundary,
  statements: [Statement, ...Statement[]],
  isOurs: () => Promise<boolean>,
): Promise<Recorded> {
  try {
    await work.database.batch(boundary, statements);
    work.trace.mayBeRecorded = true;
    return 'yes';
  } catch (error) {
    if (certainlyRefused(error)) throw error;
    work.trace.mayBeRecorded = true;
  }
  const recorded = await sendAgain(work, boundary, statements, isOurs);
  // What is remembered of the booking may be what it was before.
  if (recorded === 'perhaps') work.memory.state = null;
  return recorded;
}

async function sendAgain(
  work: BookingWork,
  boundary: D1Boundary,
  statements: [Statement, ...Statement[]],
  isOurs: () => Promise<boolean>,
): Promise<Recorded> {
  try {
    await work.database.batch(boundary, statements);
    return 'yes';
  } catch (error) {
    if (!certainlyRefused(error)) return 'perhaps';
    const ours = await isOurs().catch(() => null);
    if (ours === null) return 'perhaps';
    if (!ours) throw error;
    return 'yes';
  }
}
