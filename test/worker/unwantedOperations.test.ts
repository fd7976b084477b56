/** What was lost on the way is sent again only while it is wanted. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import {
  atTime,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { allow, toBank } from '../support/bank.ts';
import { ANSWER_LOST, GOOD, LOST_CARD, NEVER_ARRIVES } from '../support/cards.ts';
import { loseAnswers, wakeAt } from '../support/faults.ts';
import { enterCard, visit } from '../support/guest.ts';
import { AUDIT } from '../support/history.ts';
import { recoveryStory } from '../support/recovery.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const WARNED = ['may_have_been_taken'];

/** When a schedule of these tests is due. */
const DUE_MS = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + DAY_MS;
const iso = (ms: number) => new Date(ms).toISOString();

let made = 0;
let reference = '';
beforeEach(() => {
  made += 1;
  reference = `LOST-${made}`;
});

/** An outage in which the acquirer cannot even be asked. */
const outage = () =>
  callAsAdmin('/sandbox/v1/act', {
    action: 'outage',
    property: 'demo',
    status: 503,
    lookUps: true,
  });
const resume = () => callAsAdmin('/sandbox/v1/act', { action: 'resume', property: 'demo' });

async function scheduled(cardNumber: string): Promise<number> {
  await makeBooking(reference, cardNumber);
  const body = { reference, amount: 600, time: iso(DUE_MS) };
  const { json } = await call('/payment/v1/schedule', body);
  await wakeAt(reference, DUE_MS);
  return json.transaction.id;
}

async function held(cardNumber: string): Promise<number> {
  await makeBooking(reference, cardNumber);
  const expiryTime = iso(DUE_MS + 5 * DAY_MS);
  const body = { reference, amount: 600, preAuth: true, expiryTime };
  const { json } = await call('/payment/v1/create', body);
  return json.transaction.id;
}

const save = (status: 'booked' | 'cancelled') =>
  call('/booking/v1/create/manage-payments', bookingOf(reference, { status }));

/** How something ends that was lost. */
const endings = {
  'the booking is cancelled': () => save('cancelled'),
  'the booking is cancelled and booked again': async () => {
    await save('cancelled');
    return save('booked');
  },
  'cancel-schedule': (chargeId: number) =>
    call('/payment/v1/cancel-schedule', { reference, chargeId }),
  'cancel-schedules': () => call('/payment/v1/cancel-schedules', { reference }),
  'cancel-pre-auth': (chargeId: number) =>
    call('/payment/v1/cancel-pre-auth', { reference, chargeId }),
};

const statuses = async () => (await transactionsOf(reference)).map(({ status }) => status);
const moved = async () =>
  (await ledgerOf(reference)).map(({ kind, status }) => `${kind} ${status}`);

/** Wakes the booking again and again until a time after something was asked. */
async function wakeFor(fromMs: number, ...hours: number[]): Promise<void> {
  for (const hour of hours) await wakeAt(reference, fromMs + hour * HOUR_MS);
}

const UNTIL_THE_KEY_ENDS = [1, 3, 8, 20, 23, 23.9];

describe('a lost schedule', () => {
  it.each([
    'the booking is cancelled',
    'the booking is cancelled and booked again',
    'cancel-schedule',
    'cancel-schedules',
  ] as const)('is never charged, and ends Cancelled with its key: %s', async (ending) => {
    const chargeId = await scheduled(NEVER_ARRIVES);
    await atTime(DUE_MS + 2 * SECOND_MS, () => endings[ending](chargeId));
    await wakeFor(DUE_MS, ...UNTIL_THE_KEY_ENDS);
    expect(await statuses()).toEqual(['Processing']);
    await wakeFor(DUE_MS, 24);
    expect(await statuses()).toEqual(['Cancelled']);
    expect(await moved()).toEqual([]);
  });

  it.each(['the booking is cancelled', 'cancel-schedule', 'cancel-schedules'] as const)(
    'is Accepted if it did arrive: %s',
    async (ending) => {
      const chargeId = await scheduled(ANSWER_LOST);
      await atTime(DUE_MS + 2 * SECOND_MS, () => endings[ending](chargeId));
      await wakeAt(reference, DUE_MS + MINUTE_MS);
      expect(await statuses()).toEqual(['Accepted']);
      expect(await moved()).toEqual(['charge succeeded']);
    },
  );

  it('answers the wish with what is known: nothing, then that it was taken', async () => {
    const chargeId = await scheduled(ANSWER_LOST);
    const ask = (key: string, body = { reference, chargeId }) =>
      call('/payment/v1/cancel-schedule', body, {
        headers: { 'Idempotency-Key': `${reference} ${key}` },
      });
    await outage();
    const first = await ask('one');
    const replayed = await ask('one');
    const again = await ask('two');
    for (const { json, status } of [first, replayed, again]) {
      expect([status, json.transaction.status, json.warnings]).toEqual([200, 'Processing', WARNED]);
    }
    await resume();
    const known = await ask('three');
    expect([known.status, known.json.transaction.status, known.json.warnings]).toEqual([
      200,
      'Accepted',
      WARNED,
    ]);
    const later = await ask('two');
    expect([later.status, later.json.transaction.status]).toEqual([200, 'Accepted']);
  });

  it('is told of among those that could not be cancelled', async () => {
    const chargeId = await scheduled(NEVER_ARRIVES);
    const wishes = [await endings['cancel-schedules'](), await endings['cancel-schedules']()];
    for (const { json } of wishes) {
      const skipped = [{ id: chargeId, status: 'Processing', warnings: WARNED }];
      expect(json).toMatchObject({ cancelled: [], skipped, warnings: WARNED });
    }
    const { results } = await auditOf(chargeId);
    expect(results).toEqual([{ detail: 'cancelled by request' }]);
  });

  it('is sent again while it is wanted', async () => {
    await scheduled(NEVER_ARRIVES);
    await wakeAt(reference, DUE_MS + MINUTE_MS);
    expect([await statuses(), await moved()]).toEqual([['Accepted'], ['charge succeeded']]);
  });
});

describe('a lost hold', () => {
  async function arrived(): Promise<number> {
    const found = loseAnswers('gateway.authorize', 1);
    try {
      return await held(GOOD);
    } finally {
      found();
    }
  }

  it.each(['the booking is cancelled', 'cancel-pre-auth'] as const)(
    'is never placed, and ends Released with its key: %s',
    async (ending) => {
      const chargeId = await held(NEVER_ARRIVES);
      const askedMs = Date.now();
      const { json } = await endings[ending](chargeId);
      if (ending === 'cancel-pre-auth')
        expect([json.transaction.status, json.warnings]).toEqual(['Processing', WARNED]);
      await wakeFor(askedMs, ...UNTIL_THE_KEY_ENDS);
      expect(await statuses()).toEqual(['Processing']);
      await wakeFor(askedMs, 24.1, 25.2);
      expect([await statuses(), await moved()]).toEqual([['Released'], []]);
      expect((await endings['cancel-pre-auth'](chargeId)).status).toBe(200);
    },
  );

  it.each(['the booking is cancelled', 'cancel-pre-auth'] as const)(
    'is let go if it did arrive: %s',
    async (ending) => {
      const chargeId = await arrived();
      await outage();
      expect((await endings[ending](chargeId)).status).toBe(200);
      await resume();
      await wakeAt(reference, Date.now() + 2 * MINUTE_MS);
      expect(await statuses()).toEqual(['Released']);
      expect(await moved()).toEqual(['authorization succeeded', 'release succeeded']);
    },
  );

  it('is let go at once by the request that learns of it', async () => {
    const chargeId = await arrived();
    const { json } = await endings['cancel-pre-auth'](chargeId);
    expect([json.transaction.status, json.warnings]).toEqual(['Released', undefined]);
    expect(await moved()).toEqual(['authorization succeeded', 'release succeeded']);
  });
});

describe("a guest's payment", () => {
  async function paying(cardNumber: string) {
    await makeBooking(reference);
    const guest = await visit(reference);
    await enterCard(guest, cardNumber);
    await guest.submit({ amount: '600' });
    // The price is shown once more where the guest typed another amount than the page had.
    if (/name="agreedMinor"/.test(guest.page.html)) await guest.submit();
    return guest;
  }

  it('that was lost is not sent once the booking is cancelled, and ends Failed', async () => {
    await paying(NEVER_ARRIVES);
    const askedMs = Date.now();
    await save('cancelled');
    await wakeFor(askedMs, ...UNTIL_THE_KEY_ENDS, 24.1, 25.2);
    expect([await statuses(), await moved()]).toEqual([['Failed'], []]);
  });

  it.each([
    ['cancelled', ['cancelled']],
    ['cancelled and booked again', ['cancelled', 'booked']],
  ] as const)('is stopped at the bank in the step that the booking is %s', async (_, steps) => {
    const guest = await paying('4000002760003184');
    await toBank(guest);
    for (const status of steps) await save(status);
    expect(await statuses()).toEqual(['Declined']);
    await allow(guest);
    expect([await statuses(), await moved()]).toEqual([['Declined'], ['charge declined']]);
  });

  it('is stopped by the alarm where the acquirer could not be asked', async () => {
    await toBank(await paying('4000002760003184'));
    await outage();
    await save('cancelled');
    await save('booked');
    await resume();
    expect(await statuses()).toEqual(['Processing']);
    await wakeAt(reference, Date.now() + MINUTE_MS);
    expect(await statuses()).toEqual(['Declined']);
  });
});

describe('what outlives its booking', () => {
  it("is the property's own charge, though it was lost", async () => {
    await makeBooking(reference, NEVER_ARRIVES);
    await save('cancelled');
    await call('/payment/v1/create', { reference, amount: 200 });
    await wakeAt(reference, Date.now() + MINUTE_MS);
    expect([await statuses(), await moved()]).toEqual([['Accepted'], ['charge succeeded']]);
  });

  it('is a capture that was lost', async () => {
    await makeBooking(reference, GOOD);
    const expiryTime = iso(DUE_MS);
    const hold = { reference, amount: 600, preAuth: true, expiryTime };
    const { json } = await call('/payment/v1/create', hold);
    await outage();
    await call('/payment/v1/charge-pre-auth', { reference, chargeId: json.transaction.id });
    await save('cancelled');
    await resume();
    await wakeAt(reference, Date.now() + MINUTE_MS);
    expect(await statuses()).toEqual(['Accepted']);
  });

  it.each(['nothing more', 'a save of the cancelled booking'])(
    'is what the property kept, whatever it says later: %s',
    async (then) => {
      const property = `keeps-${made}`;
      const token = await makeProperty(property, { keepSchedulesOnCancellation: true });
      const as = { token };
      await makeBooking(reference, GOOD, as);
      await call('/payment/v1/schedule', { reference, amount: 200, time: iso(DUE_MS) }, as);
      const cancelled = bookingOf(reference, { status: 'cancelled' });
      await call('/booking/v1/create/manage-payments', cancelled, as);
      await makeProperty(property, { keepSchedulesOnCancellation: false });
      if (then !== 'nothing more') await call('/booking/v1/create/manage-payments', cancelled, as);
      await wakeAt(reference, DUE_MS, property);
      expect((await transactionsOf(reference, as)).map(({ status }) => status)).toEqual([
        'Accepted',
      ]);
    },
  );
});

describe('a charge that recovery makes again', () => {
  it('is not sent once the booking is cancelled', async () => {
    const story = await recoveryStory();
    await story.attach(LOST_CARD);
    const atMs = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + HOUR_MS;
    await story.schedule(atMs);
    await story.advance(atMs);
    const act = { action: 'outage', property: story.property, status: 503 };
    await callAsAdmin('/sandbox/v1/act', act);
    await story.attach(GOOD);
    await story.post('/booking/v1/create/manage-payments', {
      ...bookingOf(story.reference, { status: 'cancelled' }),
    });
    await callAsAdmin('/sandbox/v1/act', { ...act, action: 'resume' });
    await story.advance(atMs + 2 * DAY_MS);
    expect((await story.list()).map(({ status }) => status)).toEqual(['Declined', 'Failed']);
  });
});

/** What the audit trail says of a transaction's wishes. */
function auditOf(chargeId: number) {
  return testEnv.DB.prepare(
    `SELECT detail FROM ${AUDIT} WHERE subject = ? AND from_state = 'Processing' AND to_state = 'Processing'`,
  )
    .bind(`charge ${chargeId}`)
    .all();
}
