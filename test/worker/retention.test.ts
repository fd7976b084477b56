/** What a property lets go of by itself (interface: Retention), and what it shows a guest (interface: Export a guest's data). */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { selectGateway } from '../../src/gateways/select.ts';
import { requireConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { findProperty } from '../../src/records/properties/store.ts';
import { retain, sweepRetention } from '../../src/retention/retain.ts';
import { atTime, attachCard, bookingOf, call, callAsAdmin, testEnv } from '../support/api.ts';
import { someOf } from '../support/long.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms', 'mails'], freshDatabase: true });

/** The last day of the stays of `bookingOf`, in Perth. */
const DEPARTURE_MS = Date.parse('2027-02-17T12:00:00+08:00');

const daysOn = (days: number) => DEPARTURE_MS + days * DAY_MS;

interface Retention {
  readonly eraseGuestsAfterDays?: number;
  readonly archiveAfterDays?: number;
}

async function retains(retention: Retention): Promise<void> {
  const demo = { property: 'demo', name: 'Demo', site: 'demo.localhost', currency: 'AUD' };
  const body = { ...demo, timeZone: 'Australia/Perth', retention };
  expect((await callAsAdmin('/admin/v1/property/put', body)).status).toBe(200);
}

/** A paid stay of a guest of this name; nothing of it waits for its PMS. */
async function stayed(reference: string, lastName = 'Featherstone'): Promise<number> {
  const email = `${lastName}@example.org`;
  await call('/booking/v1/create/manage-payments', { ...bookingOf(reference), lastName, email });
  await attachCard(reference, '4242424242424242');
  const charged = await call('/payment/v1/create', { reference, amount: 100 });
  await settled();
  return charged.json.transaction.id;
}

async function settled(): Promise<void> {
  await testEnv.DB.prepare(
    "UPDATE outbox SET status = 'Dismissed', due_at_ms = NULL, completed_at_ms = 1 WHERE status = 'Pending'",
  ).run();
}

/** Sweeps so many days after the departure, and returns how many properties it saw to. */
function swept(days: number): Promise<number> {
  return atTime(daysOn(days), async () =>
    sweepRetention(testEnv, selectGateway(await requireConfig(testEnv), testEnv)),
  );
}

/** What is left of a booking: its guest's name, '' without it, and whether it is archived. */
async function left(reference: string): Promise<[string, boolean]> {
  const { json } = await call('/booking/v1/get-details', { reference });
  const row = await testEnv.DB.prepare('SELECT 1 FROM bookings WHERE reference = ?')
    .bind(reference)
    .first();
  return [json.booking.guest.lastName, row === null];
}

describe('a daily sweep', () => {
  it.each(
    someOf([
      { retention: { eraseGuestsAfterDays: 30 }, days: 29, name: 'Featherstone', archived: false },
      { retention: { eraseGuestsAfterDays: 30 }, days: 30, name: '', archived: false },
      { retention: { archiveAfterDays: 30 }, days: 29, name: 'Featherstone', archived: false },
      { retention: { archiveAfterDays: 30 }, days: 30, name: 'Featherstone', archived: true },
      {
        retention: { eraseGuestsAfterDays: 30, archiveAfterDays: 30 },
        days: 31,
        name: '',
        archived: true,
      },
      { retention: {}, days: 3_000, name: 'Featherstone', archived: false },
    ]),
  )('$retention, $days days after the departure', async ({ archived, days, name, retention }) => {
    await retains(retention);
    await stayed('STAY-1');
    await swept(days);
    expect(await left('STAY-1')).toEqual([name, archived]);
  });

  it('counts from when money moved last, where that is later', async () => {
    await retains({ eraseGuestsAfterDays: 30 });
    const chargeId = await stayed('STAY-1');
    await atTime(daysOn(20), () =>
      call('/refund/v1/create', { reference: 'STAY-1', chargeId, amount: 5 }),
    );
    await settled();
    await swept(49);
    expect(await left('STAY-1')).toEqual(['Featherstone', false]);
    await swept(51);
    expect(await left('STAY-1')).toEqual(['', false]);
  });

  it('is made once a day, and the next day again', async () => {
    await retains({ archiveAfterDays: 30 });
    await stayed('STAY-1');
    expect([await swept(40), await swept(40), await swept(41)]).toEqual([1, 0, 1]);
  });

  it('lets what is open wait, and sees to the others', async () => {
    await retains({ eraseGuestsAfterDays: 30, archiveAfterDays: 30 });
    await stayed('STAY-1');
    await stayed('STAY-2');
    const schedule = await atTime(daysOn(39), () =>
      call('/payment/v1/schedule', {
        reference: 'STAY-1',
        amount: 5,
        time: new Date(daysOn(60)).toISOString(),
      }),
    );
    await settled();
    await swept(40);
    expect([await left('STAY-1'), await left('STAY-2')]).toEqual([
      ['Featherstone', false],
      ['', true],
    ]);
    const cancelled = { reference: 'STAY-1', chargeId: schedule.json.transaction.id };
    const { status } = await atTime(daysOn(41), () =>
      call('/payment/v1/cancel-schedule', cancelled),
    );
    expect(status).toBe(200);
    await settled();
    await swept(42);
    expect(await left('STAY-1')).toEqual(['', true]);
  });

  it('goes past what is open, however little one sweep does', async () => {
    await retains({ eraseGuestsAfterDays: 30 });
    for (const reference of ['STAY-1', 'STAY-2']) await stayed(reference);
    const time = new Date(daysOn(60)).toISOString();
    await atTime(daysOn(39), () =>
      call('/payment/v1/schedule', { reference: 'STAY-1', amount: 5, time }),
    );
    await settled();
    const trace = new Trace();
    const database = openDatabase(testEnv, trace);
    const gateway = selectGateway(await requireConfig(testEnv), testEnv);
    const work = { env: testEnv, database, trace, gateway, requestId: 'r', actor: 'sweep' };
    const property = await findProperty(database, 'demo');
    if (!property) throw new Error('no property');
    expect(await atTime(daysOn(40), () => retain(work, property, 1))).toBe(false);
    expect([(await left('STAY-1'))[0], (await left('STAY-2'))[0]]).toEqual(['Featherstone', '']);
  });

  it('erases a guest in the archive as late as one in D1: after the departure, and after money moved last', async () => {
    await retains({ eraseGuestsAfterDays: 2 });
    const chargeId = await stayed('STAY-1');
    const archive = () => callAsAdmin('/admin/v1/archive/run', { property: 'demo' });
    await atTime(daysOn(1), archive);
    // Three nights: the arrival is further back than the departure.
    await swept(1);
    expect(await left('STAY-1')).toEqual(['Featherstone', true]);
    await atTime(daysOn(1), () =>
      call('/refund/v1/create', { reference: 'STAY-1', chargeId, amount: 5 }),
    );
    await settled();
    await atTime(daysOn(2), archive);
    await swept(2.5);
    expect(await left('STAY-1')).toEqual(['Featherstone', true]);
    await swept(4);
    expect(await left('STAY-1')).toEqual(['', false]);
  });

  it('erases a guest who was archived before', async () => {
    await retains({ eraseGuestsAfterDays: 60, archiveAfterDays: 30 });
    await stayed('STAY-1');
    await swept(30);
    expect(await left('STAY-1')).toEqual(['Featherstone', true]);
    await swept(100);
    expect((await left('STAY-1'))[0]).toBe('');
  });
});

it('a dry run counts in the archive what an erasure takes, and leaves it there', async () => {
  await retains({ archiveAfterDays: 0 });
  await stayed('STAY-1');
  await swept(1);
  const erase = async (dryRun: boolean) => {
    const asked = { property: 'demo', reference: 'STAY-1', dryRun };
    const { json, status } = await callAsAdmin('/admin/v1/privacy/erase', asked);
    const { erasureId: _id, ...erasure } = json.erasure as unknown as Record<string, unknown>;
    return [status, erasure];
  };
  const counted = await erase(true);
  expect(await left('STAY-1')).toEqual(['Featherstone', true]);
  expect(counted).toMatchObject([200, { bookings: 1, erased: expect.arrayContaining([]) }]);
  expect(await erase(false)).toEqual(counted);
  expect(await left('STAY-1')).toEqual(['', false]);
});

it('a clock that is advanced lets go on its way', async () => {
  await retains({ eraseGuestsAfterDays: 30 });
  await stayed('STAY-1');
  const to = new Date(daysOn(31)).toISOString();
  const advanced = await callAsAdmin('/sandbox/v1/clock/advance', { property: 'demo', to });
  expect(advanced.status).toBe(200);
  expect(await left('STAY-1')).toEqual(['', false]);
});

describe('what is held of a guest', () => {
  const shown = (guest: object) =>
    callAsAdmin('/admin/v1/privacy/export', { property: 'demo', ...guest });

  it('is all of it, of nobody else, and no secret', async () => {
    const chargeId = await stayed('STAY-1');
    await stayed('STAY-2', 'Nightingale');
    const { json, status } = await shown({ reference: 'STAY-1' });
    expect(status).toBe(200);
    const { person } = json as unknown as {
      person: { property: string; records: Record<string, Record<string, unknown>[]> };
    };
    expect(Object.keys(person.records)).toEqual(
      expect.arrayContaining(['bookings', 'cards', 'history', 'transactions', 'outbox']),
    );
    expect(person.records['bookings']).toMatchObject([
      { reference: 'STAY-1', lastName: 'Featherstone', totalCostMinor: 60_000 },
    ]);
    // With the card's fee.
    expect(person.records['transactions']).toMatchObject([{ id: chargeId, amountMinor: 10_309 }]);
    const text = JSON.stringify(person);
    expect(text).not.toMatch(/Nightingale|STAY-2|gatewayToken|gatewayKey|fingerprint|eventSalt/);
  });

  it('is found by an address in any case, over all bookings', async () => {
    await stayed('STAY-1');
    await stayed('STAY-2');
    await stayed('STAY-3', 'Nightingale');
    const { json } = await shown({ email: 'FEATHERSTONE@example.ORG' });
    const { bookings } = (json as unknown as { person: { records: { bookings: object[] } } }).person
      .records;
    expect(bookings).toMatchObject([{ reference: 'STAY-1' }, { reference: 'STAY-2' }]);
  });

  it('is the same of an archived booking, and nothing personal after an erasure', async () => {
    await retains({ archiveAfterDays: 0 });
    await stayed('STAY-1');
    const before = await shown({ reference: 'STAY-1' });
    await swept(1);
    expect(await left('STAY-1')).toEqual(['Featherstone', true]);
    const archived = await shown({ reference: 'STAY-1' });
    const names = (answer: typeof before) =>
      Object.keys((answer.json as unknown as { person: { records: object } }).person.records);
    // Beside what lists find archived payments by, and what the acquirer has of them.
    const beside = ['archived_payments', 'archived_references'];
    expect(names(archived)).toEqual(expect.arrayContaining(beside));
    expect(names(archived).filter((name) => !beside.includes(name))).toEqual(names(before));
    await callAsAdmin('/admin/v1/privacy/erase', { property: 'demo', reference: 'STAY-1' });
    const erased = await shown({ reference: 'STAY-1' });
    expect(JSON.stringify(erased.json)).not.toMatch(/featherstone/i);
    expect(erased.status).toBe(200);
  });

  it('is a 404 for a booking or property that is not there', async () => {
    const missing = [
      await shown({ reference: 'NOBODY' }),
      await shown({ reference: 'NOBODY', property: 'nowhere' }),
    ];
    expect(missing.map(({ json, status }) => [status, json.code])).toEqual([
      [404, 'booking_not_found'],
      [404, 'property_not_found'],
    ]);
  });
});
