import { describe, expect, it } from 'vitest';
import { Alarm } from '../../src/platform/alarm.ts';
import { Trace } from '../../src/platform/trace.ts';

const NOW_MS = 1_000_000;
const SAFETY_NET_MS = NOW_MS + 60_000;

/** What the storage's alarm is after a request at NOW_MS wanted to be woken at the latest by the safety net. */
async function afterRequest(standingMs: number | null): Promise<number | null> {
  let alarmMs = standingMs;
  const storage = {
    getAlarm: async () => alarmMs,
    setAlarm: async (atMs: number) => {
      alarmMs = atMs;
    },
  } as unknown as DurableObjectStorage;
  await new Alarm(storage).by(new Trace(), SAFETY_NET_MS, NOW_MS);
  return alarmMs;
}

describe('a request that wants its booking to be woken by a time', () => {
  it.each([
    ['sets it where there is none', null, SAFETY_NET_MS],
    ['keeps an earlier one', NOW_MS + 5_000, NOW_MS + 5_000],
    ['brings a later one forward', NOW_MS + 90_000, SAFETY_NET_MS],
    ['does not put off one that is about to ring', NOW_MS, NOW_MS + 1],
    ['does not put off one that is overdue', NOW_MS - 3_000, NOW_MS + 1],
  ])('%s', async (_, standingMs, expectedMs) => {
    expect(await afterRequest(standingMs)).toBe(expectedMs);
  });
});

/** What the storage's alarm is, and how often it was set, once an alarm was put off at some instants. */
async function putOff(standingMs: number | null, ...instants: readonly number[]) {
  let alarmMs = standingMs;
  let set = 0;
  const storage = {
    getAlarm: async () => alarmMs,
    setAlarm: async (atMs: number) => {
      alarmMs = atMs;
      set += 1;
    },
  } as unknown as DurableObjectStorage;
  const alarm = new Alarm(storage);
  for (const nowMs of instants) {
    await alarm.by(new Trace(), nowMs + 60_000, nowMs);
    await alarm.putOff(new Trace(), LATER_MS, nowMs);
  }
  return [alarmMs, set];
}

const LATER_MS = NOW_MS + 86_400_000;

describe('an alarm that is put off when all is done', () => {
  it.each([
    ['is set where there is none, and moved at once', null, [NOW_MS], [LATER_MS, 2]],
    ['is moved from where it stands', NOW_MS + 30_000, [NOW_MS], [LATER_MS, 1]],
    [
      'stays for the rest of a minute in which much is done',
      null,
      [NOW_MS, NOW_MS + 1_000, NOW_MS + 2_000],
      [NOW_MS + 61_000, 3],
    ],
    ['is moved again a minute later', null, [NOW_MS, NOW_MS + 60_000], [LATER_MS, 4]],
  ] as const)('%s', async (_, standingMs, instants, expected) => {
    expect(await putOff(standingMs, ...instants)).toEqual(expected);
  });
});
