import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { sweepExports } from '../../src/exports/sweep.ts';
import { requireConfig } from '../../src/platform/config.ts';
import { bookingOf, call, callAsAdmin, makeBooking, testEnv } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { fetchExport, makeExport } from '../support/exports.ts';
import { faultKinds, justAfter, placesOf, spansOf, withFault } from '../support/faults.ts';
import { visit } from '../support/guest.ts';
import { someOf } from '../support/long.ts';
import { mailbox } from '../support/mailbox.ts';
import { everyStore } from '../support/stores.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms', 'mails'], freshDatabase: true });

const ERASE = '/admin/v1/privacy/erase';
const EMAIL = 'Quill.Featherstone@Example.ORG';
/** What must be nowhere afterwards. */
const TRACES = [
  'Featherstone',
  'featherstone',
  'Quill',
  'quill',
  '8237714',
  '8 237714',
  'Larkspur',
  'Xanadu',
  '1987-03-09',
  'Netscape',
  'left a note',
  'said so',
  '203.0.113.99',
];

const guestOf = (reference: string) => ({
  ...bookingOf(reference),
  lastName: 'Featherstone',
  firstName: 'Quill',
  email: EMAIL,
  phone: '+61 8 237714',
  notes: 'left a note for Quill',
  guest: { address: '12 Larkspur Lane', city: 'Xanadu' },
});

/** A booking with a card, money, messages, mails, an application and an answered key. */
async function stayed(reference: string): Promise<{ chargeId: number; applicationNumber: string }> {
  await call('/booking/v1/create/manage-payments', guestOf(reference));
  await call('/payment/v1/tokenize', {
    reference,
    cardNumber: '4242424242424242',
    cardExpiry: '12/2030',
    cardHolderName: 'Quill Featherstone',
    cvv: '123',
  });
  const applied = await call('/application/v1/create', {
    email: EMAIL.toLowerCase(),
    arrival: '2027-02-14',
    departure: '2027-02-17',
    reference,
    dateOfBirth: '1987-03-09',
    nationality: 'Xanadu',
    userAgent: 'Netscape 4',
    agent: { name: 'Featherstone', email: 'agent@quill.org' },
  });
  const { applicationNumber } = applied.json.application;
  const key = { headers: { 'Idempotency-Key': `key ${reference}` } };
  const body = { reference, amount: 100, description: 'Quill said so', transactionType: 'Deposit' };
  const charged = await call('/payment/v1/create', body, key);
  const chargeId = charged.json.transaction.id;
  await call('/refund/v1/create', {
    reference,
    chargeId,
    amount: 10,
    description: 'Featherstone asked',
  });
  const terms = [
    { label: "Quill's half", percent: 10, due: { anchor: 'arrival' } },
    { percent: 10, due: { anchor: 'arrival' } },
  ];
  await call('/payment-plan/v1/put', { reference, terms });
  const repeat = { every: 'week', amount: 9, label: 'Quill, weekly' };
  await call('/payment-plan/v1/put', { reference, repeat });
  await call('/payment-plan/v1/cancel', { reference });
  await call('/payment/v1/request-card-details', { reference, email: EMAIL });
  const { json } = await call('/booking/v1/get-url', { reference });
  const guest = await visit(reference);
  await guest.open(json.url, { 'User-Agent': 'Netscape 4', 'CF-Connecting-IP': '203.0.113.99' });
  return { chargeId, applicationNumber };
}

const erase = (guest: Record<string, unknown>) =>
  callAsAdmin(ERASE, { property: 'demo', ...guest });

async function sums(): Promise<unknown> {
  const { results } = await testEnv.DB.prepare(
    `SELECT booking_reference, count(*), max(sequence), sum(amount_minor), sum(fee_minor), sum(held_minor), max(total_cost_minor), max(event_number)
      FROM history WHERE coalesce(to_state, '') <> 'erased' GROUP BY booking_reference`,
  ).all();
  return results.map((row) => ({ ...row, 'max(sequence)': 0 }));
}

async function found(): Promise<string[]> {
  const text = await everyStore();
  return TRACES.filter((trace) => text.includes(trace));
}

describe('an erasure', () => {
  it('leaves nothing of a guest in any store, and all of the money', async () => {
    await stayed('STAY-1');
    expect(await found()).toEqual(TRACES);
    const before = [
      await sums(),
      (await call('/payment/v1/balance', { reference: 'STAY-1' })).json.balance,
    ];
    const dry = await erase({ reference: 'STAY-1', dryRun: true });
    expect(dry.status).toBe(200);
    expect((await found()).length).toBeGreaterThan(5);
    const done = await erase({ reference: 'STAY-1' });
    expect([done.status, done.json.erasure.bookings]).toEqual([200, 1]);
    expect(done.json.erasure.erased).toEqual(dry.json.erasure.erased);
    expect(await found()).toEqual([]);
    const after = (await call('/payment/v1/balance', { reference: 'STAY-1' })).json.balance;
    expect([await sums(), { ...after, asOf: null }]).toEqual([
      before[0],
      { ...(before[1] as object), asOf: null },
    ]);
  });

  it('says the same of what stays when it is asked again, by an address in any case too', async () => {
    await stayed('STAY-2');
    await makeBooking('OTHER-1');
    const first = await erase({ email: EMAIL.toUpperCase() });
    const again = await erase({ email: EMAIL.toLowerCase() });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.json.erasure).toEqual({ ...first.json.erasure, erased: [] });
    expect(await found()).toEqual([]);
    expect(
      (await call('/booking/v1/get-details', { reference: 'OTHER-1' })).json.booking.guest.lastName,
    ).toBe('Nguyen');
  });

  it('leaves refunds possible, and no charge', async () => {
    const { chargeId } = await stayed('STAY-3');
    const { json: paid } = await call('/payment/v1/transaction', { reference: 'STAY-3' });
    await erase({ reference: 'STAY-3' });
    for (const token of [undefined, paid.transactions[0]?.cardDetails?.token]) {
      const charged = await call('/payment/v1/create', { reference: 'STAY-3', amount: 5, token });
      expect([charged.status, charged.json.code]).toEqual([422, 'no_card']);
    }
    const refunded = await call('/refund/v1/create', { reference: 'STAY-3', chargeId, amount: 5 });
    expect(refunded.status).toBe(200);
    const ask = '/payment/v1/request-card-details';
    const before = (await mailbox()).length;
    const asked = await call(ask, { reference: 'STAY-3' });
    expect([asked.status, asked.json.code]).toEqual([409, 'invalid_state']);
    expect(await mailbox()).toHaveLength(before);
    const another = await call(ask, { reference: 'STAY-3', email: 'new@example.org' });
    expect(another.status).toBe(200);
  });

  it('waits for what is open, and says what it is', async () => {
    await stayed('STAY-4');
    const time = new Date(Date.now() + DAY_MS).toISOString();
    const made = await call('/payment/v1/schedule', { reference: 'STAY-4', amount: 5, time });
    for (const dryRun of [true, false]) {
      const refused = await erase({ email: EMAIL, dryRun });
      expect([refused.status, refused.json.code]).toEqual([409, 'invalid_state']);
      expect(refused.json.open).toEqual([
        { bookingReference: 'STAY-4', what: 'schedule', id: String(made.json.transaction.id) },
      ]);
    }
    await call('/payment/v1/cancel-schedule', {
      reference: 'STAY-4',
      chargeId: made.json.transaction.id,
    });
    expect((await erase({ email: EMAIL })).status).toBe(200);
  });

  it('names what it cannot find', async () => {
    expect((await erase({ reference: 'NOBODY' })).json.code).toBe('booking_not_found');
    expect((await callAsAdmin(ERASE, { property: 'none', email: EMAIL })).json.code).toBe(
      'property_not_found',
    );
    expect((await erase({})).json.errors).toMatchObject([{ field: 'reference' }]);
    expect((await erase({ email: 'nobody@example.org' })).json.erasure).toEqual({
      erasureId: null,
      bookings: 0,
      erased: [],
      kept: [],
    });
  });

  it('comes to the same after a fault at any boundary, once it is asked again', async () => {
    await stayed('CLEAN');
    const crossed = await spansOf(() => erase({ reference: 'CLEAN' }));
    const wrong: string[] = [];
    // Each erases a guest everywhere.
    const places = someOf([...crossed.entries()], 12, 2);
    for (const kind of someOf(faultKinds, 2)) {
      for (const [number, place] of placesOf(kind, places, 4)) {
        const reference = `F ${kind} ${number}`;
        await stayed(reference);
        await withFault(place, kind, () => erase({ reference }));
        const again = await erase({ reference });
        const left = await found();
        if (again.status !== 200 || left.length > 0) {
          wrong.push(`${kind} at ${place.boundary}: ${again.status} ${left.join()}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('takes the mails of local mode along', async () => {
    await stayed('STAY-5');
    await erase({ reference: 'STAY-5' });
    expect(JSON.stringify(await mailbox())).not.toContain('Quill');
  });
});

describe('the files of exports', () => {
  it('that begin while a guest is being erased are written anew, too', async () => {
    await stayed('FILE-2');
    let isMade = false;
    const stop = justAfter('d1.export.expired', async () => {
      await makeExport('applicationConsole');
      isMade = true;
    });
    await erase({ reference: 'FILE-2' });
    stop();
    expect(isMade).toBe(true);
    const stale = await testEnv.DB.prepare(
      'SELECT count(*) FROM export_runs WHERE stale_since_ms IS NOT NULL',
    ).first('count(*)');
    expect(stale).toBe(1);
  });

  it('are written anew without the guest, each with a new digest and every other line as it was', async () => {
    await stayed('FILE-1');
    await call('/application/v1/create', {
      email: 'other@example.org',
      arrival: '2027-03-14',
      departure: '2027-03-17',
      nationality: 'Atlantis',
    });
    const runs = await Promise.all([
      makeExport('applicationConsole'),
      makeExport('propertySystem'),
    ]);
    const before = await (await fetchExport('applicationConsole=1')).text();
    const kept = before.split('\n').filter((line) => line.includes('Atlantis'));
    await erase({ reference: 'FILE-1' });
    await sweepExports(testEnv, await requireConfig(testEnv), Date.now());
    await eventually(async () => {
      const { json } = await callAsAdmin('/admin/v1/export/list', {});
      const digests = json.runs.map(({ sha256 }) => sha256);
      for (const { sha256 } of runs) expect(digests).not.toContain(sha256);
    });
    const after = await (await fetchExport('applicationConsole=1')).text();
    expect(after.split('\n')).toHaveLength(before.split('\n').length);
    expect(after).toContain(kept[0]);
    await sweepExports(testEnv, await requireConfig(testEnv), Date.now());
    expect(await found()).toEqual([]);
  });
});
