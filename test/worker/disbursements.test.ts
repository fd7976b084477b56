/** What the embedded acquirer pays out, on the real database and the acquirer's own ledger. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { advance, endDisbursement } from '../../src/disbursements/advance.ts';
import {
  selectArchivedOwners,
  selectChargeOwners,
  selectRefundOwners,
} from '../../src/disbursements/mirrorStore.ts';
import { addUp, insertItem, selectDueOfProperty } from '../../src/disbursements/store.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { openDisbursement, sweepSandboxDisbursements } from '../../src/sandbox/disbursements.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import type { DisbursementItemRow, DisbursementRow } from '../../src/schema/disbursementTables.ts';
import {
  atTime,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  makeProperty,
  testEnv,
  tokenOf,
  transactionsOf,
} from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { type Disbursement, disbursementsOf, itemsOf } from '../support/disbursements.ts';
import { listedEvents } from '../support/endpoint.ts';
import { faultKinds, placesOf, spansOf, withFault } from '../support/faults.ts';
import { howMany } from '../support/long.ts';
import { planOf } from '../support/plans.ts';
import { compare } from '../support/reconciliation.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms'] });

const scopes = ['bookings', 'payments', 'cards', 'disbursements'];

/** Noon in Perth. */
const NOON = Date.parse('2026-11-25T04:00:00Z');

const database = new Database(testEnv.DB, new Trace());

const sweep = (nowMs: number) => atTime(nowMs, () => sweepSandboxDisbursements(testEnv, nowMs));

async function pay(reference: string, amount: number, atMs: number): Promise<number> {
  const { json } = await atTime(atMs, () => call('/payment/v1/create', { reference, amount }));
  return json.transaction.id;
}

describe('what the embedded acquirer pays out', () => {
  it('has each charge with its fees, and each refund as a negative, in the day of the property', async () => {
    await atTime(NOON, () => makeBooking('D-1', GOOD));
    const chargeId = await pay('D-1', 150, NOON);
    const refunded = await atTime(NOON + HOUR_MS, () =>
      call('/refund/v1/create', { reference: 'D-1', amount: 40, chargeId }),
    );
    const refundId = refunded.json.refunds[0]?.id;
    const hold = await atTime(NOON, () =>
      call('/payment/v1/create', {
        reference: 'D-1',
        amount: 100,
        preAuth: true,
        expiryTime: new Date(NOON + DAY_MS).toISOString(),
      }),
    );
    await sweep(NOON + 2 * HOUR_MS);
    const held = { reference: 'D-1', chargeId: hold.json.transaction.id, amount: 50 };
    await atTime(NOON + 3 * HOUR_MS, () => call('/payment/v1/charge-pre-auth', held));
    await sweep(NOON + 4 * HOUR_MS);
    const [made] = await disbursementsOf();
    expect(made).toEqual({
      disbursementId: 'sandbox-demo-2026-11-25',
      gatewayId: 'sandbox',
      status: 'not_paid_out',
      currency: 'AUD',
      grossAmount: 166.19,
      fee: 6.19,
      netAmount: 160,
      description: 'Payments and refunds of 2026-11-25',
      timeEffective: '2026-11-25T00:00:00+08:00',
      expectedArrivalDate: '2026-11-27T00:00:00+08:00',
      bankLine: null,
    });
    const items = await itemsOf('sandbox-demo-2026-11-25');
    expect(items).toMatchObject([
      { reportingCategory: 'sale', grossAmount: 154.64, fee: 4.64, netAmount: 150 },
      { reportingCategory: 'refund', grossAmount: -40, fee: 0, netAmount: -40 },
      { reportingCategory: 'sale', grossAmount: 51.55, fee: 1.55, netAmount: 50 },
    ]);
    expect(items).toMatchObject([
      { chargeId, refundId: null },
      { chargeId, refundId, bookingReference: 'D-1', description: 'D-1' },
      { chargeId: hold.json.transaction.id, refundId: null, bookingReference: 'D-1' },
    ]);
    expect(items[0]).toEqual({
      itemId: expect.any(String),
      gatewayTransactionId: expect.stringMatching(/^sandbox_/),
      description: 'D-1',
      bookingReference: 'D-1',
      chargeId,
      refundId: null,
      reportingCategory: 'sale',
      currency: 'AUD',
      grossAmount: 154.64,
      fee: 4.64,
      netAmount: 150,
      threeDSAuthenticated: false,
      timeEffective: '2026-11-25T12:00:00+08:00',
      createdOn: '2026-11-25T12:00:00+08:00',
      timeAvailable: '2026-11-27T00:00:00+08:00',
    });
  });

  it('is closed once its day has ended, and paid out two days later; run again, nothing changes', async () => {
    const endOfDay = Date.parse('2026-11-26T00:00:00+08:00');
    await pay('D-1', 10, endOfDay - 1);
    const statusAt = async (atMs: number) => {
      await sweep(atMs);
      await sweep(atMs);
      const found = await disbursementsOf();
      return found.find((one) => one.disbursementId === 'sandbox-demo-2026-11-25')?.status;
    };
    expect(await statusAt(endOfDay + 5 * MINUTE_MS)).toBe('not_paid_out');
    expect(await statusAt(endOfDay + 10 * MINUTE_MS)).toBe('in_transit');
    const closed = await itemsOf('sandbox-demo-2026-11-25');
    expect(closed).toHaveLength(4);
    expect(await statusAt(endOfDay + DAY_MS - 1)).toBe('in_transit');
    expect(await statusAt(endOfDay + DAY_MS)).toBe('paid_out');
    expect(await itemsOf('sandbox-demo-2026-11-25')).toEqual(closed);
  });

  it('makes good what no Cron Trigger did for days, in the days in which it happened', async () => {
    const from = Date.parse('2026-12-01T12:00:00+08:00');
    for (const day of [0, 1, 2]) await pay('D-1', 10 + day, from + day * DAY_MS);
    await sweep(from + 10 * DAY_MS);
    const found = (await disbursementsOf()).filter(({ timeEffective }) =>
      timeEffective.startsWith('2026-12-0'),
    );
    expect(found.map((one) => [one.disbursementId, one.netAmount])).toEqual([
      ['sandbox-demo-2026-12-03', 12],
      ['sandbox-demo-2026-12-02', 11],
      ['sandbox-demo-2026-12-01', 10],
    ]);
  });

  it('has what was done past this service, disputes and failed refunds, and adds up', async () => {
    const day = Date.parse('2026-11-10T12:00:00+08:00');
    const id = 'sandbox-demo-2026-11-10';
    await atTime(day, () => makeBooking('D-2', GOOD));
    const chargeId = await pay('D-2', 100, day);
    const body = { reference: 'D-2', amount: 40, chargeId };
    let nowMs = day;
    const later = <T>(run: () => Promise<T>) => {
      nowMs += MINUTE_MS;
      return atTime(nowMs, run);
    };
    const refunded = await later(() => call('/refund/v1/create', body));
    const refundId = refunded.json.refunds[0]?.id;
    const act = (action: string, members: object) =>
      later(() =>
        callAsAdmin('/sandbox/v1/act', {
          action,
          property: 'demo',
          reference: 'D-2',
          notify: false,
          ...members,
        }),
      );
    await act('failRefund', { refundId });
    await act('refund', { chargeId, amount: 5 });
    await act('dispute', { chargeId, amount: 10 });
    await act('winDispute', { chargeId });
    await act('charge', { amount: 7 });
    await sweep(day + HOUR_MS);
    const items = await itemsOf(id);
    const shown = items.map(({ reportingCategory, grossAmount, fee }) => [
      reportingCategory,
      grossAmount,
      fee,
    ]);
    expect(shown).toEqual([
      ['sale', 103.09, 3.09],
      ['refund', -40, 0],
      ['refund_failure', 40, 0],
      ['refund', -5, 0],
      ['dispute', -10, 0],
      ['dispute', 10, 0],
      ['sale', 7, 0],
    ]);
    expect(items).toMatchObject([
      { chargeId, bookingReference: 'D-2' },
      { chargeId, refundId },
      { chargeId, refundId, bookingReference: 'D-2' },
      { chargeId: null, refundId: null, bookingReference: 'D-2', description: 'D-2' },
      { bookingReference: 'D-2' },
      { bookingReference: 'D-2' },
      { chargeId: null, bookingReference: null, description: '' },
    ]);
    const [header] = (await disbursementsOf()).filter((one) => one.disbursementId === id);
    expect(header).toMatchObject({ grossAmount: 105.09, fee: 3.09, netAmount: 102 });
  });

  it('has the fee of a part of a hold that was captured there, learnt later', async () => {
    const options = { token: await makeProperty('parts', { cardFeeBasisPoints: 300 }) };
    await call('/booking/v1/create/manage-payments', bookingOf('D-PART'), options);
    await attachCard('D-PART', GOOD, options);
    const expiryTime = new Date(Date.now() + DAY_MS).toISOString();
    const asked = { reference: 'D-PART', amount: 100, preAuth: true, expiryTime };
    const { json } = await call('/payment/v1/create', asked, options);
    const act = { property: 'parts', reference: 'D-PART', chargeId: json.transaction.id };
    const part = { ...act, action: 'capture', amount: 51.55, notify: false };
    expect((await callAsAdmin('/sandbox/v1/act', part)).status).toBe(200);
    await sweepSandboxDisbursements(testEnv, Date.now());
    await compare('parts');
    expect(await transactionsOf('D-PART', options)).toMatchObject([
      { status: 'Accepted', amount: 51.55, creditCardFee: 1.55 },
    ]);
    const item = await testEnv.DB.prepare(
      "SELECT gross_minor, fee_minor, net_minor FROM disbursement_items WHERE property_id = 'parts'",
    ).first();
    expect(item).toEqual({ gross_minor: 5_155, fee_minor: 155, net_minor: 5_000 });
  });

  it('has a charge that this service lost with its database', async () => {
    const day = Date.parse('2026-11-11T12:00:00+08:00');
    const acquirer = sandboxAcquirer(testEnv);
    const card = { number: GOOD, expiryMonth: 12, expiryYear: 2040, holderName: null, cvv: null };
    await acquirer.perform({
      kind: 'charge',
      idempotencyKey: `${'0'.repeat(32)}-1`,
      propertyId: 'demo',
      bookingReference: 'LOST',
      reference: '0'.repeat(32),
      amountMinor: 1_234,
      currency: 'AUD',
      subject: (await acquirer.vault(card)).gatewayToken,
      askedAtMs: day,
      returnUrl: null,
    });
    await sweep(day + HOUR_MS);
    expect(await itemsOf('sandbox-demo-2026-11-11')).toMatchObject([
      {
        description: 'LOST',
        bookingReference: null,
        chargeId: null,
        grossAmount: 12.34,
        fee: 0,
        createdOn: '2026-11-11T12:00:00+08:00',
      },
    ]);
  });

  it('is each property’s own', async () => {
    const token = await makeProperty('elsewhere');
    const id = 'sandbox-demo-2026-11-25';
    const foreign = await call('/disbursement/v1/get-details', { disbursementId: id }, { token });
    expect([foreign.status, foreign.json.code]).toEqual([404, 'disbursement_not_found']);
    const { json } = await call('/disbursement/v1/get-all', {}, { token });
    expect(json).toEqual({ success: true, disbursements: [], nextCursor: null });
  });
});

describe('POST /disbursement/v1/get-all', () => {
  const idsOf = (found: Disbursement[]) => found.map(({ disbursementId }) => disbursementId);

  it('goes page by page, newest first', async () => {
    const all = await disbursementsOf();
    const paged: Disbursement[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; pages < 10 && cursor !== null; pages += 1) {
      const body = { limit: 3, ...(cursor && { cursor }) };
      const { json } = await call('/disbursement/v1/get-all', body);
      const { disbursements } = json as unknown as { disbursements: Disbursement[] };
      expect(disbursements.length).toBeLessThanOrEqual(3);
      paged.push(...disbursements);
      cursor = json.nextCursor;
    }
    expect(paged).toEqual(all);
    expect(idsOf(all)).toEqual(idsOf(all).toSorted().toReversed());
    expect(all.length).toBeGreaterThan(3);
  });

  it.each([
    ['a day', { from: '2026-12-02', to: '2026-12-02' }, ['sandbox-demo-2026-12-02']],
    ['days as bookings write them', { from: '03-12-2026' }, ['sandbox-demo-2026-12-03']],
    [
      'a time',
      { from: '2026-12-01T00:00:00+08:00', to: '2026-12-02T00:00:00+08:00' },
      ['sandbox-demo-2026-12-01'],
    ],
    ['a status', { status: 'failed' }, []],
    ['days before any', { to: '2020-01-01' }, []],
  ])('can be narrowed to %s', async (_what, body, ids) => {
    const { json } = await call('/disbursement/v1/get-all', body);
    expect(idsOf((json as unknown as { disbursements: Disbursement[] }).disbursements)).toEqual(
      ids,
    );
  });

  it.each([
    ['from', { from: 'yesterday' }],
    ['to', { to: '2026-02-30' }],
    ['status', { status: 'paid' }],
    ['limit', { limit: 0 }],
    ['cursor', { cursor: 'sandbox-1999-01-01' }],
  ])('refuses a wrong %s by its name', async (field, body) => {
    const { status, json } = await call('/disbursement/v1/get-all', body);
    expect([status, json.code]).toEqual([422, 'validation_failed']);
    expect(json.errors.map((fault) => fault.field)).toEqual([field]);
  });
});

describe('a cursor of disbursements', () => {
  it('is none of another property, even where that has one of the same day', async () => {
    const { json } = await call('/disbursement/v1/get-all', { limit: 1 });
    expect(json.nextCursor).toMatch(/.{20}/);
    const token = await makeProperty('elsewhere');
    const body = { cursor: json.nextCursor };
    const { status, json: refused } = await call('/disbursement/v1/get-all', body, { token });
    expect([status, refused.errors?.map(({ field }) => field)]).toEqual([422, ['cursor']]);
    const bookings = await call('/booking/v1/list', body);
    expect(bookings.status).toBe(422);
  });
});

describe('POST /disbursement/v1/get-details', () => {
  it.each([
    [{}, 422],
    [{ disbursementId: 7 }, 422],
    [{ disbursementId: 'po_unknown' }, 404],
  ])('of %o is %d', async (body, status) => {
    expect((await call('/disbursement/v1/get-details', body)).status).toBe(status);
  });
});

describe('disbursements that are due together', () => {
  /** Three disbursements that the property is paid out today, each of the same amount. */
  async function due(property: string) {
    const token = await makeProperty(property, { scopes: [...scopes, 'events'] });
    for (const name of ['one', 'two', 'three']) {
      const row: DisbursementRow = {
        propertyId: property,
        id: `${property}-${name}`,
        gateway: 'sandbox',
        status: 'in_transit',
        currency: 'AUD',
        grossMinor: 0,
        feeMinor: 0,
        netMinor: 0,
        postedNetMinor: 0,
        postedFeeMinor: 0,
        itemCount: 0,
        description: name,
        effectiveAtMs: NOON,
        arrivalDate: '2026-11-25',
        dueAtMs: NOON,
        paysAtMs: NOON,
      };
      await database.batch('d1.disbursement.save', [openDisbursement(row), ...moved(row, 'first')]);
    }
    const [rows] = await database.batch('d1.disbursement.read', [
      selectDueOfProperty(property, NOON),
    ]);
    return { token, rows };
  }

  /** A movement of 100.00 that comes into a disbursement. */
  function moved({ propertyId, id }: DisbursementRow, name: string) {
    const item: DisbursementItemRow = {
      id: `${id}-${name}`,
      propertyId,
      disbursementId: id,
      gatewayTransactionId: null,
      description: '',
      category: 'sale',
      currency: 'AUD',
      grossMinor: 10_000,
      feeMinor: 0,
      netMinor: 10_000,
      threeDsAuthenticated: false,
      effectiveAtMs: NOON,
      createdAtMs: NOON,
      availableAtMs: NOON,
    };
    return [insertItem(item), addUp(propertyId, id)] as const;
  }

  const shown = async (token: string) =>
    (await listedEvents(token, { limit: 200 }))
      .map(({ type, data }) => {
        const { disbursementId, netAmount } = (data as unknown as { disbursement: Disbursement })
          .disbursement;
        return [type, disbursementId.split('-').at(-1), netAmount];
      })
      .toSorted((one, other) => String(one).localeCompare(String(other)));

  it('are paid out as they are when it is written, not as they were read', async () => {
    const { token, rows } = await due('moved');
    const [first] = rows;
    if (first) await database.batch('d1.disbursement.save', [...moved(first, 'late')]);
    await advance(database, rows, NOON);
    const late = first?.description;
    expect(await shown(token)).toEqual(
      ['one', 'three', 'two'].map((name) => [
        'disbursement.paid_out',
        name,
        name === late ? 200 : 100,
      ]),
    );
  });

  it('do not wait for one that another sweep has paid out', async () => {
    const { token, rows } = await due('raced');
    await advance(database, rows.slice(1, 2), NOON);
    await advance(database, rows, NOON);
    const found = await disbursementsOf({ token });
    expect(found.map(({ status }) => status)).toEqual(['paid_out', 'paid_out', 'paid_out']);
    expect(await shown(token)).toEqual(
      ['one', 'three', 'two'].map((name) => ['disbursement.paid_out', name, 100]),
    );
  });

  it('show their present totals when the acquirer ends one', async () => {
    const { token, rows } = await due('ended');
    const [row] = rows;
    if (!row) throw new Error('none is due');
    let late = false;
    const racing = new Database(
      {
        prepare: (text: string) => testEnv.DB.prepare(text),
        batch: async (statements: D1PreparedStatement[]) => {
          if (!late && statements.length > 1) {
            late = true;
            await database.batch('d1.disbursement.save', [...moved(row, 'late')]);
          }
          return testEnv.DB.batch(statements);
        },
      } as unknown as D1Database,
      new Trace(),
    );
    await endDisbursement(racing, { ...row, status: 'failed' }, NOON);
    expect(late).toBe(true);
    expect(await shown(token)).toEqual([['disbursement.failed', row.description, 200]]);
  });

  it('stay failed where an older reading, that they were paid out, is written last', async () => {
    const { token, rows } = await due('older');
    const [row] = rows;
    if (!row) throw new Error('none is due');
    await endDisbursement(database, { ...row, status: 'paid_out' }, NOON);
    await endDisbursement(database, { ...row, status: 'failed' }, NOON);
    await endDisbursement(database, { ...row, status: 'paid_out' }, NOON);
    const found = await disbursementsOf({ token });
    expect(found.map(({ status }) => status)).toContain('failed');
    expect((await shown(token)).map(([type]) => type)).toEqual([
      'disbursement.failed',
      'disbursement.paid_out',
    ]);
  });
});

describe('the laws of disbursements', () => {
  /** Everything that a property was paid out, as what its acquirer moved. */
  async function laws(property: string, reference: string, token: string): Promise<void> {
    const found = await disbursementsOf({ token });
    const items = await Promise.all(
      found.map(({ disbursementId }) => itemsOf(disbursementId, { token })),
    );
    const cents = (amount: number) => Math.round(amount * 100);
    const sum = (amounts: number[]) => amounts.map(cents).reduce((total, one) => total + one, 0);
    for (const [index, { grossAmount, fee, netAmount }] of found.entries()) {
      const of = items[index] ?? [];
      expect(cents(grossAmount)).toBe(sum(of.map((item) => item.grossAmount)));
      expect(cents(fee)).toBe(sum(of.map((item) => item.fee)));
      expect(cents(netAmount)).toBe(sum(of.map((item) => item.netAmount)));
      expect(of.every((item) => item.grossAmount > 0 === (item.reportingCategory === 'sale'))).toBe(
        true,
      );
    }
    const ledger = (await ledgerOf(reference)).filter(
      (one) =>
        one.property === property && one.status === 'succeeded' && one.kind !== 'authorization',
    );
    const moved = ledger.map(({ kind, amount }) =>
      kind === 'refund' ? -cents(amount) : cents(amount),
    );
    const paid = items.flat().map((item) => cents(item.grossAmount));
    expect(paid.toSorted((a, b) => a - b)).toEqual(moved.toSorted((a, b) => a - b));
  }

  it('hold whatever happens on whichever side of a night whose clocks change', async () => {
    // New York, the night of 1 November 2026 has 25 hours.
    const night = Date.parse('2026-11-01T04:00:00Z');
    const step = fc.record({
      does: fc.constantFrom('charge', 'refund', 'sweep', 'sweep'),
      amount: fc.integer({ min: 1, max: 500 }),
      laterMs: fc.integer({ min: 1, max: 9 * HOUR_MS }),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        runs += 1;
        const property = `law-${runs}`;
        const reference = `LAW-${runs}`;
        let nowMs = night - 12 * HOUR_MS;
        const terms = { timeZone: 'America/New_York', cardFeeBasisPoints: 250, transactionFee: 1 };
        await makeProperty(property, terms);
        const client = await callAsAdmin('/admin/v1/client/create', { property, scopes });
        const { clientId, clientSecret } = client.json;
        // A token lives an hour, less than passes here.
        const at = <T>(run: (options: { token: string }) => Promise<T>) =>
          atTime(nowMs, async () => run({ token: await tokenOf(clientId, clientSecret) }));
        await at((as) => call('/booking/v1/create/manage-payments', bookingOf(reference), as));
        await at((as) => attachCard(reference, GOOD, as));
        for (const { does, amount, laterMs } of steps) {
          nowMs += laterMs;
          if (does === 'sweep') await sweep(nowMs);
          else {
            const path = does === 'charge' ? '/payment/v1/create' : '/refund/v1/create';
            await at((as) => call(path, { reference, amount }, as));
          }
        }
        nowMs += DAY_MS;
        await sweep(nowMs);
        await at(({ token }) => laws(property, reference, token));
        const before = await at(disbursementsOf);
        await sweep(nowMs);
        expect(await at(disbursementsOf)).toEqual(before);
      }),
      { numRuns: howMany.disbursementRuns, endOnFailure: true },
    );
  });

  it('hold when a sweep is cut off at whichever boundary, and when two run at once', async () => {
    const token = await makeProperty('cut');
    await call('/booking/v1/create/manage-payments', bookingOf('CUT'), { token });
    await attachCard('CUT', GOOD, { token });
    const charge = (amount: number) =>
      call('/payment/v1/create', { reference: 'CUT', amount }, { token });
    await charge(1);
    const crossed = await spansOf(() => sweepSandboxDisbursements(testEnv, Date.now()));
    expect(crossed.map(({ boundary }) => boundary)).toEqual([
      'd1.sweep.read',
      'gateway.payouts',
      'd1.disbursement.read',
      'd1.disbursement.read',
      'd1.disbursement.save',
      'd1.disbursement.read',
      'd1.disbursement.save',
    ]);
    let amount = 1;
    for (const kind of faultKinds) {
      for (const { index } of placesOf(kind, crossed)) {
        amount += 1;
        await charge(amount);
        const run = () => sweepSandboxDisbursements(testEnv, Date.now());
        await withFault(index, kind, run);
        await Promise.allSettled([run(), run()]);
        await laws('cut', 'CUT', token);
      }
    }
  });

  it('are the schema’s too: no item is changed, removed or in two disbursements', async () => {
    for (const statement of [
      'UPDATE disbursement_items SET gross_minor = gross_minor + 1',
      'DELETE FROM disbursement_items',
      'UPDATE disbursements SET net_minor = net_minor + 1',
      'INSERT INTO disbursement_items SELECT * FROM disbursement_items LIMIT 1',
    ]) {
      await expect(testEnv.DB.prepare(statement).run()).rejects.toThrow();
    }
  });
});

it('finds the charges and refunds of a payout by their bookings, however many others there are', async () => {
  const origins = [{ propertyId: 'demo', bookingReference: 'R', reference: 'r' }];
  for (const select of [selectChargeOwners, selectRefundOwners, selectArchivedOwners]) {
    const plan = await planOf(select(origins, null));
    expect(plan).toMatch(/SEARCH (transactions|refunds|archived_references) /);
    expect(plan).not.toMatch(/SCAN (?:transactions|refunds|history|entry|archived_references)\b/);
  }
});
