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
