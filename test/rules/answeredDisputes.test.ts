import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import {
  answeredState,
  isDueSoon,
  isToldNow,
  nextLookAtMs,
} from '../../src/money/disputes/rules.ts';

const NOW_MS = Date.UTC(2026, 9, 1);

const waiting = {
  status: 'needs_response',
  pendingAnswer: null,
  respondByMs: NOW_MS + HOUR_MS,
  toldDeadlineMs: null,
  answeredAtMs: null,
  dueAtMs: null,
} as const;

describe('a dispute after its answer', () => {
  it.each([
    ['needs_response', 'evidence', { status: 'under_review', closedAtMs: null }],
    ['needs_response', 'acceptance', { status: 'lost', closedAtMs: 9 }],
    ['won', 'evidence', { status: 'won', closedAtMs: 5 }],
    ['won', 'acceptance', { status: 'won', closedAtMs: 5 }],
    ['lost', 'evidence', { status: 'lost', closedAtMs: 5 }],
  ] as const)('that was %s, by %s, is as the bank has it', (status, answer, after) => {
    const closedAtMs = status === 'needs_response' ? null : 5;
    expect(answeredState({ status, closedAtMs }, answer, 9)).toEqual(after);
  });
});

describe('when a dispute is looked at', () => {
  const answered = { ...waiting, status: 'under_review', answeredAtMs: NOW_MS } as const;

  it.each([
    ['at first two days after its answer', answered, NOW_MS, NOW_MS + 2 * DAY_MS],
    ['then daily', answered, NOW_MS + 2 * DAY_MS, NOW_MS + 3 * DAY_MS],
    ['daily until the 120th day', answered, NOW_MS + 120 * DAY_MS - 1, NOW_MS + 121 * DAY_MS - 1],
    ['never after that', answered, NOW_MS + 120 * DAY_MS, null],
    ['never, once it is won', { ...answered, status: 'won' }, NOW_MS, null],
    ['never, where it was not answered here', { ...answered, answeredAtMs: null }, NOW_MS, null],
    [
      'never, where it has no deadline',
      { ...waiting, respondByMs: null, toldDeadlineMs: 1 },
      NOW_MS,
      null,
    ],
    ['never, once its deadline is over', waiting, NOW_MS + HOUR_MS, null],
  ] as const)('is %s', (_what, row, nowMs, atMs) => {
    expect(nextLookAtMs(row, nowMs)).toBe(atMs);
  });

  it('is told of only while it needs an answer, and has a deadline', () => {
    expect(isToldNow(waiting, NOW_MS)).toBe(true);
    expect(isToldNow({ ...waiting, status: 'under_review' }, NOW_MS)).toBe(false);
    expect(isToldNow({ ...waiting, status: 'won' }, NOW_MS)).toBe(false);
    // The epoch itself would be within two days of a deadline that is not there.
    expect(isDueSoon(null, -1)).toBe(false);
  });
});
