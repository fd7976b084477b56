/** The notifications of dispatchers and mailers that are under way: each runs in the background of its request. */
import { Trace } from '../../src/platform/trace.ts';

/** A notification that takes longer was lost in a crash. */
const LOST_MS = 5_000;

/** When each began. */
const underWay = new Map<symbol, number>();

const cross = Trace.prototype.span;

/** What every crossing of a boundary goes through. */
export const countedSpan: Trace['span'] = async function countedSpan(this: Trace, boundary, io) {
  if (boundary !== 'object.dispatcher' && boundary !== 'object.mailer')
    return cross.call(this, boundary, io);
  const own = Symbol('notification');
  underWay.set(own, performance.now());
  try {
    return await cross.call(this, boundary, io);
  } finally {
    underWay.delete(own);
  }
} as typeof cross;

// For all files of a process alike, whichever comes first.
Trace.prototype.span = countedSpan;

/** Waits for the notifications under way; one that a crash has lost never arrives. */
export async function notificationsArrived(): Promise<void> {
  for (let waitMs = 1; isUnderWay(); waitMs = Math.min(2 * waitMs, 20)) {
    await scheduler.wait(waitMs);
  }
}

function isUnderWay(): boolean {
  const sinceMs = performance.now() - LOST_MS;
  for (const [own, beganMs] of underWay) {
    if (beganMs < sinceMs) underWay.delete(own);
  }
  return underWay.size > 0;
}

/** Forgets those under way: they are none of the next file's. */
export function forgetNotifications(): void {
  underWay.clear();
}
