/** Runs by the clock: when they start, how they go on after whatever cut them off, and what `/health` says of them. */
import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import { LISTED_LATE_MS } from '../../src/reconciliation/rules/runs.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import type { ReconciliationRunRow } from '../../src/schema/reconciliationTables.ts';
import {
  atTime,
  call,
  freshDatabase,
  http,
  makeBooking,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { ANSWER_LOST, GOOD } from '../support/cards.ts';
import { faultKinds, placesOf, spansOf, withFault } from '../support/faults.ts';
import { someOf } from '../support/long.ts';
import {
  atDesk,
  compare,
  exceptionsNow,
  journalNow,
  movementsNow,
  recordsNow,
  sweepAtTime,
} from '../support/reconciliation.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

const CREATE = '/payment/v1/create';

/** Some time after the movements that a test makes, but in the same hour and on the same day. */
const SOON = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS + 3 * HOUR_MS;

beforeEach(freshStart);

/** Empties every store. Of an object that a fault cut off, the acquirer's own ledger may outlive that. */
async function freshStart(): Promise<void> {
  await freshDatabase();
  await runInDurableObject(sandboxAcquirer(testEnv), (_, { storage }) => {
    storage.sql.exec('DELETE FROM operations');
  });
}

async function runsNow(): Promise<ReconciliationRunRow[]> {
  const { results } = await testEnv.DB.prepare(
    'SELECT cause, phase, compared, corrected, exceptions, completed_at_ms AS completedAtMs, leased_until_ms AS leasedUntilMs, last_error AS lastError FROM reconciliation_runs ORDER BY cause, id',
  ).all<ReconciliationRunRow>();
  return results;
}

/** A charge whose answer was lost, one that agrees, and a payment of somebody else. */
async function someMovements(): Promise<void> {
  await makeBooking('RES-1', ANSWER_LOST);
  await call(CREATE, { reference: 'RES-1', amount: 100 });
  await makeBooking('RES-2', GOOD);
  await call(CREATE, { reference: 'RES-2', amount: 100 });
  const card = await testEnv.DB.prepare(
    "SELECT gateway_token FROM cards WHERE booking_reference = 'RES-2'",
  ).first<{ gateway_token: string }>();
  const gatewayToken = card?.gateway_token ?? '';
  const money = { amountMinor: 4_200, currency: 'AUD' };
  await atDesk({ action: 'charge', propertyId: 'demo', gatewayToken, ...money });
}

describe('the clock', () => {
  it('starts a run in each hour and one each night, and no more', async () => {
    const causes = async () => (await runsNow()).map(({ cause }) => cause).toSorted();
    expect(await sweepAtTime(SOON)).toBe(2);
    expect(await causes()).toEqual(['hourly', 'nightly']);
    for (const minutes of [1, 30, 59]) await sweepAtTime(SOON + minutes * MINUTE_MS);
    expect(await causes()).toEqual(['hourly', 'nightly']);
    await sweepAtTime(SOON + 60 * MINUTE_MS);
    expect(await causes()).toEqual(['hourly', 'hourly', 'nightly']);
    await sweepAtTime(SOON + DAY_MS - 90 * MINUTE_MS);
    expect(await causes()).toEqual(['hourly', 'hourly', 'hourly', 'nightly']);
    await sweepAtTime(SOON + DAY_MS - HOUR_MS);
    expect(await causes()).toEqual(['hourly', 'hourly', 'hourly', 'hourly', 'nightly', 'nightly']);
  });

  it('compares and corrects without anybody asking, and says so in the run', async () => {
    await someMovements();
    await sweepAtTime(Date.now() + 20 * MINUTE_MS);
    expect(await runsNow()).toMatchObject([
      { cause: 'hourly', phase: 'done', compared: 3, corrected: 1, exceptions: 1 },
      { cause: 'nightly', phase: 'done', compared: 3, corrected: 0, exceptions: 0 },
    ]);
    expect(await journalNow()).toEqual({ rows: 2, reconciled: 2 });
  });

  it('leaves the movements of the last minutes for the next run', async () => {
    await someMovements();
    await sweepAtTime(Date.now() + MINUTE_MS);
    expect(await runsNow()).toMatchObject([{ compared: 0 }, { compared: 0 }]);
  });

  it('forgets runs after a week', async () => {
    await sweepAtTime(SOON);
    await sweepAtTime(SOON + 8 * DAY_MS);
    // Each of the last complete ones says where the next begins.
    expect(await runsNow()).toHaveLength(4);
    await sweepAtTime(SOON + 8 * DAY_MS + HOUR_MS);
    expect(await runsNow()).toHaveLength(3);
  });

  it('begins before where the last complete run ended, however long ago', async () => {
    const spans = async () => {
      const { results } = await testEnv.DB.prepare(
        "SELECT from_ms, to_ms FROM reconciliation_runs WHERE cause = 'hourly' ORDER BY id",
      ).all<{ from_ms: number; to_ms: number }>();
      return results;
    };
    await sweepAtTime(SOON);
    await makeBooking('RES-1', GOOD);
    const long = 20 * DAY_MS;
    await sweepAtTime(SOON + long);
    const [first, next] = await spans();
    expect(next?.from_ms).toBe((first?.to_ms ?? 0) - LISTED_LATE_MS);
    // The one that ended last stays known, and what it covers is not compared again.
    await sweepAtTime(SOON + long + HOUR_MS);
    const [, later] = await spans();
    expect(later?.from_ms).toBe((next?.to_ms ?? 0) - LISTED_LATE_MS);
  });

  it('waits while the acquirer does not answer, and then goes on', async () => {
    const silent = vi
      .spyOn(SandboxGateway.prototype, 'movements')
      .mockResolvedValue({ kind: 'unknown', reason: 'no answer' });
    await sweepAtTime(SOON);
    expect(await runsNow()).toMatchObject([
      { phase: 'theirs', lastError: 'no answer', completedAtMs: null },
      { phase: 'theirs', lastError: 'no answer', completedAtMs: null },
    ]);
    const asked = silent.mock.calls.length;
    await sweepAtTime(SOON + MINUTE_MS);
    expect(silent.mock.calls.length).toBe(asked);
    silent.mockRestore();
    await sweepAtTime(SOON + 3 * MINUTE_MS);
    expect(await runsNow()).toMatchObject([
      { phase: 'done', lastError: null },
      { phase: 'done', lastError: null },
    ]);
  });

  it('has one open run of a kind while the acquirer is out, and the next catches up', async () => {
    await sweepAtTime(SOON);
    const silent = vi
      .spyOn(SandboxGateway.prototype, 'movements')
      .mockResolvedValue({ kind: 'unknown', reason: 'no answer' });
    for (const hours of [1, 2, 27, 60]) await sweepAtTime(SOON + hours * HOUR_MS);
    const open = async () => {
      const runs = await runsNow();
      return runs.filter(({ completedAtMs }) => completedAtMs === null).map(({ cause }) => cause);
    };
    expect(await open()).toEqual(['hourly', 'nightly']);
    silent.mockRestore();
    for (const minutes of [3, 6]) await sweepAtTime(SOON + 60 * HOUR_MS + minutes * MINUTE_MS);
    expect(await open()).toEqual([]);
    const { results } = await testEnv.DB.prepare(
      "SELECT from_ms, to_ms FROM reconciliation_runs WHERE cause = 'hourly' ORDER BY id",
    ).all<{ from_ms: number; to_ms: number }>();
    const [, late, last] = results;
    expect(results).toHaveLength(3);
    expect(last?.from_ms).toBe((late?.to_ms ?? 0) - LISTED_LATE_MS);
    expect(last?.to_ms).toBe(SOON + 60 * HOUR_MS + MINUTE_MS);
  });
});

describe('two sweeps at once', () => {
  it('start one run and do not work on the same one', async () => {
    await someMovements();
    const atMs = Date.now() + 20 * MINUTE_MS;
    const crossed = await spansOf(() => Promise.all([sweepAtTime(atMs), sweepAtTime(atMs)]));
    expect(await runsNow()).toMatchObject([
      { cause: 'hourly', compared: 3, corrected: 1, exceptions: 1 },
      { cause: 'nightly', compared: 3 },
    ]);
    const pages = crossed.filter(({ boundary }) => boundary === 'gateway.movements');
    expect(pages).toHaveLength(2);
  });
});

describe('a run that was cut off', () => {
  it.each(someOf(faultKinds, 4))('goes on wherever that was: %s', async (kind) => {
    await someMovements();
    const clean = await spansOf(() => sweepAtTime(Date.now() + 20 * MINUTE_MS));
    const expected = await outcome();
    const wrong: unknown[] = [];
    for (const { boundary, index, nth } of placesOf(kind, clean, 32)) {
      await freshStart();
      await someMovements();
      const atMs = Date.now() + 20 * MINUTE_MS;
      await withFault({ boundary, nth }, kind, () => sweepAtTime(atMs));
      // A lease that nobody gave back ends by itself.
      for (const minutes of [4, 8, 12]) await sweepAtTime(atMs + minutes * MINUTE_MS);
      const found = await outcome();
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        wrong.push({ index, boundary, kind, found, expected });
      }
    }
    expect(wrong).toEqual([]);
  });

  /** What a sweep has to come to, however often it was cut off. */
  async function outcome(): Promise<object> {
    const runs = await runsNow();
    return {
      unfinished: runs.filter(({ completedAtMs }) => completedAtMs === null).length,
      journal: await journalNow(),
      statuses: (await transactionsOf('RES-1')).map(({ status }) => status),
      exceptions: (await exceptionsNow()).map(({ kind, status }) => [kind, status]),
    };
  }
});

describe('pages', () => {
  it('are as many as it takes, each compared once', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    const [movement] = await movementsNow();
    if (!movement) throw new Error('no movement');
    const pages = 7;
    const paged = vi.spyOn(SandboxGateway.prototype, 'movements').mockImplementation((query) => {
      const page = Number(query.cursor ?? 0);
      const nextCursor = page + 1 < pages ? String(page + 1) : null;
      return Promise.resolve({ kind: 'page', movements: [movement], nextCursor });
    });
    const crossed = await spansOf(async () => {
      expect(await compare()).toEqual({ compared: pages, corrected: 0, exceptions: 0 });
    });
    expect(paged.mock.calls.map(([{ cursor }]) => cursor)).toEqual([
      null,
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    paged.mockRestore();
    // Of each page one round trip; beside them: beginning, the lease, our journal, our holds, the end, its telling.
    const saved = crossed.filter(({ boundary }) => boundary === 'd1.reconciliation.save');
    expect(saved).toHaveLength(pages + 6);
  });
});

describe('what is compared twice', () => {
  const choices = ['charge', 'lost', 'refund', 'hold', 'desk'] as const;

  /** Numbers that follow from a seed, so that a failure can be repeated. */
  function numbersFrom(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state * 48_271) % 2_147_483_647;
      return state;
    };
  }

  it.each(someOf([1, 2, 3, 4], 4))('changes nothing the second time: seed %i', async (seed) => {
    const next = numbersFrom(seed * 7_919);
    for (const reference of ['RES-1', 'RES-2']) {
      await makeBooking(reference, GOOD);
    }
    await makeBooking('RES-3', ANSWER_LOST);
    const card = await testEnv.DB.prepare(
      "SELECT gateway_token FROM cards WHERE booking_reference = 'RES-1'",
    ).first<{ gateway_token: string }>();
    const gatewayToken = card?.gateway_token ?? '';
    for (let step = 0; step < 8; step += 1) {
      const reference = `RES-${1 + (next() % 2)}`;
      const amount = 10 + (next() % 90);
      switch (choices[next() % choices.length]) {
        case 'lost':
          await call(CREATE, { reference: 'RES-3', amount });
          break;
        case 'refund':
          await call('/refund/v1/create', { reference, amount: 5 });
          break;
        case 'hold':
          await call(CREATE, {
            reference,
            amount,
            preAuth: true,
            expiryTime: new Date(Date.now() + DAY_MS).toISOString(),
          });
          break;
        case 'desk':
          await atDesk({
            action: 'charge',
            propertyId: 'demo',
            gatewayToken,
            amountMinor: amount * 100,
            currency: 'AUD',
          });
          break;
        default:
          await call(CREATE, { reference, amount });
      }
    }
    const first = await compare();
    expect(first.compared).toBe((await movementsNow()).length);
    const before = await recordsNow();
    const second = await compare();
    expect(second).toEqual({ compared: first.compared, corrected: 0, exceptions: 0 });
    expect(await recordsNow()).toEqual(before);
    const { reconciled, rows } = await journalNow();
    expect(reconciled).toBe(rows);
  });
});

describe('/health', () => {
  async function healthAt(atMs: number): Promise<string> {
    return atTime(atMs, async () => {
      const answer = (await (await http('/health')).json()) as { reconciliation: string };
      return answer.reconciliation;
    });
  }

  it('is ok while there is nothing to compare, and late when that was not done for three hours', async () => {
    const nowMs = Date.now();
    expect(await healthAt(nowMs + 5 * HOUR_MS)).toBe('ok');
    await someMovements();
    expect(await healthAt(nowMs + 2 * HOUR_MS)).toBe('ok');
    expect(await healthAt(nowMs + 4 * HOUR_MS)).toBe('late');
    await sweepAtTime(nowMs + 4 * HOUR_MS);
    expect(await healthAt(nowMs + 5 * HOUR_MS)).toBe('exceptions');
    await testEnv.DB.prepare(
      "UPDATE exceptions SET status = 'closed', resolution = 'accepted', resolved_at_ms = 1",
    ).run();
    expect(await healthAt(nowMs + 6 * HOUR_MS)).toBe('ok');
    expect(await healthAt(nowMs + 8 * HOUR_MS)).toBe('late');
  });

  it('is late while a run does not come to its end', async () => {
    const nowMs = Date.now();
    const silent = vi
      .spyOn(SandboxGateway.prototype, 'movements')
      .mockResolvedValue({ kind: 'unknown', reason: 'no answer' });
    await sweepAtTime(nowMs);
    silent.mockRestore();
    expect(await healthAt(nowMs + 2 * HOUR_MS)).toBe('ok');
    expect(await healthAt(nowMs + 4 * HOUR_MS)).toBe('late');
  });
});
