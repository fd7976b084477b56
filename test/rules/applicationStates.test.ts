import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApplicationStatus,
  applicationStatuses,
  mayMove,
  move,
  statesBefore,
  timeOf,
} from '../../src/records/applications/states.ts';
import { applicationRow } from './applicationRows.ts';

/** The moves of an application (interface: Move an application), written out by hand. */
const LEGAL = new Set([
  'Tentative>Offered',
  'Tentative>Held',
  'Offered>Held',
  'Held>Reserved',
  'Reserved>In Room',
  'In Room>History',
  'Tentative>Cancelled',
  'Offered>Cancelled',
  'Held>Cancelled',
  'Reserved>Cancelled',
  'In Room>Cancelled',
  'History>Cancelled',
  'Cancelled>Cancelled',
]);

const STATUSES: readonly ApplicationStatus[] = [
  'Tentative',
  'Offered',
  'Held',
  'Reserved',
  'In Room',
  'History',
  'Cancelled',
];

const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));

const NOW = 2_000_000;

describe('the moves of an application', () => {
  it('are between seven states', () => {
    expect([...applicationStatuses].toSorted()).toEqual([...STATUSES].toSorted());
  });

  it.each(pairs)('%s → %s', (from, to) => {
    const legal = LEGAL.has(`${from}>${to}`);
    expect(mayMove(from, to)).toBe(legal);
    const moved = move(applicationRow({ currentStatus: from }), to, null, NOW);
    if (!legal) expect(moved).toEqual({ kind: 'refused' });
    else if (from === to) expect(moved).toEqual({ kind: 'stays' });
    else {
      expect(moved).toEqual({ kind: 'moves', change: { currentStatus: to, [timeOf[to]]: NOW } });
    }
  });

  it.each(STATUSES)('statesBefore(%s) names those from which it is reached', (to) => {
    const before = STATUSES.filter((from) => from !== to && LEGAL.has(`${from}>${to}`));
    expect(statesBefore(to).toSorted()).toEqual(before.toSorted());
  });

  it('keeps the time that the caller says', () => {
    const moved = move(applicationRow({ currentStatus: 'Held' }), 'Reserved', 5_000, NOW);
    expect(moved).toEqual({
      kind: 'moves',
      change: { currentStatus: 'Reserved', reservedAtMs: 5_000 },
    });
  });

  it('takes a move that is told again with its time for the same one', () => {
    const row = applicationRow({ currentStatus: 'Held', heldAtMs: 5_000 });
    expect(move(row, 'Held', 5_000, NOW)).toEqual({ kind: 'stays' });
    expect(move(row, 'Held', 5_001, NOW)).toEqual({ kind: 'refused' });
    expect(move(row, 'Held', null, NOW)).toEqual({ kind: 'refused' });
  });

  it('each state keeps its time in a column of its own', () => {
    const columns = STATUSES.map((status) => timeOf[status]);
    expect(new Set(columns).size).toBe(STATUSES.length);
  });

  it('by any walk of wishes only ever goes along legal moves, and Cancelled is the end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STATUSES), { maxLength: 12 }), (wishes) => {
        let row = applicationRow({ currentStatus: 'Tentative' });
        let cancelled = false;
        for (const [index, to] of wishes.entries()) {
          const from = row.currentStatus;
          const moved = move(row, to, null, NOW + index);
          if (moved.kind === 'moves') {
            expect(LEGAL).toContain(`${from}>${to}`);
            expect(cancelled).toBe(false);
            row = { ...row, ...moved.change };
          }
          cancelled = row.currentStatus === 'Cancelled';
        }
      }),
    );
  });
});
