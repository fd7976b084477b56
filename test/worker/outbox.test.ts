import { abortAllDurableObjects } from 'cloudflare:test';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bookingObject } from '../../src/booking/stub.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { PmsDispatcher } from '../../src/pms/outbox/object.ts';
import { pmsDispatchers, sweepOutbox } from '../../src/pms/outbox/stub.ts';
import {
  atTime,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  makeProperty,
  testEnv,
} from '../support/api.ts';
import { placesOf, spansOf, withFault } from '../support/faults.ts';
import {
  confirming,
  dispatchAlarm,
  dispatchersAt,
  dispatchUntil,
  down,
  PlayedPms,
  ring,
} from '../support/pms.ts';
import { refreshPayments } from '../support/refresh.ts';

/** Ahead of the real time, so that no alarm rings but when the test lets it. */
let T = Date.now() + 10 * DAY_MS;
let pms: PlayedPms;
let property: string;
let token: string;
let made = 0;

beforeEach(async () => {
  pms?.leave();
  T += DAY_MS;
  made += 1;
  property = `hotel-${made}`;
  pms = new PlayedPms(property);
  dispatchersAt(T);
  const details = { pms: pms.settings, cardFeeBasisPoints: 300 };
  token = await atTime(T, () => makeProperty(property, details));
});

afterAll(() => pms.leave());

const save = (reference: string, details: object = {}, atMs = T) =>
  atTime(atMs, () =>
    call('/booking/v1/create/manage-payments', bookingOf(reference, { ...details }), { token }),
  );
const dispatch = (forMs: number) => dispatchUntil(pms.url, T, T + forMs);
const listed = async (of: object = {}) =>
  (await callAsAdmin('/admin/v1/outbox/list', { property, ...of })).json.messages;
const card = (reference: string) =>
  atTime(T, () => attachCard(reference, '4242424242424242', { token }));
const pay = (path: string, body: object, atMs = T) =>
  atTime(atMs, () => call(path, body, { token }));

/** What a PMS tells of its rooms and rates. */
const roomsAndRates = {
  PropertyName: 'X',
  RoomTypes: [
    {
      RoomTypeCode: 'STD',
      RoomTypeName: 'Standard',
      RateTypes: [
        { RateTypeCode: 'BAR', RateTypeName: 'Best' },
        { RateTypeCode: 'LONG', RateTypeName: 'Long' },
      ],
    },
    {
      RoomTypeCode: 'DLX',
      RoomTypeName: 'Deluxe',
      RateTypes: [{ RateTypeCode: 'BAR', RateTypeName: 'Best' }],
    },
  ],
};

describe('a booking', () => {
  it('is told when it is made, changed and cancelled, in that order, with what the PMS calls it', async () => {
    pms.behave = (message) =>
      confirming(message, { PMSConfirmationNumber: 'PMS-77', PropertyData: roomsAndRates });
    await atTime(T, () => callAsAdmin('/admin/v1/pms/get-rooms-rates', { property }));
    pms.delivered.length = 0;
    const stay = {
      roomTypeCode: 'STD',
      rateTypeCode: 'BAR',
      startDate: '2027-02-14',
      endDate: '2027-02-17',
      adults: 2,
      amount: 600,
    };
    await save('RES-1', {
      firstName: 'Ann',
      phone: '+61 8 1234',
      source: 'Web',
      roomStays: [stay],
      eta: 'around 18:30',
      notes: 'Quiet room,\nplease',
      guest: {
        prefix: 'Ms',
        mobile: '+61 400 000 000',
        address: '1 High Street\nUnit 2',
        city: 'Perth',
        postCode: '6000',
        country: 'Australia',
      },
    });
    await save('RES-1', { lastName: 'Tran', guest: { city: 'Albany' } });
    await save('RES-1', { status: 'cancelled' });
    await save('RES-1', { status: 'cancelled' });
    await dispatch(MINUTE_MS);
    expect(pms.types()).toEqual(['PushBooking', 'PushModification', 'PushCancellation']);
    const [first, second, third] = pms.delivered.map(({ json }) => json);
    expect(first).toEqual({
      Authentication: {
        Username: 'pms',
        Password: expect.stringMatching(/^a-secret-of-the-pms-\d+$/),
      },
      MessageID: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      TimeStamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
      MessageType: 'PushBooking',
      BookingData: {
        Reference: 'RES-1',
        ChannelName: 'Web',
        ChannelID: property,
        Created: first?.TimeStamp,
        ArrivalDate: '2027-02-14',
        DepartureDate: '2027-02-17',
        ETA: 'around 18:30',
        Notes: 'Quiet room,\nplease',
        Guest: {
          Prefix: 'Ms',
          FirstName: 'Ann',
          MiddleNames: '',
          LastName: 'Nguyen',
          Suffix: '',
          Company: '',
          Phone: '+61 8 1234',
          Mobile: '+61 400 000 000',
          Fax: '',
          Email: 'guest@hotel.com',
          Address: '1 High Street\nUnit 2',
          City: 'Perth',
          State: '',
          PostCode: '6000',
          Country: 'Australia',
        },
        RoomStays: [
          {
            RoomTypeCode: 'STD',
            RoomTypeName: 'Standard',
            RateTypeCode: 'BAR',
            RateTypeName: 'Best',
            StartDate: '2027-02-14',
            EndDate: '2027-02-17',
            Adults: 2,
            Children: null,
            Amount: '600.00',
            Currency: 'AUD',
          },
        ],
      },
    });
    expect(second?.BookingData).toMatchObject({
      PMSConfirmationNumber: 'PMS-77',
      ETA: 'around 18:30',
      Guest: { LastName: 'Tran', Prefix: 'Ms', City: 'Albany' },
    });
    expect(third?.CancellationData).toEqual({
      Reference: 'RES-1',
      PMSConfirmationNumber: 'PMS-77',
    });
    const confirmed = await listed({ status: 'Confirmed' });
    expect(confirmed.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  });

  it('is never told with what another property’s PMS calls its own of the same reference', async () => {
    const other = await atTime(T, () => makeProperty(`another-${made}`, { pms: pms.settings }));
    pms.behave = (message) => confirming(message, { PMSConfirmationNumber: 'PMS-OTHER' });
    await atTime(T, () =>
      call('/booking/v1/create/manage-payments', bookingOf('RES-SAME'), { token: other }),
    );
    await dispatch(MINUTE_MS);
    pms.behave = (message) => confirming(message);
    await save('RES-SAME');
    await save('RES-SAME', { lastName: 'Tran' });
    await dispatch(MINUTE_MS);
    expect(pms.types()).toEqual(['PushBooking', 'PushBooking', 'PushModification']);
    expect(JSON.stringify(pms.delivered.at(-1)?.json)).not.toContain('PMS-OTHER');
  });

  it('of a property without a PMS is told to nobody', async () => {
    const other = await atTime(T, () => makeProperty(`${property}-none`));
    await atTime(T, () =>
      call('/booking/v1/create/manage-payments', bookingOf('RES-1'), { token: other }),
    );
    const { json } = await callAsAdmin('/admin/v1/outbox/list', { property: `${property}-none` });
    expect(json.messages).toEqual([]);
  });

  it('goes to the new address when the PMS moves', async () => {
    pms.behave = down;
    await save('RES-1');
    await dispatch(MINUTE_MS);
    const moved = new PlayedPms(`${property}-moved`);
    await atTime(T + 2 * MINUTE_MS, () => makeProperty(property, { pms: moved.settings }));
    await dispatchUntil(moved.url, T, T + HOUR_MS);
    expect(moved.types()).toEqual(['PushBooking']);
    moved.leave();
  });
});

describe('a PMS that renames a booking with every reply', () => {
  it('disturbs no operation on it', async () => {
    let number = 0;
    pms.behave = (message) => {
      number += 1;
      return confirming(message, { PMSConfirmationNumber: `PMS-${number}` });
    };
    await save('RES-1');
    await card('RES-1');
    const statuses: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const expiryTime = new Date(T + HOUR_MS).toISOString();
      const held = { reference: 'RES-1', amount: 10, preAuth: true, expiryTime };
      const [saved, charged, hold] = await Promise.all([
        save('RES-1', { lastName: `Guest ${round}` }),
        pay('/payment/v1/create', { reference: 'RES-1', amount: 10 }),
        pay('/payment/v1/create', held),
        dispatch(MINUTE_MS),
      ]);
      const chargeId = hold.json.transaction.id;
      const [captured, refunded] = await Promise.all([
        pay('/payment/v1/charge-pre-auth', { reference: 'RES-1', chargeId, amount: 5 }),
        pay('/refund/v1/create', { reference: 'RES-1', amount: 1 }),
        dispatch(MINUTE_MS),
      ]);
      for (const { status } of [saved, charged, hold, captured, refunded]) statuses.push(status);
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    await dispatch(MINUTE_MS);
    expect((await listed()).filter(({ status }) => status !== 'Confirmed')).toEqual([]);
    expect(number).toBeGreaterThan(32);
  });
});

describe('money', () => {
  it('is told once it is accepted: charge, capture, schedule, refund', async () => {
    await save('RES-1', { source: 'Web' });
    await card('RES-1');
    const charged = await pay('/payment/v1/create', {
      reference: 'RES-1',
      amount: 150,
      description: 'Deposit',
    });
    const { transaction } = charged.json;
    const held = await pay('/payment/v1/create', {
      reference: 'RES-1',
      amount: 100,
      preAuth: true,
      expiryTime: new Date(T + HOUR_MS).toISOString(),
    });
    await pay('/payment/v1/charge-pre-auth', {
      reference: 'RES-1',
      chargeId: held.json.transaction.id,
      amount: 50,
    });
    await pay('/payment/v1/schedule', {
      reference: 'RES-1',
      amount: 20,
      time: new Date(T + MINUTE_MS).toISOString(),
    });
    const address = { propertyId: property, reference: 'RES-1', requestId: 'test', actor: 'sweep' };
    await atTime(T + 2 * MINUTE_MS, () => bookingObject(testEnv, property, 'RES-1').wake(address));
    const refunded = await pay('/refund/v1/create', {
      reference: 'RES-1',
      chargeId: transaction.id,
      amount: 40,
    });
    await dispatch(HOUR_MS);
    const told = pms.transactions();
    expect(told).toHaveLength(4);
    expect(told[0]).toEqual({
      TransactionID: String(transaction.id),
      RelatedReference: 'RES-1',
      RelatedSource: 'Web',
      GatewayID: 'sandbox',
      GatewayReference: expect.any(String),
      CardMask: 'XXXXXXXXXXXX4242',
      CardType: 'visa',
      Type: 'Payment',
      Currency: 'AUD',
      CardFee: '4.64',
      TransactionFee: '0.00',
      AmountNet: '150.00',
      AmountGross: '154.64',
      ProcessedTime: expect.stringMatching(/\+08:00$/),
      Description: 'Deposit',
    });
    expect(told[1]).toMatchObject({ AmountNet: '50.00', AmountGross: '51.55', CardFee: '1.55' });
    expect(told.map(({ Type }) => Type)).toEqual(['Payment', 'Payment', 'Payment', 'Refund']);
    expect(told[3]).toMatchObject({
      TransactionID: String(refunded.json.refunds[0]?.id),
      AmountNet: '40.00',
      AmountGross: '40.00',
      CardFee: '0.00',
      CardMask: 'XXXXXXXXXXXX4242',
    });
  });

  it('that was not moved is not told: declines, failures, holds, schedules', async () => {
    await save('RES-1');
    await atTime(T, () => attachCard('RES-1', '4000000000000002', { token }));
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 10 });
    await atTime(T, () => attachCard('RES-1', '4000000000000119', { token }));
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 10 });
    await card('RES-1');
    const expiryTime = new Date(T + HOUR_MS).toISOString();
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 10, preAuth: true, expiryTime });
    await pay('/payment/v1/schedule', { reference: 'RES-1', amount: 10, time: expiryTime });
    await dispatch(MINUTE_MS);
    expect(pms.types()).toEqual(['PushBooking']);
  });

  it('that goes back and fails after all is told as a reversal, once', async () => {
    await save('RES-1');
    await card('RES-1');
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 10 });
    const refunded = await pay('/refund/v1/create', { reference: 'RES-1', amount: 4 });
    const id = refunded.json.refunds[0]?.id ?? 0;
    const failed = { action: 'failRefund', property, reference: 'RES-1', refundId: id };
    const acted = await callAsAdmin('/sandbox/v1/act', { ...failed, notify: false });
    expect(acted.status).toBe(200);
    for (let time = 0; time < 2; time += 1) {
      await atTime(T, () => refreshPayments('RES-1', property));
    }
    await dispatch(MINUTE_MS);
    const told = pms.transactions();
    expect(told).toHaveLength(3);
    expect(told[2]).toMatchObject({
      Type: 'Refund',
      AmountNet: '-4.00',
      AmountGross: '-4.00',
      Description: 'Reversal of failed refund',
      RelatedReference: 'RES-1',
    });
    expect(new Set(told.map(({ TransactionID }) => TransactionID)).size).toBe(3);
    // It can be refunded again.
    const again = await pay('/refund/v1/create', { reference: 'RES-1', amount: 10 });
    expect(again.status).toBe(200);
  });

  it('is told as SOAP to a property that wants it, and everything else as JSON', async () => {
    const settings = { ...pms.settings, transactionFormat: 'XML', namespace: 'urn:hotel:pms' };
    await atTime(T, () => makeProperty(property, { pms: settings }));
    pms.behave = (message) => {
      const id = /<MessageID>([^<]*)</.exec(message.text)?.[1];
      return message.contentType === 'application/json'
        ? confirming(message)
        : new Response(
            `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><r:TransactionNotifRS xmlns:r="urn:hotel:pms"><r:MessageID>${id}</r:MessageID><r:Status>Success</r:Status></r:TransactionNotifRS></s:Body></s:Envelope>`,
          );
    };
    await save('RES-1');
    await card('RES-1');
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 10, description: 'A & B <C>' });
    await dispatch(MINUTE_MS);
    expect(new Set(pms.delivered.map(({ sender }) => sender))).toEqual(
      new Set(['booking-payments/1']),
    );
    expect(pms.delivered.map(({ contentType }) => contentType)).toEqual([
      'application/json',
      'application/soap+xml; charset=utf-8',
    ]);
    expect(pms.delivered[1]?.text).toContain(
      '<TransactionNotifRQ xmlns="urn:hotel:pms"><Authentication><Username>pms<',
    );
    expect(pms.delivered[1]?.text).toContain('<Description>A &amp; B &lt;C&gt;</Description>');
    expect(await listed({ status: 'Confirmed' })).toHaveLength(2);
  });
});

const notConfirming: [string, Parameters<typeof behaveAs>[0], RegExp][] = [
  ['answers with HTML', () => new Response('<h1>Welcome</h1>'), /no readable JSON/],
  [
    'answers with another MessageID',
    () => Response.json({ Status: 'Success', MessageID: 'x' }),
    /another MessageID/,
  ],
  [
    'answers with an error',
    (it) => confirming(it, { Status: 'Error', ErrorMessage: 'No such room' }),
    /No such room/,
  ],
  [
    'says Success in a 404',
    (it) => Response.json({ MessageID: it.json.MessageID, Status: 'Success' }, { status: 404 }),
    /HTTP 404/,
  ],
  [
    'sends elsewhere',
    () => new Response(null, { status: 302, headers: { Location: 'http://127.0.0.1/' } }),
    /HTTP 302/,
  ],
  ['fails', () => new Response('', { status: 500 }), /HTTP 500/],
  ['cannot be reached', down, /connection refused/],
];

function behaveAs(behave: PlayedPms['behave']): void {
  pms.behave = behave;
}

describe('a message to a PMS that does not confirm', () => {
  it.each(notConfirming)('but %s is sent again, the same each time', async (_name, behave, why) => {
    behaveAs(behave);
    await save('RES-1');
    await dispatch(MINUTE_MS);
    expect(pms.delivered).toHaveLength(3);
    expect(new Set(pms.delivered.map(({ text }) => text)).size).toBe(1);
    const [message] = await listed();
    expect(message).toMatchObject({ status: 'Pending', attempts: 3 });
    expect(message?.lastError).toMatch(why);
    pms.behave = (it) => confirming(it);
    await dispatch(HOUR_MS);
    expect(pms.delivered).toHaveLength(4);
    expect(pms.delivered[3]?.text).toBe(pms.delivered[0]?.text);
    expect(await listed({ status: 'Confirmed' })).toHaveLength(1);
  });

  it('is sent again after each of the delays, then is dead', async () => {
    pms.behave = down;
    await save('RES-1');
    await dispatch(5 * DAY_MS);
    const delays = pms.delivered
      .slice(1)
      .map(({ atMs }, index) => atMs - (pms.delivered[index]?.atMs ?? 0));
    const asked = [
      5 * SECOND_MS,
      30 * SECOND_MS,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
    ];
    expect(delays).toHaveLength(asked.length);
    delays.forEach((delayMs, index) => {
      expect(delayMs).toBeGreaterThanOrEqual(asked[index] ?? 0);
      expect(delayMs).toBeLessThanOrEqual(1.1 * (asked[index] ?? 0) + 1);
    });
    expect(await listed()).toMatchObject([{ status: 'Dead', attempts: 11, nextAttemptAt: null }]);
    expect(await dispatchAlarm(pms.url)).toBeNull();
  });

  it('but refuses is sent again four times within 36 minutes, then is dead', async () => {
    pms.behave = (it) => confirming(it, { Status: 'Error' });
    await save('RES-1');
    await dispatch(5 * DAY_MS);
    const delays = pms.delivered
      .slice(1)
      .map(({ atMs }, index) => atMs - (pms.delivered[index]?.atMs ?? 0));
    const asked = [5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
    expect(delays).toHaveLength(asked.length);
    delays.forEach((delayMs, index) => {
      expect(delayMs).toBeGreaterThanOrEqual(asked[index] ?? 0);
      expect(delayMs).toBeLessThanOrEqual(1.1 * (asked[index] ?? 0) + 1);
    });
    expect(await listed()).toMatchObject([{ status: 'Dead', attempts: 5, nextAttemptAt: null }]);
  });

  it('keeps the long plan for outages between refusals', async () => {
    let number = 0;
    pms.behave = (it) => {
      number += 1;
      return number % 2 === 0 ? confirming(it, { Status: 'Error' }) : down(it);
    };
    await save('RES-1');
    await dispatch(5 * DAY_MS);
    expect(await listed()).toMatchObject([{ status: 'Dead', attempts: 10 }]);
  });

  it('waits as long as the PMS asks', async () => {
    pms.behave = () => new Response('', { status: 429, headers: { 'Retry-After': '3600' } });
    await save('RES-1');
    await dispatch(HOUR_MS + SECOND_MS);
    expect(pms.delivered).toHaveLength(2);
  });
});

describe('a dead message', () => {
  beforeEach(async () => {
    pms.behave = (it) =>
      it.json.BookingData?.Reference === 'BAD'
        ? confirming(it, { Status: 'Error' })
        : confirming(it);
    await save('BAD');
    await save('BAD', { lastName: 'Second' });
    await save('GOOD');
    await save('GOOD', { lastName: 'Second' });
    await dispatch(5 * DAY_MS);
  });

  it('holds back the later ones of its booking, and no other booking', async () => {
    expect(await listed({ reference: 'GOOD' })).toMatchObject([
      { status: 'Confirmed' },
      { status: 'Confirmed' },
    ]);
    expect(await listed({ reference: 'BAD' })).toMatchObject([
      { status: 'Dead' },
      { status: 'Pending', attempts: 0, nextAttemptAt: null },
    ]);
  });

  it.each([
    ['by its id', async () => ({ messageId: (await listed({ status: 'Dead' }))[0]?.messageId })],
    ['with all of its property', async () => ({ property, status: 'Dead' })],
  ])('is sent again %s, and then the later ones', async (_name, which) => {
    const first = pms.delivered.find(({ json }) => json.BookingData.Reference === 'BAD')?.text;
    pms.behave = (it) => confirming(it);
    pms.delivered.length = 0;
    const replayed = await atTime(T + 6 * DAY_MS, async () =>
      callAsAdmin('/admin/v1/outbox/replay', await which()),
    );
    expect(replayed.json).toEqual({ success: true, replayed: 1 });
    await dispatchUntil(pms.url, T + 6 * DAY_MS, T + 7 * DAY_MS);
    expect(pms.delivered[0]?.text).toBe(first);
    expect(pms.delivered.map(({ json }) => json.BookingData.Guest.LastName)).toEqual([
      'Nguyen',
      'Second',
    ]);
    expect(await listed({ status: 'Dead' })).toEqual([]);
  });

  it('gives way when it is dismissed, which can be said twice', async () => {
    pms.behave = (it) => confirming(it);
    pms.delivered.length = 0;
    const messageId = (await listed({ status: 'Dead' }))[0]?.messageId;
    for (let time = 0; time < 2; time += 1) {
      const dismissed = await atTime(T + 6 * DAY_MS, () =>
        callAsAdmin('/admin/v1/outbox/dismiss', { messageId }),
      );
      expect(dismissed.json).toEqual({ success: true });
    }
    await dispatchUntil(pms.url, T + 6 * DAY_MS, T + 7 * DAY_MS);
    expect(pms.delivered.map(({ json }) => json.BookingData.Guest.LastName)).toEqual(['Second']);
    expect(await listed({ reference: 'BAD' })).toMatchObject([
      { status: 'Dismissed' },
      { status: 'Confirmed' },
    ]);
    const replayed = await callAsAdmin('/admin/v1/outbox/replay', { messageId });
    expect([replayed.status, replayed.json.code]).toEqual([409, 'invalid_state']);
  });
});

describe('the order of a booking', () => {
  const refusing: PlayedPms['behave'] = (it) =>
    it.json.MessageType === 'PushTransaction'
      ? confirming(it)
      : confirming(it, { Status: 'Error', ErrorMessage: 'No such room' });

  it('lets money pass a message about the stay that the PMS refuses', async () => {
    pms.behave = refusing;
    await save('RES-1');
    await save('RES-1', { lastName: 'Tran' });
    await card('RES-1');
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 10 });
    await dispatch(SECOND_MS);
    expect(pms.types()).toEqual(['PushBooking', 'PushTransaction']);
    await dispatch(45 * MINUTE_MS);
    expect(await listed()).toMatchObject([
      { messageType: 'PushBooking', status: 'Dead' },
      { messageType: 'PushModification', status: 'Pending', attempts: 0, nextAttemptAt: null },
      { messageType: 'PushTransaction', status: 'Confirmed' },
    ]);
    // What is paid later passes it too.
    const at = T + 50 * MINUTE_MS;
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 11 }, at);
    await dispatchUntil(pms.url, at, at + SECOND_MS);
    expect(pms.transactions().map(({ AmountNet }) => AmountNet)).toEqual(['10.00', '11.00']);
  });

  it.each([
    ['an outage', down],
    ['a 500', () => new Response('', { status: 500 })],
    ['an answer about another message', () => Response.json({ Status: 'Error', MessageID: 'x' })],
  ] as [string, PlayedPms['behave']][])(
    'holds money back behind a stay that met %s',
    async (_name, behave) => {
      pms.behave = (it) =>
        it.json.MessageType === 'PushTransaction' ? confirming(it) : behave(it);
      await save('RES-1');
      await card('RES-1');
      await pay('/payment/v1/create', { reference: 'RES-1', amount: 10 });
      await dispatch(HOUR_MS);
      expect(new Set(pms.types())).toEqual(new Set(['PushBooking']));
      pms.behave = refusing;
      await dispatch(3 * HOUR_MS);
      expect(pms.transactions()).toHaveLength(1);
      expect(await listed({ status: 'Confirmed' })).toMatchObject([
        { messageType: 'PushTransaction' },
      ]);
    },
  );

  it('holds back money behind refused money, and the stay behind neither', async () => {
    pms.behave = (it) =>
      it.json.MessageType === 'PushTransaction'
        ? confirming(it, { Status: 'Error' })
        : confirming(it);
    await save('RES-1');
    await card('RES-1');
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 10 });
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 11 });
    await dispatch(MINUTE_MS);
    await save('RES-1', { lastName: 'Tran' }, T + MINUTE_MS);
    await dispatch(5 * DAY_MS);
    const statuses = (await listed()).map(({ messageType, status }) => `${messageType} ${status}`);
    expect(statuses).toEqual([
      'PushBooking Confirmed',
      'PushTransaction Dead',
      'PushTransaction Pending',
      'PushModification Confirmed',
    ]);
    expect(pms.transactions().map(({ AmountNet }) => AmountNet)).toEqual(Array(5).fill('10.00'));
    // Dismissed, it lets the later one go.
    pms.behave = (it) => confirming(it);
    const [dead] = await listed({ status: 'Dead' });
    const at = T + 6 * DAY_MS;
    await atTime(at, () => callAsAdmin('/admin/v1/outbox/dismiss', { messageId: dead?.messageId }));
    await dispatchUntil(pms.url, at, at + SECOND_MS);
    expect(pms.transactions().at(-1)).toMatchObject({ AmountNet: '11.00' });
  });

  it('keeps money behind a later change of the stay until that is answered', async () => {
    await save('RES-1');
    await card('RES-1');
    await dispatch(SECOND_MS);
    pms.behave = (it) => (it.json.MessageType === 'PushTransaction' ? confirming(it) : down(it));
    await save('RES-1', { lastName: 'Tran' });
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 10 });
    await dispatch(MINUTE_MS);
    expect(pms.transactions()).toEqual([]);
    pms.behave = (it) => confirming(it);
    await dispatch(HOUR_MS);
    expect(pms.types().slice(-2)).toEqual(['PushModification', 'PushTransaction']);
  });

  it('never sends two messages of one booking at once', async () => {
    let underWay = 0;
    let most = 0;
    pms.behave = async (it) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await scheduler.wait(5);
      underWay -= 1;
      return refusing(it);
    };
    await save('RES-1');
    await card('RES-1');
    for (const amount of [10, 11, 12]) {
      await pay('/payment/v1/create', { reference: 'RES-1', amount });
    }
    await dispatch(HOUR_MS);
    expect(most).toBe(1);
    expect(pms.transactions()).toHaveLength(3);
  });
});

describe('a booking that the PMS told itself', () => {
  const saveTheirs = (details: object = {}) => save('RES-1', { fromPms: true, ...details });

  it('is not told back; payments are, and the first save of this side is a modification', async () => {
    await saveTheirs();
    await saveTheirs({ lastName: 'Tran' });
    await card('RES-1');
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 10 });
    await dispatch(MINUTE_MS);
    expect(pms.types()).toEqual(['PushTransaction']);
    expect(pms.transactions()[0]).toMatchObject({ RelatedSource: property });
    await save('RES-1', { lastName: 'Tran' });
    await save('RES-1', { lastName: 'Tran' });
    await dispatch(MINUTE_MS);
    expect(pms.types()).toEqual(['PushTransaction', 'PushModification']);
    await saveTheirs({ lastName: 'Tran', status: 'cancelled' });
    await dispatch(MINUTE_MS);
    expect(pms.types()).toHaveLength(2);
  });

  it('is every one of a property that says so', async () => {
    const settings = { pms: pms.settings, bookingsFromPms: true, channelCode: 'WEB-7' };
    await atTime(T, () => makeProperty(property, settings));
    await save('RES-1');
    await save('RES-1', { lastName: 'Tran' });
    await card('RES-1');
    await pay('/payment/v1/create', { reference: 'RES-1', amount: 10 });
    await save('RES-1', { status: 'cancelled' });
    await dispatch(MINUTE_MS);
    expect(pms.types()).toEqual(['PushTransaction']);
    expect(pms.transactions()[0]).toMatchObject({ RelatedSource: 'WEB-7' });
  });
});

describe('a save that changes nothing', () => {
  it('is told to nobody', async () => {
    const details = { eta: '18:30', guest: { city: 'Perth' }, source: 'Web' };
    await save('RES-1', details);
    await save('RES-1', details);
    await save('RES-1');
    await dispatch(MINUTE_MS);
    expect(pms.types()).toEqual(['PushBooking']);
    await save('RES-1', { guest: { city: 'Albany' } });
    await dispatch(MINUTE_MS);
    expect(pms.types()).toEqual(['PushBooking', 'PushModification']);
  });
});

describe('a PMS that is down', () => {
  const reference = ({ json }: PlayedPms['delivered'][number]) => json.BookingData.Reference;

  it('is probed with one message at a time, each time another, which costs no tries', async () => {
    pms.behave = down;
    for (let booking = 0; booking < 12; booking += 1) await save(`RES-${booking}`);
    await dispatch(SECOND_MS);
    // As many as go out at once; then it is known to be down.
    expect(pms.delivered.length).toBeLessThanOrEqual(8);
    pms.delivered.length = 0;
    await dispatch(HOUR_MS);
    expect(pms.delivered.length).toBeGreaterThan(8);
    expect(pms.delivered.length).toBeLessThanOrEqual(12);
    const probed = pms.delivered.map(reference);
    expect(probed.slice(0, 3).filter((it, index) => probed[index + 1] === it)).toEqual([]);
    for (const { attempts } of await listed()) expect(attempts).toBeLessThanOrEqual(1);
    pms.behave = (it) => confirming(it);
    await dispatch(2 * HOUR_MS);
    expect(await listed({ status: 'Confirmed' })).toHaveLength(12);
  });

  it('does not stay down because of one booking that breaks it', async () => {
    pms.behave = (it) =>
      it.json.BookingData.Reference === 'POISON'
        ? new Response('', { status: 500 })
        : confirming(it);
    await save('POISON');
    await dispatch(50 * MINUTE_MS);
    const tries = pms.delivered.length;
    expect(tries).toBeGreaterThan(4);
    await save('RES-1', {}, T + 50 * MINUTE_MS);
    await dispatchUntil(pms.url, T + 50 * MINUTE_MS, T + 50 * MINUTE_MS + SECOND_MS);
    expect(await listed({ reference: 'RES-1' })).toMatchObject([{ status: 'Confirmed' }]);
  });

  it('is found again by a probe of another booking than the one that breaks it', async () => {
    pms.behave = down;
    for (const name of ['POISON', 'RES-1', 'RES-2', 'RES-3', 'RES-4', 'RES-5']) await save(name);
    await dispatch(MINUTE_MS);
    pms.behave = (it) =>
      it.json.BookingData.Reference === 'POISON'
        ? new Response('', { status: 500 })
        : confirming(it);
    await dispatch(HOUR_MS);
    expect(await listed({ status: 'Confirmed' })).toHaveLength(5);
  });

  it('is not thought down for answers with an error, however many', async () => {
    pms.behave = (it) => confirming(it, { Status: 'Error' });
    for (let booking = 0; booking < 10; booking += 1) await save(`RES-${booking}`);
    await dispatch(SECOND_MS);
    expect(pms.delivered).toHaveLength(10);
    for (const { attempts } of await listed()) expect(attempts).toBe(1);
  });

  it('is tried at once when ops ask, and everything goes out when it is up', async () => {
    pms.behave = down;
    for (let booking = 0; booking < 6; booking += 1) await save(`RES-${booking}`);
    await dispatch(30 * MINUTE_MS);
    pms.behave = (it) => confirming(it, { EchoData: it.json.EchoData });
    const at = T + 31 * MINUTE_MS;
    const pinged = await atTime(at, () => callAsAdmin('/admin/v1/pms/ping', { property }));
    expect(pinged.json).toMatchObject({ success: true, Status: 'Success' });
    await dispatchUntil(pms.url, at, at + SECOND_MS);
    expect(await listed({ status: 'Confirmed' })).toHaveLength(6);
  });

  it('is tried again soon when there is something new to tell, but not for each new message', async () => {
    pms.behave = down;
    for (let booking = 0; booking < 6; booking += 1) await save(`RES-${booking}`);
    await dispatch(30 * MINUTE_MS);
    const at = T + 31 * MINUTE_MS;
    dispatchersAt(at);
    pms.delivered.length = 0;
    for (let booking = 6; booking < 12; booking += 1) await save(`RES-${booking}`, {}, at);
    await dispatchUntil(pms.url, at, at + SECOND_MS);
    expect(pms.delivered).toHaveLength(1);
    await save('RES-12', {}, at);
    pms.behave = (it) => confirming(it);
    await dispatchUntil(pms.url, at, at + 20 * SECOND_MS);
    expect(await listed({ status: 'Confirmed' })).toHaveLength(13);
  });

  it('is not thought up for a message that could not even be sent', async () => {
    pms.behave = down;
    const shared = `${property}-shared`;
    const other = await atTime(T, () => makeProperty(shared, { pms: pms.settings }));
    await testEnv.DB.prepare(
      "UPDATE properties SET pms_password_sealed = 'gone', version = version + 1 WHERE id = ?",
    )
      .bind(shared)
      .run();
    const unsent = () =>
      call('/booking/v1/create/manage-payments', bookingOf('X'), { token: other });
    await atTime(T, unsent);
    for (let booking = 0; booking < 6; booking += 1) await save(`RES-${booking}`);
    await dispatch(10 * MINUTE_MS);
    expect(pms.delivered.length).toBeLessThanOrEqual(6 + 7);
    const { json } = await callAsAdmin('/admin/v1/outbox/list', { property: shared });
    expect(json.messages[0]?.lastError).toMatch(/credentials/);
    expect(json.messages[0]).toMatchObject({ status: 'Pending', attempts: 0 });
  });

  it('is remembered to be down through a restart', async () => {
    pms.behave = down;
    for (let booking = 0; booking < 6; booking += 1) await save(`RES-${booking}`);
    await dispatch(MINUTE_MS);
    await abortAllDurableObjects();
    pms.delivered.length = 0;
    await dispatch(3 * MINUTE_MS);
    expect(pms.delivered.length).toBeLessThanOrEqual(2);
  });
});

describe('a PMS that refuses the password of a property', () => {
  const warned: string[] = [];

  beforeEach(() => {
    warned.length = 0;
    vi.spyOn(console, 'warn').mockImplementation((line: string) => {
      if (line.includes('_credentials')) warned.push(line);
    });
  });

  /** It takes the messages of `others` alone. */
  const refusing = (status: number, others = '') => {
    pms.behave = (it) =>
      others !== '' && it.json.BookingData.Reference.startsWith(others)
        ? confirming(it)
        : confirming(it, { Status: 'Error', ErrorMessage: 'auth' }, status);
  };

  it.each([401, 403])(
    'by %i is probed like one that is down, which costs no tries',
    async (status) => {
      refusing(status);
      for (let booking = 0; booking < 12; booking += 1) await save(`RES-${booking}`);
      await dispatch(5 * HOUR_MS);
      // As many as go out at once, five more at most, and the probes of five hours.
      expect(pms.delivered.length).toBeLessThanOrEqual(8 + 5 + 40);
      const waiting = await listed();
      expect(waiting.map((one) => one.status)).toEqual(Array(12).fill('Pending'));
      for (const { attempts } of waiting) expect(attempts).toBeLessThanOrEqual(2);
      expect(warned).toEqual([
        expect.stringMatching(`"pms_refuses_credentials".*"property":"${property}"`),
      ]);
      pms.behave = (it) => confirming(it);
      const at = T + 5 * HOUR_MS;
      const { settings } = pms;
      await atTime(at, () => makeProperty(property, { pms: settings }));
      await dispatchUntil(pms.url, at, at + SECOND_MS);
      expect(await listed({ status: 'Confirmed' })).toHaveLength(12);
      expect(warned[1]).toMatch('"pms_accepts_credentials"');
    },
  );

  it('holds up no other property at the same address', async () => {
    refusing(401, 'OTHER');
    const neighbour = `${property}-next`;
    const other = await atTime(T, () => makeProperty(neighbour, { pms: pms.settings }));
    for (let booking = 0; booking < 60; booking += 1) await save(`RES-${booking}`);
    await dispatch(10 * MINUTE_MS);
    for (let later = 0; later < 3; later += 1) {
      const at = T + 15 * MINUTE_MS * (later + 1);
      const booking = bookingOf(`OTHER-${later}`);
      await atTime(at, () => call('/booking/v1/create/manage-payments', booking, { token: other }));
      await dispatchUntil(pms.url, at, at + SECOND_MS);
      const told = await listed({ property: neighbour, status: 'Confirmed' });
      expect(told).toHaveLength(later + 1);
    }
    const waiting = await listed({ limit: 200 });
    expect(waiting).toHaveLength(60);
    for (const { attempts, status } of waiting) {
      expect([status, attempts <= 2]).toEqual(['Pending', true]);
    }
  });

  it('of one booking alone is asked as often as one that does not answer', async () => {
    refusing(401);
    await save('RES-1');
    await dispatch(HOUR_MS);
    expect(await listed()).toMatchObject([{ status: 'Pending', attempts: 5 }]);
  });
});

describe('messages that are queued within 20 ms', () => {
  /** Holds back every pending notification; each function in `waiting` releases one. */
  function heldNotifications() {
    const waiting: (() => void)[] = [];
    const wait = vi.spyOn(scheduler, 'wait').mockImplementation(
      () =>
        new Promise<void>((resolve) => {
          waiting.push(resolve);
        }),
    );
    const notified: string[] = [];
    const notify = vi
      .spyOn(PmsDispatcher.prototype, 'notify')
      .mockImplementation(async (pmsUrl) => void notified.push(pmsUrl));
    const leave = () => {
      wait.mockRestore();
      notify.mockRestore();
    };
    return { waiting, notified, leave };
  }

  it('reach their dispatcher by one notification, which comes after all of them', async () => {
    const { waiting, notified, leave } = heldNotifications();
    try {
      const first = atTime(T, () => pmsDispatchers.notifyOfNew(testEnv, pms.url));
      await atTime(T + 19, () => pmsDispatchers.notifyOfNew(testEnv, pms.url));
      const other = atTime(T + 19, () => pmsDispatchers.notifyOfNew(testEnv, `${pms.url}/other`));
      expect([waiting.length, notified]).toEqual([2, []]);
      for (const go of waiting) go();
      await Promise.all([first, other]);
      // The two dispatchers are separate objects, so the order of their notifications is undefined.
      expect(notified.toSorted()).toEqual([pms.url, `${pms.url}/other`]);
    } finally {
      leave();
    }
  });

  it('cause another notification when the first one has gone, or was lost', async () => {
    const { waiting, notified, leave } = heldNotifications();
    try {
      const first = atTime(T, () => pmsDispatchers.notifyOfNew(testEnv, pms.url));
      waiting.pop()?.();
      await first;
      void atTime(T, () => pmsDispatchers.notifyOfNew(testEnv, pms.url));
      // That one never goes; twenty milliseconds later it no longer covers new messages.
      expect(waiting).toHaveLength(1);
      const third = atTime(T + 20, () => pmsDispatchers.notifyOfNew(testEnv, pms.url));
      waiting[1]?.();
      await third;
      expect(notified).toEqual([pms.url, pms.url]);
    } finally {
      leave();
    }
  });
});

describe('a crash', () => {
  it('between commit and dispatch loses nothing: the sweep finds what nobody was told of', async () => {
    await dispatch(SECOND_MS);
    const notify = vi.spyOn(PmsDispatcher.prototype, 'notify').mockRejectedValue(new Error('gone'));
    await save('RES-1');
    await dispatchAlarm(pms.url);
    notify.mockRestore();
    expect(await dispatchAlarm(pms.url)).toBeNull();
    const at = T + 2 * MINUTE_MS;
    dispatchersAt(at);
    await atTime(at, () => sweepOutbox(testEnv, at));
    await dispatchUntil(pms.url, at, at + SECOND_MS);
    expect(pms.types()).toEqual(['PushBooking']);
  });

  it.each(['crash before', 'crash after', 'fails', 'answer lost'] as const)(
    'at whichever boundary of a dispatch (%s) delivers at least once, the same message, in order',
    async (kind) => {
      await save('PROBE');
      await save('PROBE', { lastName: 'Second' });
      const crossed = await spansOf(() => atTime(T + MINUTE_MS, () => ring(pms.url)));
      const names = crossed.map(({ boundary }) => boundary);
      expect(names).toEqual(
        expect.arrayContaining(['d1.outbox.read', 'pms.send', 'd1.outbox.update']),
      );
      for (const { index, boundary } of placesOf(kind, crossed)) {
        pms.delivered.length = 0;
        const name = `RES-${index}`;
        await save(name);
        await save(name, { lastName: 'Second' });
        await withFault(index, kind, () => atTime(T + MINUTE_MS, () => ring(pms.url)));
        const at = T + 10 * MINUTE_MS;
        dispatchersAt(at);
        await atTime(at, () => sweepOutbox(testEnv, at));
        await dispatchUntil(pms.url, at, at + HOUR_MS);
        const told = pms.delivered.filter(({ json }) => json.BookingData.Reference === name);
        const order = [...new Map(told.map(({ json, text }) => [json.MessageID, text])).values()];
        const where = `${kind} at ${index} ${boundary}`;
        expect([where, order.length]).toEqual([where, 2]);
        expect([where, new Set(told.map(({ text }) => text)).size]).toEqual([where, 2]);
        expect(order[0]).toContain('PushBooking');
        expect([where, await listed({ reference: name, status: 'Confirmed' })]).toMatchObject([
          where,
          [{}, {}],
        ]);
      }
    },
  );
});

describe('what is stored', () => {
  it('holds no password in the clear, in no message and no property', async () => {
    await save('RES-1');
    await dispatch(MINUTE_MS);
    const { results: messages } = await testEnv.DB.prepare('SELECT * FROM outbox').all();
    const { results: properties } = await testEnv.DB.prepare('SELECT * FROM properties').all();
    expect(messages.length).toBeGreaterThan(0);
    expect(JSON.stringify([messages, properties])).not.toContain('a-secret-of-the-pms');
  });

  it('takes no change of a delivered message', async () => {
    await save('RES-1');
    await dispatch(MINUTE_MS);
    const change = (what: string) =>
      testEnv.DB.prepare(`UPDATE outbox SET ${what} WHERE property_id = ?`).bind(property).run();
    await expect(change("status = 'Pending'")).rejects.toThrow(/illegal_transition/);
    await expect(change("payload = '{}'")).rejects.toThrow(/fixed_column/);
  });
});

describe('the lists and errors of ops', () => {
  it('page through the outbox, oldest first', async () => {
    for (let booking = 0; booking < 5; booking += 1)
      await save(`RES-${booking}`, {}, T + booking * SECOND_MS);
    const first = await callAsAdmin('/admin/v1/outbox/list', { property, limit: 3 });
    expect(first.json.messages.map((it: { reference: string }) => it.reference)).toEqual([
      'RES-0',
      'RES-1',
      'RES-2',
    ]);
    const { nextCursor: cursor } = first.json;
    const second = await callAsAdmin('/admin/v1/outbox/list', { property, limit: 3, cursor });
    expect(second.json.messages.map((it: { reference: string }) => it.reference)).toEqual([
      'RES-3',
      'RES-4',
    ]);
    expect(second.json.nextCursor).toBeNull();
  });

  it.each([
    ['/admin/v1/outbox/list', { property: 'nowhere' }, 404, 'property_not_found'],
    ['/admin/v1/outbox/list', { status: 'Lost' }, 422, 'validation_failed'],
    ['/admin/v1/outbox/replay', {}, 422, 'validation_failed'],
    ['/admin/v1/outbox/replay', { property: 'nowhere', status: 'Dead' }, 404, 'property_not_found'],
    [
      '/admin/v1/outbox/replay',
      { messageId: '00000000-0000-7000-8000-000000000000' },
      404,
      'message_not_found',
    ],
    ['/admin/v1/outbox/dismiss', { messageId: 'nowhere' }, 404, 'message_not_found'],
    ['/admin/v1/client/list', { property: 'nowhere' }, 404, 'property_not_found'],
    ['/admin/v1/user/list', { property: 'nowhere' }, 404, 'property_not_found'],
    ['/admin/v1/pms/ping', { property: 'nowhere' }, 404, 'property_not_found'],
    ['/admin/v1/pms/get-rooms-rates', { property: 'nowhere' }, 404, 'property_not_found'],
  ])('%s %j is %i %s', async (path, body, status, code) => {
    const answer = await callAsAdmin(path, body);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });
});

describe('asking a PMS', () => {
  it('stores its rooms and rates', async () => {
    pms.behave = (it) => confirming(it, { PropertyData: roomsAndRates });
    const got = await callAsAdmin('/admin/v1/pms/get-rooms-rates', { property });
    expect(got.json).toEqual({ success: true, roomTypes: 2, rateTypes: 3 });
    expect(pms.types()).toEqual(['GetPropertyInfo']);
  });

  it.each([
    [
      '/admin/v1/pms/ping',
      (it: PlayedPms['delivered'][number]) => confirming(it, { EchoData: 'another' }),
    ],
    ['/admin/v1/pms/ping', down],
    [
      '/admin/v1/pms/get-rooms-rates',
      (it: PlayedPms['delivered'][number]) => confirming(it, { PropertyData: { RoomTypes: [{}] } }),
    ],
    ['/admin/v1/pms/get-rooms-rates', (it: PlayedPms['delivered'][number]) => confirming(it)],
  ])('%s is 502 when the request fails or the reply is invalid', async (path, behave) => {
    pms.behave = behave;
    const answer = await callAsAdmin(path, { property });
    expect([answer.status, answer.json.code]).toEqual([502, 'gateway_error']);
  });

  it.each([
    ['Network connection lost.', 'Network connection lost'],
    ['internal error; reference = 0123456789', 'the connection could not be opened'],
  ])('that fails with %j says where and why, in one sentence', async (message, reason) => {
    pms.behave = () => Promise.reject(new Error(message));
    const { json } = await callAsAdmin('/admin/v1/pms/ping', { property });
    const { host } = new URL(pms.url);
    expect(json.detail).toBe(`The request to the PMS at ${host} failed: ${reason}.`);
  });

  it('that is not there is 409', async () => {
    await makeProperty(`${property}-none`);
    const answer = await callAsAdmin('/admin/v1/pms/ping', { property: `${property}-none` });
    expect([answer.status, answer.json.code]).toEqual([409, 'invalid_state']);
  });
});
