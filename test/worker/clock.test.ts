/** The clock of a property, which the sandbox lets an administrator advance: what happens on the way, and when. */
import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sweepOverdue } from '../../src/booking/sweep.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { sweepSandboxDisbursements } from '../../src/disbursements/sandboxSweep.ts';
import {
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  freshDatabase,
  http,
  ledgerOf,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { disbursementsOf } from '../support/disbursements.ts';
import { confirming, down, PlayedPms } from '../support/pms.ts';

const GOOD = '4242424242424242';
const DECLINES = '4000000000000002';
const DECLINES_ONCE = '4000000000009300';
const LOSES_ANSWER = '4000000000009003';

const WEEK_MS = 7 * DAY_MS;

beforeAll(freshDatabase);

let made = 0;

/** A property of its own, with a booking that has a card. */
async function story(cardNumber = GOOD, details: Record<string, unknown> = {}) {
  made += 1;
  const property = `clock-${made}`;
  const token = await makeProperty(property, details);
  const options = { token };
  await call('/booking/v1/create/manage-payments', bookingOf('S-1', { totalCost: 9_000 }), options);
  await attachCard('S-1', cardNumber, options);
  return {
    property,
    token,
    post: (path: string, body: object = {}) => call(path, { reference: 'S-1', ...body }, options),
    schedule: (atMs: number, amount = 100) =>
      call('/payment/v1/schedule', { reference: 'S-1', amount, time: iso(atMs) }, options),
    async list() {
      const { json } = await call('/payment/v1/transaction', { reference: 'S-1' }, options);
      return json.transactions;
    },
  };
}

type Story = Awaited<ReturnType<typeof story>>;

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** The next full second, some time ahead. */
function ahead(milliseconds: number): number {
  return Math.ceil((Date.now() + milliseconds) / 1000) * 1000;
}

function advance({ property }: Pick<Story, 'property'>, toMs: number) {
  return callAsAdmin('/sandbox/v1/clock/advance', { property, to: iso(toMs) });
}

async function clockOf({ property }: Pick<Story, 'property'>): Promise<number> {
  const { json } = await callAsAdmin('/sandbox/v1/clock/get', { property });
  return Date.parse(json.now);
}

/** Milliseconds as the list of transactions shows them. */
function shown(text: unknown): number {
  return Date.parse(String(text));
}

/** The milliseconds of a booking's entries in the audit trail. */
async function auditedAt(property: string): Promise<number[]> {
  const { results } = await testEnv.DB.prepare(
    'SELECT at_ms AS atMs FROM audit WHERE property_id = ? ORDER BY id',
  )
    .bind(property)
    .all<{ atMs: number }>();
  return results.map(({ atMs }) => atMs);
}

describe('the operations on a clock', () => {
  it('advance it, show it, and run on from there', async () => {
    const one = await story();
    const toMs = ahead(40 * DAY_MS);
    const { status, json } = await advance(one, toMs);
    expect({ status, json }).toMatchObject({ status: 200, json: { success: true, fired: 0 } });
    expect(await clockOf(one)).toBeGreaterThanOrEqual(toMs);
    expect(await clockOf(one)).toBeLessThan(toMs + MINUTE_MS);
    expect(await clockOf({ property: 'demo' })).toBeLessThan(Date.now() + MINUTE_MS);
  });

  it('refuse a time that is not later, one too far ahead, and an unknown property', async () => {
    const one = await story();
    await advance(one, ahead(10 * DAY_MS));
    const earlier = await advance(one, ahead(9 * DAY_MS));
    expect([earlier.status, earlier.json.code]).toEqual([422, 'time_in_past']);
    const tooFar = await advance(one, ahead(3 * 366 * DAY_MS));
    expect([tooFar.status, tooFar.json.code]).toEqual([422, 'time_too_far']);
    const noOffset = await callAsAdmin('/sandbox/v1/clock/advance', {
      property: one.property,
      to: '2027-02-10T09:00:00',
    });
    expect(noOffset.status).toBe(422);
    for (const operation of ['advance', 'get', 'reset']) {
      const body = { property: 'nobody', to: iso(ahead(DAY_MS)) };
      const { status, json } = await callAsAdmin(`/sandbox/v1/clock/${operation}`, body);
      expect([status, json.code]).toEqual([404, 'property_not_found']);
    }
  });

  it('are for administrators', async () => {
    const one = await story();
    const body = { property: one.property, to: iso(ahead(DAY_MS)) };
    const { status } = await call('/sandbox/v1/clock/advance', body, { token: one.token });
    expect(status).toBe(403);
  });
});

describe('what falls due on the way', () => {
  it('happens in its order, each thing at its time, and every record shows that', async () => {
    const one = await story(DECLINES);
    const firstMs = ahead(10 * DAY_MS);
    await one.schedule(firstMs);
    const { json } = await advance(one, firstMs + 30 * DAY_MS);
    expect(json.fired).toBeGreaterThanOrEqual(4);
    const [row] = await one.list();
    expect(row).toMatchObject({ status: 'Declined' });
    const times = (await ledgerOf('S-1'))
      .filter(({ property }) => property === one.property)
      .map(({ time }) => Date.parse(time) - firstMs);
    expect(times).toEqual([0, HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS]);
    const audited = (await auditedAt(one.property)).filter((atMs) => atMs > firstMs - MINUTE_MS);
    expect(new Set(audited)).toEqual(
      new Set([0, HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS].map((afterMs) => firstMs + afterMs)),
    );
  });

  it('charges 52 weeks', async () => {
    const one = await story();
    const firstMs = ahead(DAY_MS);
    const weeks = Array.from({ length: 52 }, (_week, index) => firstMs + index * WEEK_MS);
    for (const atMs of weeks) await one.schedule(atMs, 150);
    const startedMs = Date.now();
    const { status } = await advance(one, (weeks.at(-1) ?? 0) + 4 * DAY_MS);
    console.log('52 weeks took', Date.now() - startedMs);
    expect(status).toBe(200);
    const list = await one.list();
    expect(list.map((row) => row.status)).toEqual(weeks.map(() => 'Accepted'));
    const ledger = (await ledgerOf('S-1')).filter(({ property }) => property === one.property);
    expect(ledger.map(({ time }) => Date.parse(time))).toEqual(weeks);
    const paidOut = await disbursementsOf({ token: one.token });
    expect(paidOut.map(({ status: state }) => state)).toEqual(weeks.map(() => 'paid_out'));
  });
});
