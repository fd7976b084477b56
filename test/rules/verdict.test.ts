import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { MOST_SHOWN, type Overview } from '../../src/desk/operations/overview.ts';
import { troublesOf } from '../../src/desk/operations/verdict.ts';

const NOW = Date.UTC(2026, 11, 1, 12);

type Dispute = Overview['lists']['disputes'][number];
type Backlog = Overview['backlogs'][number];

/** An overview on which all is well but for what is given. */
function overviewWith({
  disputes = [],
  differences = 0,
  backlogs = [],
  health = {},
}: {
  readonly disputes?: readonly Partial<Dispute>[];
  readonly differences?: number;
  readonly backlogs?: readonly Partial<Backlog>[];
  readonly health?: Partial<Overview['health']>;
}): Overview {
  const clock = { clockAheadMs: 0, clockFrozenAtMs: null, timeZone: 'UTC' };
  const well = {
    payments: 'on time',
    acquirer: 'ok',
    messages: 'delivered',
    events: 'delivered',
    exports: 'on time',
    keys: 'ok',
    reconciliation: 'ok',
  };
  return {
    nowMs: NOW,
    isWhole: true,
    health: { ...well, ...health },
    outcomes: { failedByHour: [0, 0] },
    unknown: { operations: [], more: false },
    backlogs: backlogs.map((one) => ({ propertyId: 'demo', timeZone: 'UTC', depth: 3, ...one })),
    lists: {
      disputes: disputes.map((one) => ({ status: 'needs_response', ...clock, ...one })),
      differences: Array.from({ length: differences }),
    },
  } as unknown as Overview;
}

const said = (given: Parameters<typeof overviewWith>[0]) =>
  troublesOf(overviewWith(given)).map(({ href, text }) => `${text} -> ${href}`);

describe('the verdict', () => {
  it('has nothing to say where all is well', () => {
    expect(said({})).toEqual([]);
  });

  it.each([
    ['whose deadline is far', { respondByMs: NOW + 3 * DAY_MS }, []],
    ['that has none', { respondByMs: null }, []],
    ['that was answered', { respondByMs: NOW - DAY_MS, status: 'under_review' }, []],
    [
      'whose deadline is near',
      { respondByMs: NOW + DAY_MS },
      [
        '1 dispute has to be answered within 48 hours, the first by 2 Dec 2026, 12:00 UTC -> /ops/disputes',
      ],
    ],
    [
      'whose deadline is past',
      { respondByMs: NOW - 1 },
      ['1 dispute is past the deadline of the answer -> /ops/disputes'],
    ],
    [
      'whose deadline is past by the clock of its property',
      { respondByMs: NOW + 3 * DAY_MS, clockAheadMs: 4 * DAY_MS },
      ['1 dispute is past the deadline of the answer -> /ops/disputes'],
    ],
    [
      'whose deadline is near by that clock, which is frozen',
      { respondByMs: NOW + 3 * DAY_MS, clockFrozenAtMs: NOW + 3 * DAY_MS - HOUR_MS },
      [
        '1 dispute has to be answered within 48 hours, the first by 4 Dec 2026, 12:00 UTC -> /ops/disputes',
      ],
    ],
  ] as const)('knows a dispute %s', (_, dispute, lines) => {
    expect(said({ disputes: [dispute] })).toEqual(lines);
  });

  it('counts late disputes apart from those that are due soon', () => {
    const disputes = [-5, -1, 1, 2, 40].map((hours) => ({ respondByMs: NOW + hours * HOUR_MS }));
    expect(said({ disputes })).toEqual([
      '2 disputes are past the deadline of the answer -> /ops/disputes',
      '3 disputes have to be answered within 48 hours, the first by 1 Dec 2026, 13:00 UTC -> /ops/disputes',
    ]);
  });

  it('says that there are more where it does not know how many', () => {
    expect(said({ differences: MOST_SHOWN.listed + 1 })).toEqual([
      '20 differences from the acquirer’s record to explain (and more) -> /ops/differences',
    ]);
    expect(said({ differences: 1 })).toEqual([
      '1 difference from the acquirer’s record to explain -> /ops/differences',
    ]);
  });

  it('names a property whose PMS takes nothing once, since when and why', () => {
    const failingSinceMs = NOW - HOUR_MS;
    const health = { messages: 'dead' as const };
    expect(
      said({ health, backlogs: [{ failingSinceMs, cause: 'HTTP 503' }, { failingSinceMs: null }] }),
    ).toEqual([
      'demo: 3 messages to the PMS are undelivered since 1 Dec 2026, 11:00 UTC: HTTP 503 -> #outbox',
    ]);
    expect(said({ health: { messages: 'late' } })).toEqual([
      'Messages to PMSs are late -> #outbox',
    ]);
  });
});
