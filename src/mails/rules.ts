import * as PlainDate from 'temporal-polyfill/fns/PlainDate';
import * as PlainTime from 'temporal-polyfill/fns/PlainTime';
import {
  addDays,
  DAY_MS,
  HOUR_MS,
  type IsoDate,
  localDate,
  MINUTE_MS,
  plainDate,
} from '../core/time.ts';

/** The delay of each attempt after the one before: a mail is given up after about three days (interface: Mails). */
const DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  DAY_MS,
] as const;

/** When a mail is sent again after so many failed attempts; null when it is given up. */
export function nextAttemptAtMs(attempts: number, nowMs: number): number | null {
  const delayMs = DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : nowMs + delayMs;
}

/** When a property hears of the day before, by its own time. */
const MORNING = PlainTime.create(7);

/** The morning on which a property hears of something. */
export interface Morning {
  readonly day: IsoDate;
  readonly atMs: number;
}

/**
 * The morning of the day after an instant. If that has begun already, it is the next one that has not: so what goes out on
 * a morning is settled before it begins.
 */
export function morningAfter(atMs: number, nowMs: number, timeZone: string): Morning {
  const after = morningOf(addDays(localDate(atMs, timeZone), 1), timeZone);
  if (after.atMs > nowMs) return after;
  const today = localDate(nowMs, timeZone);
  const next = morningOf(today, timeZone);
  return next.atMs > nowMs ? next : morningOf(addDays(today, 1), timeZone);
}

function morningOf(day: IsoDate, timeZone: string): Morning {
  const begins = PlainDate.toZonedDateTime(plainDate(day), { timeZone, plainTime: MORNING });
  return { day, atMs: begins.epochMilliseconds };
}

/** How many mails about payments one address gets within {@link BOUND_MS}. */
const MOST_AT_AN_ADDRESS = 10;

/** The time over which the mails to one address are counted. */
export const BOUND_MS = HOUR_MS;

interface DueMail {
  /** Whether it had to wait, because its address had got enough. */
  readonly wasPutOff: boolean;
  /** Whether it sums up others already. */
  readonly isSummary: boolean;
}

/** What an address got lately: how many mails, and when the first of them went out. */
export interface GotLately {
  readonly mails: number;
  readonly firstAtMs: number;
}

/** What becomes of a due mail: it goes out, alone or with others to the address as one, or waits until `atMs`. */
export type Turn =
  | { readonly kind: 'alone' | 'together' }
  | { readonly kind: 'later'; readonly atMs: number };

/**
 * What becomes of the mails that are due to one address (interface: Mails): so many go out within an hour, and all that had
 * to wait go out as one.
 */
export function turnsAt(
  due: readonly DueMail[],
  got: GotLately | undefined,
  nowMs: number,
): Turn[] {
  const later: Turn = { kind: 'later', atMs: (got?.firstAtMs ?? nowMs) + BOUND_MS };
  let free = MOST_AT_AN_ADDRESS - (got?.mails ?? 0);
  if (free <= 0) return due.map(() => later);
  const single = due.filter(({ isSummary }) => !isSummary);
  const isOne = single.length > 1 && single.some(({ wasPutOff }) => wasPutOff);
  if (isOne) free -= 1;
  return due.map(({ isSummary }): Turn => {
    if (isOne && !isSummary) return { kind: 'together' };
    free -= 1;
    return free < 0 ? later : { kind: 'alone' };
  });
}
