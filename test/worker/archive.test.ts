import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { selectGateway } from '../../src/gateways/select.ts';
import { requireConfig } from '../../src/platform/config.ts';
import { sweepRetention } from '../../src/retention/retain.ts';
import { attachCard, bookingOf, call, callAsAdmin, makeBooking, testEnv } from '../support/api.ts';
import {
  AUDIT,
  archiveAll,
  archived,
  dismissMessages,
  pageOf,
  readings,
  rowsOf,
} from '../support/archived.ts';
import { fetchExport, makeExport } from '../support/exports.ts';
import {
  type Crossed,
  type FaultKind,
  faultKinds,
  justAfter,
  justBefore,
  placesOf,
  spansOf,
  sweepAt,
  withFault,
} from '../support/faults.ts';
import { someOf } from '../support/long.ts';
import { disagreements } from '../support/oracle.ts';
import { signedIn } from '../support/staff.ts';
import { everyStore } from '../support/stores.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms', 'mails'], freshDatabase: true });

async function stayed(reference: string): Promise<number> {
  await makeBooking(reference, '4242424242424242');
  const charged = await call('/payment/v1/create', { reference, amount: 100, description: 'stay' });
  const chargeId = charged.json.transaction.id;
  await call('/refund/v1/create', { reference, chargeId, amount: 30 });
  await dismissMessages();
  return chargeId;
}

/** A hold that was captured in part, and a card that is no longer in use. */
async function heldAndCaptured(reference: string): Promise<void> {
  const expiryTime = new Date(Date.now() + DAY_MS).toISOString();
  const body = { reference, amount: 60, preAuth: true, expiryTime };
  const held = await call('/payment/v1/create', body);
  const { id: chargeId } = held.json.transaction;
  await call('/payment/v1/charge-pre-auth', { reference, chargeId, amount: 40 });
  await attachCard(reference, '5555555555554444');
  await dismissMessages();
}

async function differenceOf(reference: string): Promise<string> {
  const id = crypto.randomUUID();
  await testEnv.DB.prepare(
    "INSERT INTO exceptions (id, property_id, booking_reference, gateway, kind, subject, found_at_ms, status, detail) VALUES (?1, 'demo', ?2, 'sandbox', 'unknown_payment', ?1, 1, 'open', 'unknown')",
  )
    .bind(id, reference)
    .run();
  return id;
}

describe('an archived booking', () => {
  it('answers every reading as before, to the byte, archived and brought back', async () => {
    const chargeId = await stayed('ARC-1');
    await heldAndCaptured('ARC-1');
    const manager = await signedIn();
    const before = await readings('ARC-1', chargeId);
    const shown = await pageOf(manager, 'booking?reference=ARC-1');
    expect(shown).toContain('ARC-1');
    await archived();
    expect(await rowsOf('ARC-1')).toBe(0);
    expect(await readings('ARC-1', chargeId)).toEqual(before);
    expect(await pageOf(manager, 'booking?reference=ARC-1')).toBe(shown);
    expect(await pageOf(manager, 'property?q=ARC-1')).toBe(shown);
    expect(await rowsOf('ARC-1')).toBe(0);
    // The same is saved again: that changes nothing but where it is, and is audited.
    await call('/booking/v1/create/manage-payments', bookingOf('ARC-1'));
    expect(await rowsOf('ARC-1')).toBeGreaterThan(5);
    const back = await readings('ARC-1', chargeId);
    const [audited = '', saved = ''] = [before, back].map((all) => all[AUDIT]);
    expect(back.with(AUDIT, audited)).toEqual(before);
    expect(saved).toContain(audited.slice(0, audited.indexOf('],"nextCursor"')));
  });

  it('keeps the numbers of its events: later ones of the property get others', async () => {
    const chargeId = await stayed('ARC-LAST');
    const before = await readings('ARC-LAST', chargeId);
    await archiveAll();
    await makeBooking('ARC-NEXT');
    const { json } = await call('/event/v1/list', { reference: 'ARC-NEXT' });
    const numbers = json.events.map(({ eventId }) => eventId);
    expect(await readings('ARC-LAST', chargeId)).toEqual(before);
    expect((await call('/payment/v1/create', { reference: 'ARC-LAST', amount: 1 })).status).toBe(
      200,
    );
    const after = await call('/event/v1/list', { reference: 'ARC-NEXT' });
    expect(after.json.events.map(({ eventId }) => eventId)).toEqual(numbers);
  });

  it('loses no follower of events: its last one is a place to go on from', async () => {
    const LIST = '/event/v1/list';
    await stayed('ARC-PLACE');
    const own = (await call(LIST, { reference: 'ARC-PLACE' })).json.events;
    const [after, last] = [own[0], own.at(-1)].map((event) => event?.eventId ?? '');
    await archiveAll();
    expect((await call(LIST, { after: last })).json).toMatchObject({ events: [] });
    const ofBooking = await call(LIST, { reference: 'ARC-PLACE', after });
    expect(ofBooking.json.events).toEqual(own.slice(1));
    await makeBooking('ARC-LATER');
    const later = await call(LIST, { after: last });
    expect(later.json.events.map(({ data }) => data.reference)).toContain('ARC-LATER');
    const [, number = ''] = /^evt_(\d+)_/.exec(later.json.events.at(-1)?.eventId ?? '') ?? [];
    for (const made of [number, String(Number(number) + 1), '0']) {
      const refused = await call(LIST, { after: `evt_${made}_0123456789abcdef` });
      expect([made, refused.status, refused.json.code]).toEqual([made, 404, 'event_not_found']);
    }
  });

  it('comes back for the acceptance of its difference', async () => {
    await stayed('ARC-DIFF');
    await archiveAll();
    const exceptionId = await differenceOf('ARC-DIFF');
    const accepted = await callAsAdmin('/admin/v1/reconciliation/accept', {
      exceptionId,
      reason: 'the bank says so',
    });
    expect(accepted.status).toBe(200);
    const audit = await callAsAdmin('/admin/v1/audit/list', {
      property: 'demo',
      reference: 'ARC-DIFF',
    });
    expect(JSON.stringify(audit.json)).toContain('the bank says so');
  });

  it('comes back for a move of its application', async () => {
    await stayed('ARC-APP');
    const made = await call('/application/v1/create', {
      email: 'guest@hotel.com',
      arrival: '2027-02-14',
      departure: '2027-02-24',
      reference: 'ARC-APP',
    });
    const { applicationNumber } = made.json.application;
    await testEnv.DB.prepare(
      "UPDATE applications SET current_status = 'History', version = version + 1",
    ).run();
    await archiveAll();
    expect(await rowsOf('ARC-APP')).toBe(0);
    const cancelled = await call('/application/v1/update-status', {
      applicationNumber,
      status: 'Cancelled',
    });
    expect([cancelled.status, cancelled.json.code]).toEqual([200, undefined]);
    expect(await rowsOf('ARC-APP')).toBeGreaterThan(5);
  });

  it('is busy where R2 does not answer: nothing is accepted, and nothing recorded', async () => {
    await stayed('ARC-R2');
    await archiveAll();
    const exceptionId = await differenceOf('ARC-R2');
    const accept = () =>
      callAsAdmin('/admin/v1/reconciliation/accept', { exceptionId, reason: 'known' });
    const reading = { index: 0, boundary: 'r2.read', nth: 0 } as const;
    const refused = await withFault(reading, 'fails', accept);
    expect([refused?.status, refused?.json.code]).toEqual([503, 'busy']);
    expect((await accept()).status).toBe(200);
  });

  it('is in the lists of archived ones alone', async () => {
    const chargeId = await stayed('ARC-2');
    const bookings = await call('/booking/v1/list', {});
    const payments = await call('/payment/v1/list', {});
    await archiveAll();
    expect((await call('/booking/v1/list', {})).json).toMatchObject({ bookings: [] });
    expect((await call('/payment/v1/list', {})).json.transactions).toEqual([]);
    const archived = { archived: true };
    expect((await call('/booking/v1/list', archived)).json).toEqual(bookings.json);
    expect((await call('/payment/v1/list', archived)).json).toEqual(payments.json);
    expect(payments.json.transactions[0]?.id).toBe(chargeId);
    expect(
      (await call('/booking/v1/list', { ...archived, status: 'cancelled' })).json,
    ).toMatchObject({ bookings: [] });
  });

  it.each([
    [
      'a refund',
      (reference: string, chargeId: number) =>
        call(
          '/refund/v1/create',
          { reference, chargeId, amount: 5 },
          { headers: { 'Idempotency-Key': 'k' } },
        ),
    ],
    [
      'a save',
      (reference: string) =>
        call('/booking/v1/create/manage-payments', { ...bookingOf(reference), notes: 'changed' }),
    ],
    ['a charge', (reference: string) => call('/payment/v1/create', { reference, amount: 7 })],
  ])('comes back for %s', async (_what, change) => {
    const chargeId = await stayed('ARC-3');
    await archiveAll();
    expect((await change('ARC-3', chargeId)).status).toBe(200);
    expect(await rowsOf('ARC-3')).toBeGreaterThan(5);
    expect(await disagreements('ARC-3')).toEqual([]);
    expect((await call('/booking/v1/list', {})).json).toMatchObject({
      bookings: [{ bookingReference: 'ARC-3' }],
    });
    expect((await call('/booking/v1/list', { archived: true })).json).toMatchObject({
      bookings: [],
    });
    expect((await testEnv.EXPORTS.list({ prefix: 'archive/' })).objects).toEqual([]);
  });

  it('waits for what is open', async () => {
    await stayed('ARC-4');
    const time = new Date(Date.now() + DAY_MS).toISOString();
    const held = await call('/payment/v1/schedule', { reference: 'ARC-4', amount: 5, time });
    expect(held.status).toBe(200);
    expect((await archiveAll()).json.archived).toBe(0);
    expect((await callAsAdmin('/admin/v1/archive/run', { property: 'demo' })).json.archived).toBe(
      0,
    );
  });

  it('can be read and refunded where it was charged on a card of another one', async () => {
    const earlier = { arrival: '01-01-2027', departure: '05-01-2027' };
    await call('/booking/v1/create/manage-payments', bookingOf('ARC-BORROWS', earlier));
    await makeBooking('ARC-LENDS', '4242424242424242');
    const { json } = await call('/booking/v1/get-details', { reference: 'ARC-LENDS' });
    const token = json.booking.payment[0]?.token;
    const charged = await call('/payment/v1/create', {
      reference: 'ARC-BORROWS',
      amount: 100,
      token,
    });
    const chargeId = charged.json.transaction.id;
    await dismissMessages();
    const before = await readings('ARC-BORROWS', chargeId);
    await archiveAll();
    await archiveAll();
    expect(await readings('ARC-BORROWS', chargeId)).toEqual(before);
    expect((await refund('ARC-BORROWS', chargeId)).status).toBe(200);
  });

  it('waits for what is to be told of its virtual card', async () => {
    const reference = 'ARC-VIRTUAL';
    await makeBooking(reference);
    await call('/payment/v1/tokenize', {
      reference,
      cardNumber: '4242424242424242',
      cardExpiry: '12/2040',
      virtualCard: { activeFrom: '2027-02-17T00:00:00Z', activeUntil: '2031-02-17T00:00:00Z' },
    });
    await dismissMessages();
    await archiveAll();
    await sweepAt(Date.parse('2031-02-16T12:00:00Z'));
    const { json } = await call('/event/v1/list', { reference });
    expect(json.events.map(({ type }) => type)).toContain('card.virtual_lapsing');
  });

  it('is erased, too', async () => {
    await stayed('ARC-5');
    // A name that no test before had: objects of theirs may have stores yet.
    const details = { lastName: 'Okonkwo' };
    await call('/booking/v1/create/manage-payments', bookingOf('ARC-5', details));
    await dismissMessages();
    expect((await archiveAll()).json.archived).toBe(1);
    const erased = await callAsAdmin('/admin/v1/privacy/erase', {
      property: 'demo',
      email: 'guest@hotel.com',
    });
    expect([erased.status, erased.json.erasure.bookings]).toEqual([200, 1]);
    expect(await everyStore()).not.toContain('Okonkwo');
  });

  it('says the same of what stays when its guest is erased again, wherever it is by then', async () => {
    await stayed('ARC-6');
    const erase = async () => {
      const asked = { property: 'demo', email: 'guest@hotel.com' };
      return (await callAsAdmin('/admin/v1/privacy/erase', asked)).json.erasure;
    };
    const first = await erase();
    await dismissMessages();
    expect((await archiveAll()).json.archived).toBe(1);
    expect(await erase()).toEqual({ ...first, erased: [] });
  });
});

const refund = (reference: string, chargeId: number) =>
  call(
    '/refund/v1/create',
    { reference, chargeId, amount: 1 },
    { headers: { 'Idempotency-Key': reference } },
  );

/** What is wrong with a booking after a fault on its way to the archive, or back. */
async function wrongAfter(place: Crossed, kind: FaultKind, reference: string): Promise<string[]> {
  const chargeId = await stayed(reference);
  const before = JSON.stringify(await readings(reference, chargeId));
  const isBack = reference.startsWith('back');
  if (isBack) await archiveAll();
  await withFault(place, kind, () => (isBack ? refund(reference, chargeId) : archiveAll()));
  const after = isBack ? before : JSON.stringify(await readings(reference, chargeId));
  const again = await refund(reference, chargeId);
  const wrong = [...(await disagreements(reference))];
  if (after !== before) wrong.push('it reads otherwise');
  if (again.status !== 200) wrong.push(`its refund is ${again.status}`);
  return wrong.map((one) => `${reference} at ${place.boundary}: ${one}`);
}

describe('a fault on the way', () => {
  it.each(someOf(faultKinds, 4))('leaves the booking in one place: %s', async (kind) => {
    const chargeId = await stayed('CLEAN');
    const there = await spansOf(archiveAll);
    const back = await spansOf(() => refund('CLEAN', chargeId));
    const ways = [
      ...[...there.entries()].map(([at, place]) => [`there ${at}`, place] as const),
      ...[...back.entries()].map(([at, place]) => [`back ${at}`, place] as const),
    ].filter(([, { boundary }]) => /^(d1\.archive|r2)\./.test(boundary));
    const wrong: string[] = [];
    for (const [reference, place] of placesOf(kind, ways))
      wrong.push(...(await wrongAfter(place, kind, reference)));
    expect(wrong).toEqual([]);
  });
});

it('a booking waits for a mail that is queued while its file is written', async () => {
  await stayed('ARC-MAIL');
  const stop = justBefore('r2.put', async () => {
    await testEnv.DB.prepare(
      "INSERT INTO mails (id, property_id, booking_reference, kind, subject_kind, subject_id, status, due_at_ms, created_at_ms) VALUES ('m-1', 'demo', 'ARC-MAIL', 'paymentLink', 'booking', '', 'Pending', 1, 1)",
    ).run();
  });
  expect((await archiveAll()).json.archived).toBe(0);
  stop();
  const mail = await testEnv.DB.prepare("SELECT status FROM mails WHERE id = 'm-1'").first();
  expect(mail).toEqual({ status: 'Pending' });
});

describe('a file that was left over', () => {
  const files = async (reference: string) =>
    (await testEnv.EXPORTS.list({ prefix: `archive/demo/${reference}/` })).objects.length;

  /** A booking that is back in D1, and its file, which R2 did not delete. */
  async function leftOver(reference: string, lastName: string): Promise<void> {
    const chargeId = await stayed(reference);
    await call('/booking/v1/create/manage-payments', bookingOf(reference, { lastName }));
    await dismissMessages();
    expect((await archiveAll()).json.archived).toBe(1);
    await withFault({ boundary: 'r2.delete', nth: 0 }, 'fails', () => refund(reference, chargeId));
    await dismissMessages();
    expect(await files(reference)).toBe(1);
    expect(await rowsOf(reference)).toBeGreaterThan(5);
  }

  const swept = async () =>
    sweepRetention(testEnv, selectGateway(await requireConfig(testEnv), testEnv));

  it('goes with the guest who is erased', async () => {
    await leftOver('LEFT-1', 'Achterberg');
    const asked = { property: 'demo', reference: 'LEFT-1' };
    expect((await callAsAdmin('/admin/v1/privacy/erase', asked)).status).toBe(200);
    expect(await everyStore()).not.toContain('Achterberg');
  });

  it('goes by itself, also of a property without retention', async () => {
    await leftOver('LEFT-2', 'Bontekoe');
    await swept();
    expect(await files('LEFT-2')).toBe(0);
    expect(await rowsOf('LEFT-2')).toBeGreaterThan(5);
  });

  it('goes at once where the booking changed on its way', async () => {
    await stayed('LEFT-3');
    const stop = justBefore('r2.put', async () => {
      await testEnv.DB.prepare(
        "INSERT INTO history (property_id, booking_reference, sequence, at_ms, actor, subject_kind, subject_id, to_state) SELECT property_id, booking_reference, max(sequence) + 1, 1, 'test', 'booking', '', 'changed' FROM history WHERE booking_reference = 'LEFT-3'",
      ).run();
    });
    expect((await archiveAll()).json.archived).toBe(0);
    stop();
    expect(await files('LEFT-3')).toBe(0);
  });

  it('is not what a booking is just moving to', async () => {
    await callAsAdmin('/admin/v1/property/put', {
      property: 'demo',
      name: 'Demo',
      site: 'demo.localhost',
      currency: 'AUD',
      timeZone: 'Australia/Perth',
      retention: { eraseGuestsAfterDays: 3_000 },
    });
    const chargeId = await stayed('LEFT-4');
    const before = await readings('LEFT-4', chargeId);
    let isWritten = false;
    const stop = justAfter('r2.put', async () => {
      isWritten = true;
      await scheduler.wait(500);
    });
    const archiving = archiveAll();
    while (!isWritten) await scheduler.wait(1);
    await Promise.all([archiving, swept()]);
    stop();
    expect([(await archiving).json.archived, await files('LEFT-4')]).toEqual([1, 1]);
    expect(await readings('LEFT-4', chargeId)).toEqual(before);
  });
});

it('the books of the day have an archived booking’s movements, each once, wherever it is', async () => {
  const stay = { arrival: '01-02-2020', departure: '05-02-2020' };
  await call('/booking/v1/create/manage-payments', bookingOf('ARC-BOOKS', stay));
  await attachCard('ARC-BOOKS', '4242424242424242');
  await call('/payment/v1/create', { reference: 'ARC-BOOKS', amount: 100 });
  await call('/refund/v1/create', { reference: 'ARC-BOOKS', amount: 30 });
  await dismissMessages();
  const file = async () => {
    await makeExport('ledger');
    return (await fetchExport('ledger=1')).text();
  };
  const before = await file();
  expect(before.split('\n')).toHaveLength(6);
  const archived = await callAsAdmin('/admin/v1/archive/run', { property: 'demo' });
  expect(archived.json).toEqual({ success: true, archived: 1 });
  const audit = await callAsAdmin('/admin/v1/audit/list', { property: 'demo' });
  expect(audit.json.entries.at(-1)).toMatchObject({
    actor: 'admin',
    subject: 'archive',
    to: '1',
    detail: 'archived',
  });
  expect(await rowsOf('ARC-BOOKS')).toBe(0);
  expect(await file()).toBe(before);
  // It comes back, and one more entry follows.
  await call('/refund/v1/create', { reference: 'ARC-BOOKS', amount: 10 });
  const after = await file();
  expect(after.startsWith(before)).toBe(true);
  expect(after.split('\n')).toHaveLength(8);
});
