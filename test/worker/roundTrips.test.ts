/**
 * `npm run cost`, too: how often each operation asks D1, by what is in memory, and what goes on behind its answer. The
 * table is that of docs/scale.md.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import page from '../../docs/scale.md?raw';
import { DAY_MS } from '../../src/core/time.ts';
import { saysAbout, tableOf } from '../support/costTables.ts';
import { isLong } from '../support/long.ts';
import { story } from '../support/story.ts';
import { setClock } from '../support/trips/bookings.ts';
import { clientCalls } from '../support/trips/calls.ts';
import { type Trips, tripsOf, tripsTable } from '../support/trips/counted.ts';
import { moneyOperations } from '../support/trips/money.ts';
import { pages } from '../support/trips/pages.ts';
import { Receivers } from '../support/trips/state.ts';

/** Tomorrow at noon, UTC: alarms ring only when they are told to. */
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS + 1.5 * DAY_MS;

/** One for what is to be done, one for what came of it. */
const USUAL_MOST = 2;

/** Those that may take more until their answer. */
const MOST: Readonly<Record<string, number>> = {
  'card request': 3,
  'refund over two charges': 3,
  'cancellation settled: refund, schedule, hold': 4,
  'guest enters a card': 4,
  'guest pays': 4,
  'staff: today': 3,
  'staff: search': 4,
  'staff: report': 3,
  'operations page': 3,
};

/** How often what is behind an answer asks: for messages and events, and seven times for a mail. */
const MOST_BEHIND = 11;

/** Where the table tells of the rows read. */
const ROWS_READ = 7;

const operations = Object.entries({ ...clientCalls, ...moneyOperations, ...pages });

describe.runIf(isLong)('D1 is asked no more than it must be', () => {
  story({ silent: ['news'], keepSpies: true });

  const counted = new Map<string, Trips>();
  let receivers: Receivers;

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    setClock(NOON);
    receivers = new Receivers();
    await receivers.join();
  });

  afterAll(() => {
    console.log(tripsTable(counted));
    receivers.leave();
    vi.useRealTimers();
  });

  it.each(operations)('%s', async (name, operation) => {
    const nameOf = (state: string) => `TRIP-${operations.length + counted.size}-${state}`;
    const { allCold, behind, cold, warm } = await tripsOf(operation, nameOf, receivers);
    counted.set(name, { allCold, behind, cold, warm });
    expect.soft(warm.d1).toBeLessThanOrEqual(MOST[name] ?? USUAL_MOST);
    // An object finds its booking in its own storage, and an isolate its client with one question.
    expect.soft(cold.d1).toBe(warm.d1);
    expect.soft(allCold.d1).toBeLessThanOrEqual(warm.d1 + 1);
    expect.soft(behind.d1).toBeLessThanOrEqual(MOST_BEHIND);
    expect.soft(warm.mailerCalls + behind.mailerCalls).toBeLessThanOrEqual(1);
  });

  it('as docs/scale.md has it', () => {
    const measured = tripsTable(counted).split('\n');
    const written = tableOf(page, 'round trips of');
    expect(written.map(exactly)).toEqual(measured.map(exactly));
    for (const [index, line] of measured.entries()) {
      // How far SQLite looks along an index depends on random ids.
      expect(saysAbout(line, written[index] ?? '', 10), line).toBe(true);
    }
  });

  function exactly(line: string): string {
    return line.split('|').with(ROWS_READ, '').join('|');
  }
});
