import { setTimeout as sleep } from 'node:timers/promises';
import type { Listed } from './answers.ts';

/** How long the service may take to deal with everything that the kills left: the inquiries, an alarm's safety net and the sweep. */
const QUIET_MS = 180_000;

/** How often it is looked at. */
const LOOK_MS = 5_000;

/** A booking as the service shows it. */
export interface Shown {
  readonly reference: string;
  readonly cancelled: boolean;
  readonly transactions: readonly Listed[];
}

/** How many of one kind are not settled yet, and for how long the latest of them should have been. */
interface Count {
  readonly count: number;
  readonly lateMs: number;
}

/** What is not settled yet, by what it is. */
export type Open = ReadonlyMap<string, Count>;

/** Waits until nothing is under way or due; returns what still is when the time is over. */
export async function untilQuiet(
  look: () => Promise<readonly Shown[]>,
  progress: (line: string) => void,
  signal: AbortSignal,
): Promise<Open> {
  const startedMs = Date.now();
  for (;;) {
    const open = openOperations(await look(), Date.now());
    const passedMs = Date.now() - startedMs;
    progress(`+${Math.round(passedMs / 1_000)} s: ${describeOpen(open)}`);
    if (open.size === 0 || passedMs > QUIET_MS) return open;
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/** What is open, as one line. */
export function describeOpen(open: Open): string {
  const parts = [...open].map(([what, { count, lateMs }]) => {
    const late = lateMs >= 1_000 ? ` (up to ${Math.round(lateMs / 1_000)} s late)` : '';
    return `${count} ${what}${late}`;
  });
  return parts.length === 0 ? 'nothing open' : parts.join(', ');
}

function openOperations(bookings: readonly Shown[], nowMs: number): Open {
  const open = new Map<string, Count>();
  for (const { what, lateMs } of bookings.flatMap((booking) => openOf(booking, nowMs))) {
    const before = open.get(what) ?? { count: 0, lateMs: 0 };
    open.set(what, { count: before.count + 1, lateMs: Math.max(before.lateMs, lateMs) });
  }
  return open;
}

/** What is open of one booking, and for how long each should have been charged or let go. */
function openOf({ cancelled, transactions }: Shown, nowMs: number) {
  return transactions.flatMap((transaction) => {
    const what = openness(transaction, cancelled, nowMs);
    const refunds = transaction.refunds.filter(({ status }) => status === 'Processing');
    return [
      ...(what === null ? [] : [{ what, lateMs: latenessMs(transaction, nowMs) }]),
      ...refunds.map(() => ({ what: 'refunds Processing', lateMs: 0 })),
    ];
  });
}

/** How long ago a waiting schedule should have been charged, or a hold let go; 0 for anything else. */
function latenessMs(transaction: Listed, nowMs: number): number {
  const waits = transaction.status !== 'Processing';
  return waits ? Math.max(0, nowMs - (dueTime(transaction) ?? nowMs)) : 0;
}

/** When a schedule should be charged or a hold ends; null for what has no such time. */
function dueTime({ scheduledTime, expiryTime }: Listed): number | null {
  const time = scheduledTime ?? expiryTime;
  return time === undefined ? null : Date.parse(time);
}

/** Why a transaction is open; null when it is final, or waits for a time that lies beyond this run. */
function openness(transaction: Listed, cancelled: boolean, nowMs: number): string | null {
  switch (transaction.status) {
    case 'Processing':
      return 'Processing';
    case 'Pending':
      // A softly declined one is tried again in an hour at the earliest.
      return transaction.attempts === 0 ? 'schedules not charged yet' : null;
    case 'Authorized': {
      if (cancelled) return 'holds of cancelled bookings';
      const lapsed = (dueTime(transaction) ?? nowMs) <= nowMs;
      return lapsed ? 'holds past their expiry' : null;
    }
    default:
      return null;
  }
}
