/**
 * What is under way in the background of requests: notifications of dispatchers and mailers, and the runs of dispatchers,
 * whose alarms ring in real time, too.
 */
import { Dispatcher } from '../../src/delivery/object.ts';
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

const { alarm } = Dispatcher.prototype;

/** The last run of each dispatcher. One that was cut off has a new object after it. */
const runs = new WeakMap<object, Promise<void>>();

// For all files of a process alike, whichever comes first.
Trace.prototype.span = countedSpan;
Dispatcher.prototype.alarm = function notedAlarm() {
  const run = alarm.call(this);
  runs.set(this, run);
  return run;
};

/** Waits until a dispatcher is not at work. */
export async function dispatcherRests(dispatcher: object): Promise<void> {
  await runs.get(dispatcher);
}

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
