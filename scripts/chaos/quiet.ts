import { setTimeout as sleep } from 'node:timers/promises';
import type { Listed } from './answers.ts';
import { failingCard } from './cards.ts';

/** The longest wait for the service to finish all work: status checks, the alarms' safety net and the sweep. */
const QUIET_MS = 180_000;

/** How often to check. */
const LOOK_MS = 5_000;

/** A booking as the service shows it. */
export interface Shown {
  readonly reference: string;
  readonly cancelled: boolean;
  /** The ids of transactions that a request called off: what is lost of them is not sent again. */
  readonly calledOff: ReadonlySet<number>;
  readonly transactions: readonly Listed[];
}

/** The number of open items of one kind, and the longest delay among them. */
interface Count {
  readonly count: number;
  readonly lateMs: number;
}

/** The open items by kind. */
export type Open = ReadonlyMap<string, Count>;

/** Waits until nothing is under way or due. Returns the rest after the longest wait. */
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

/** What has not ended, once days have passed. */
export function unended(bookings: readonly Shown[]): Open {
  const waiting = ['Processing', 'Pending', 'Authorized'];
  const all = bookings.flatMap(({ transactions }) => [
    ...transactions.map(({ status }) => status),
    ...transactions.flatMap(({ refunds }) => refunds.map(({ status }) => status)),
  ]);
  return tallied(
    all.filter((status) => waiting.includes(status)).map((what) => ({ what, lateMs: 0 })),
  );
}

/** The open items as one line. */
export function describeOpen(open: Open): string {
  const parts = [...open].map(([what, { count, lateMs }]) => {
    const late = lateMs >= 1_000 ? ` (up to ${Math.round(lateMs / 1_000)} s late)` : '';
    return `${count} ${what}${late}`;
  });
  return parts.length === 0 ? 'nothing open' : parts.join(', ');
}

function openOperations(bookings: readonly Shown[], nowMs: number): Open {
  return tallied(bookings.flatMap((booking) => openOf(booking, nowMs)));
}

function tallied(found: readonly { readonly what: string; readonly lateMs: number }[]): Open {
  const open = new Map<string, Count>();
  for (const { what, lateMs } of found) {
    const before = open.get(what) ?? { count: 0, lateMs: 0 };
    open.set(what, { count: before.count + 1, lateMs: Math.max(before.lateMs, lateMs) });
  }
  return open;
}

/** The open items of a booking, each with its delay. */
function openOf(booking: Shown, nowMs: number) {
  return booking.transactions.flatMap((transaction) => {
    const what = openness(transaction, booking, nowMs);
    const refunds = transaction.refunds.filter(({ status }) => status === 'Processing');
    return [
      ...(what === null ? [] : [{ what, lateMs: latenessMs(transaction, nowMs) }]),
      ...refunds.map(() => ({ what: 'refunds Processing', lateMs: 0 })),
    ];
  });
}

/** The delay of a waiting schedule's charge or a hold's release; 0 for anything else. */
function latenessMs(transaction: Listed, nowMs: number): number {
  const waits = transaction.status !== 'Processing';
  return waits ? Math.max(0, nowMs - (dueTime(transaction) ?? nowMs)) : 0;
}

/** The time of a schedule's charge or a hold's end; null for other transactions. */
function dueTime({ scheduledTime, expiryTime }: Listed): number | null {
  const time = scheduledTime ?? expiryTime;
  return time === undefined ? null : Date.parse(time);
}

function cardOf({ cardDetails }: Listed): string {
  return cardDetails?.cardNumber ?? 'none';
}

/** Why a transaction is open; null when it is final, or waits for a time after this run. */
function openness(transaction: Listed, booking: Shown, nowMs: number): string | null {
  const { cancelled, calledOff } = booking;
  switch (transaction.status) {
    case 'Processing':
      // What is no longer wanted is not sent again: that it never arrived is certain only a day later.
      return cancelled || calledOff.has(transaction.id) ? null : 'Processing';
    case 'Pending':
      // After a soft decline, the next attempt is at least an hour later.
      if (transaction.attempts !== 0 || failingCard.endsWith(cardOf(transaction))) return null;
      return 'schedules not charged yet';
    case 'Authorized': {
      if (cancelled) return 'holds of cancelled bookings';
      const lapsed = (dueTime(transaction) ?? nowMs) <= nowMs;
      return lapsed ? 'holds past their expiry' : null;
    }
    default:
      return null;
  }
}
