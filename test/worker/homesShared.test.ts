/** What properties of several databases share: an account at the acquirer, and a PMS's address. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweepPayouts } from '../../src/disbursements/mirror.ts';
import type { PayoutMovement, PayoutSource } from '../../src/gateways/payouts.ts';
import { call, callAsAdmin, makeBooking, makeProperty, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { databases, threeDatabases } from '../support/databases.ts';
import { disbursementsOf, itemsOf } from '../support/disbursements.ts';
import { dispatchersNow, dispatchUntil, PlayedPms } from '../support/pms.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'mails'], keepSpies: true });
threeDatabases();

const HOMES = { north: 'DB', east: 'DB2', south: 'STORE1' } as const;
const names = Object.keys(HOMES);

let pms: PlayedPms;
const tokens = new Map<string, string>();
const charges: PayoutMovement[] = [];

const movementOf = (propertyId: string, reference: string, at: number): PayoutMovement => ({
  id: `txn_${propertyId}`,
  gatewayTransactionId: `ch_${propertyId}`,
  about: { propertyId, bookingReference: `of ${propertyId}`, reference },
  description: '',
  category: 'sale',
  currency: 'AUD',
  grossMinor: 1_000 + at,
  feeMinor: 30,
  threeDsAuthenticated: false,
  createdAtMs: Date.now(),
  availableAtMs: Date.now(),
});

beforeAll(async () => {
  pms = new PlayedPms('shared');
  for (const [at, [property, database]] of Object.entries(HOMES).entries()) {
    const token = await makeProperty(property, { database, pms: pms.settings });
    tokens.set(property, token);
    const reference = `of ${property}`;
    await makeBooking(reference, GOOD, { token });
    const paid = await call('/payment/v1/create', { reference, amount: 10 }, { token });
    charges.push(movementOf(property, paid.json.transaction.reference, at));
  }
});

afterAll(() => pms.leave());

it('the fee rules of a property are kept where it lives, and stand in its audit trail', async () => {
  const rule = { basisPoints: 200, method: 'add' };
  for (const property of names) {
    const put = await callAsAdmin('/admin/v1/fee-rules/put', { property, rules: [rule] });
    expect([property, put.status]).toEqual([property, 200]);
    const kept = await callAsAdmin('/admin/v1/fee-rules/get', { property });
    expect([property, kept.json.rules]).toMatchObject([property, [rule]]);
    const { json } = await callAsAdmin('/admin/v1/audit/list', { property });
    const subjects = json.entries.map(({ subject }) => subject);
    expect([property, subjects]).toEqual([property, expect.arrayContaining(['fee-rules'])]);
    await callAsAdmin('/admin/v1/fee-rules/put', { property, rules: [] });
  }
});

it('a payout of a shared account comes to each property what is its own, once, in its database', async () => {
  const payout = {
    id: 'po_shared',
    status: 'paid_out',
    currency: 'AUD',
    description: 'a payout',
    createdAtMs: Date.now(),
    arrivalDate: '2027-02-20',
    itemised: true,
    reconciled: true,
  } as const;
  const source: PayoutSource = {
    gateway: 'sandbox',
    payout: () => Promise.resolve(payout),
    payoutsSince: () => Promise.resolve([payout]),
    movements: () => Promise.resolve(charges),
  };
  const noon = Date.now();
  await sweepPayouts(testEnv, source, noon);
  await sweepPayouts(testEnv, source, noon);
  for (const [at, [property, database]] of Object.entries(HOMES).entries()) {
    const token = tokens.get(property) ?? '';
    const [only, ...more] = await disbursementsOf({ token });
    expect([only?.grossAmount, only?.fee, more]).toEqual([(1_000 + at) / 100, 0.3, []]);
    const items = await itemsOf(only?.disbursementId ?? '', { token });
    expect(items.map((one) => one.gatewayTransactionId)).toEqual([`ch_${property}`]);
    for (const [name, d1] of Object.entries(databases)) {
      const rows = await d1
        .prepare('SELECT count(*) AS rows FROM disbursement_items WHERE property_id = ?')
        .bind(property)
        .first<number>('rows');
      expect(rows).toBe(name === database ? 1 : 0);
    }
  }
});

it('a PMS that several databases have properties of hears of each, once, by its own password', async () => {
  const nowMs = dispatchersNow();
  await dispatchUntil(pms.url, nowMs, nowMs + 60_000);
  const told = pms.transactions().map((one) => String(one['RelatedReference']));
  expect(told.toSorted()).toEqual(names.map((name) => `of ${name}`).toSorted());
  const passwords = new Set(
    pms.delivered.map(({ text }) => /"Password":"([^"]+)"/.exec(text)?.[1]),
  );
  expect(passwords.size).toBe(names.length);
});
