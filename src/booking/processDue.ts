import { SECOND_MS } from '../core/time.ts';
import { SAFETY_NET_MS } from '../money/gateway/rules/statusChecks.ts';
import type { CallContext } from '../operation/reply.ts';
import type { BookingWork } from '../operation/work.ts';
import type { Trace } from '../platform/trace.ts';
import { type Processed, processNextDue } from './nextDue.ts';
import type { Turn } from './queue.ts';
import type { WakeUps } from './wakeUps.ts';

/** How many due items one alarm processes; the next alarm continues at once. */
const MOST_PER_ALARM = 50;

type InTurn = (process: (work: BookingWork) => Promise<Processed>) => Promise<Turn<Processed>>;

/**
 * Processes what is due for a booking, one item per turn, so that requests can run in between. It sets the next alarm
 * first: if this run is cut off, that alarm continues. Returns how many items it processed.
 */
export async function processDue(
  wakeUps: WakeUps,
  trace: Trace,
  { isWoken, ...booking }: CallContext & { readonly isWoken: boolean },
  inTurn: InTurn,
): Promise<number> {
  await wakeUps.remember(booking);
  await wakeUps.at(trace, Date.now() + SAFETY_NET_MS);
  let last = '';
  for (let done = 0; done < MOST_PER_ALARM; done += 1) {
    const turn = await inTurn(async (work) => {
      // The sweep wakes the object because D1 has something due, even if the object does not remember it.
      if (isWoken && done === 0) work.memory.forget();
      const isAdvance = booking.clock !== undefined;
      const processed = await processNextDue(work, { last, isAdvance });
      if (processed.kind === 'nothing-due') await wakeUps.next(trace, processed.nextAtMs);
      if (processed.kind === 'over') await endFrom(wakeUps, trace, work, processed.endsAtMs);
      return processed;
    });
    // Another operation holds its turn for long: try again in a second.
    if (turn.kind !== 'done') {
      await wakeUps.by(trace, booking, Date.now() + SECOND_MS);
      return done;
    }
    const processed = turn.value;
    if (processed.kind === 'nothing-due' || processed.kind === 'over') return done;
    // D1 fails every write: wait, instead of trying in a loop.
    if (processed.kind === 'stuck') {
      await wakeUps.by(trace, booking, Date.now() + SAFETY_NET_MS);
      return done;
    }
    last = processed.what;
  }
  await wakeUps.by(trace, booking, Date.now() + 1);
  return MOST_PER_ALARM;
}

/** Ends what the object keeps, or has it wake when that may be: what a restore of D1 would need is kept as long as one may come. */
async function endFrom(
  wakeUps: WakeUps,
  trace: Trace,
  { retried }: BookingWork,
  endsAtMs: number,
): Promise<void> {
  const untilMs = endsAtMs > Date.now() ? endsAtMs : await retried.neededUntilMs();
  await (untilMs > Date.now() ? wakeUps.next(trace, untilMs) : wakeUps.end(trace));
}
