import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, localDate } from '../../src/core/time.ts';
import { call, callAsAdmin, ledgerOf, makeBooking } from '../support/api.ts';
import { DECLINED, GOOD, LOST_CARD } from '../support/cards.ts';
import { ask, words } from '../support/console.ts';
import { enterCard, Guest } from '../support/guest.ts';
import { mailbox } from '../support/mailbox.ts';
import { type RecoveryStory, recoveryStory } from '../support/recovery.ts';
import { signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

const NOT_ACTIVE_YET = '4000000000007197';
const iso = (atMs: number) => new Date(atMs).toISOString();

/** Attaches a virtual card to the story's booking, and returns it as the answer shows it. */
async function attachVirtual(
  told: RecoveryStory,
  virtualCard: object,
  cardNumber = GOOD,
  headers: Record<string, string> = {},
) {
  const body = { reference: told.reference, cardNumber, cardExpiry: '12/2040', virtualCard };
  const { status, json } = await call('/payment/v1/tokenize', body, { ...told.options, headers });
  expect(status).toBe(200);
  return json.card as unknown as { token: string; virtualCard: Record<string, unknown> };
}

async function listed(told: RecoveryStory, filter: object = {}) {
  const { json } = await call('/card/v1/virtual/list', filter, told.options);
  return (json as unknown as { cards: Record<string, unknown>[] }).cards;
}

describe('a virtual card', () => {
  it('is charged in its time, up to its limit, without fees', async () => {
    const told = await recoveryStory({
      property: { cardFeeBasisPoints: 300 },
      booking: { totalCost: 900 },
    });
    const nowMs = await told.now();
    const activeFrom = iso(nowMs + DAY_MS);
    const activeUntil = iso(nowMs + 40 * DAY_MS);
    const channel = 'Agency';
    const card = await attachVirtual(told, { activeFrom, activeUntil, limit: 500, channel });
    expect(card.virtualCard).toMatchObject({ limit: 500, remaining: 500, channel });
    const early = await told.post('/payment/v1/create', { amount: 100 });
    expect([early.status, early.json.code]).toEqual([409, 'virtual_card_not_active']);
    expect(early.json).toHaveProperty('activeFrom');
    const soon = { amount: 100, time: iso(nowMs + HOUR_MS) };
    expect((await told.post('/payment/v1/schedule', soon)).json.code).toBe(
      'virtual_card_not_active',
    );
    const hold = { amount: 100, preAuth: true, expiryTime: iso(nowMs + 2 * DAY_MS) };
    expect((await told.post('/payment/v1/create', hold)).json.code).toBe('virtual_card_not_active');
    const quote = await told.post('/payment/v1/quote', { amount: 100 });
    expect(quote.json).toMatchObject({
      quote: { allowed: false, refusals: [{ code: 'virtual_card_not_active' }], creditCardFee: 0 },
    });
    await told.advance(nowMs + 2 * DAY_MS);
    const paid = await told.post('/payment/v1/create', { amount: 300 });
    expect(paid.json.transaction).toMatchObject({
      amount: 300,
      creditCardFee: 0,
      cardDetails: { virtualCard: { remaining: 200 } },
    });
    const more = await told.post('/payment/v1/create', { amount: 200.01 });
    expect([more.status, more.json.code]).toEqual([422, 'exceeds_virtual_card']);
    expect(more.json).toMatchObject({ remaining: 200 });
    expect(
      (await ledgerOf(told.reference)).filter(({ property }) => property === told.property),
    ).toHaveLength(1);
    const refund = { amount: 100, chargeId: paid.json.transaction.id };
    const given = await told.post('/refund/v1/create', refund);
    expect(given.json.refunds).toMatchObject([
      { cardDetails: { virtualCard: { remaining: 300 } } },
    ]);
    const details = await told.post('/booking/v1/get-details');
    expect(details.json.booking.payment).toMatchObject([{ virtualCard: { remaining: 300 } }]);
    expect(await told.list()).toMatchObject([
      {
        cardDetails: { virtualCard: { remaining: 300 } },
        refunds: [{ cardDetails: { virtualCard: { remaining: 300 } } }],
      },
    ]);
    await told.advance(nowMs + 41 * DAY_MS);
    const late = await told.post('/payment/v1/create', { amount: 10 });
    expect([late.status, late.json.code]).toEqual([409, 'virtual_card_ended']);
    expect(await told.events('card.')).toEqual([
      'card.attached',
      'card.virtual_active',
      'card.virtual_lapsing',
    ]);
  });

  it('holds what it holds, and gives it back', async () => {
    const told = await recoveryStory({ booking: { totalCost: 900 } });
    const nowMs = await told.now();
    await attachVirtual(told, { activeFrom: iso(nowMs - HOUR_MS), limit: 500 });
    const expiryTime = iso(nowMs + 2 * DAY_MS);
    const hold = await told.post('/payment/v1/create', { amount: 400, preAuth: true, expiryTime });
    expect(hold.json.transaction.cardDetails).toMatchObject({ virtualCard: { remaining: 100 } });
    const { id: chargeId } = hold.json.transaction;
    const captured = await told.post('/payment/v1/charge-pre-auth', { chargeId, amount: 250 });
    expect(captured.json.transaction.cardDetails).toMatchObject({
      virtualCard: { remaining: 250 },
    });
    const [card] = await listed(told);
    expect(card).toMatchObject({ taken: 250, remaining: 250, due: 650, state: 'chargeable' });
  });

  it('is declined without an attempt while it is fresh, each hour', async () => {
    const told = await recoveryStory();
    const nowMs = await told.now();
    const activeFromMs = nowMs + 10 * DAY_MS;
    await attachVirtual(told, { activeFrom: iso(activeFromMs) }, NOT_ACTIVE_YET);
    await told.schedule(activeFromMs + HOUR_MS, 100);
    await told.advance(activeFromMs + 2.5 * HOUR_MS);
    expect(await told.list()).toMatchObject([{ status: 'Pending', attempts: 0 }]);
    const tries = await ledgerOf(told.reference);
    expect(tries.filter(({ property }) => property === told.property)).toHaveLength(2);
    await told.advance(activeFromMs + 24.5 * HOUR_MS);
    expect(await told.list()).toMatchObject([{ status: 'Pending', attempts: 1 }]);
  });

  it('is attached once under one key', async () => {
    const told = await recoveryStory();
    const terms = { activeFrom: iso(await told.now()), autoCharge: true };
    const headers = { 'Idempotency-Key': 'virtual-1' };
    const first = await attachVirtual(told, terms, GOOD, headers);
    const again = await attachVirtual(told, terms, GOOD, headers);
    expect(again.token).toBe(first.token);
    expect(await listed(told)).toHaveLength(1);
    expect(await told.list()).toHaveLength(1);
  });

  it('is of a booking where it charges by itself', async () => {
    const told = await recoveryStory();
    const virtualCard = {
      activeFrom: iso(await told.now()),
      activeUntil: iso(0),
      autoCharge: true,
    };
    const body = { cardNumber: GOOD, cardExpiry: '12/2040', virtualCard };
    const { status, json } = await call('/payment/v1/tokenize', body, told.options);
    expect([status, json.errors?.map(({ field }) => field).toSorted()]).toEqual([
      422,
      ['virtualCard.activeUntil'],
    ]);
    const { activeUntil: _end, ...endless } = virtualCard;
    const loose = { ...body, virtualCard: endless };
    expect((await call('/payment/v1/tokenize', loose, told.options)).json.errors).toMatchObject([
      { field: 'reference' },
    ]);
  });
});

describe('what a virtual card charges by itself', () => {
  it('is scheduled for nine o’clock, follows the total, and is charged again for a rise', async () => {
    const told = await recoveryStory({ booking: { totalCost: 400 } });
    const nowMs = await told.now();
    const day = localDate(nowMs + 20 * DAY_MS, 'Australia/Perth');
    const nine = Date.parse(`${day}T09:00:00+08:00`);
    const activeFrom = `${day}T00:00:00+08:00`;
    await attachVirtual(told, { activeFrom, limit: 700, autoCharge: true });
    expect(await told.list()).toMatchObject([
      {
        status: 'Pending',
        amount: 400,
        scheduledTime: `${day}T09:00:00+08:00`,
        limitToDue: true,
      },
    ]);
    const saved = { arrival: '14-02-2028', departure: '17-02-2028', status: 'booked' };
    const guest = { email: told.email, lastName: 'Nguyen', firstNightCost: 100 };
    const save = (totalCost: number) =>
      told.post('/booking/v1/create/manage-payments', { ...saved, ...guest, totalCost });
    await save(500);
    expect(await told.list()).toMatchObject([{ status: 'Pending', amount: 500 }]);
    await told.advance(nine + HOUR_MS);
    expect(await told.list()).toMatchObject([
      { status: 'Accepted', amount: 500, cardDetails: { virtualCard: { remaining: 200 } } },
    ]);
    await save(800);
    await told.advance(nine + 2 * HOUR_MS);
    expect((await told.list()).map(({ amount, status }) => [amount, status])).toEqual([
      [500, 'Accepted'],
      [200, 'Accepted'],
    ]);
    await save(600);
    expect(await listed(told)).toMatchObject([{ state: 'refundable', taken: 700, due: 0 }]);
    expect(await listed(told, { state: 'charged' })).toEqual([]);
    expect(await listed(told, { state: 'refundable' })).toHaveLength(1);
  });

  it('is cancelled with its booking, and planned again if that is booked again', async () => {
    const told = await recoveryStory({ booking: { totalCost: 400 } });
    const activeFrom = iso((await told.now()) + 20 * DAY_MS);
    await attachVirtual(told, { activeFrom, autoCharge: true });
    const body = {
      arrival: '14-02-2028',
      departure: '17-02-2028',
      email: told.email,
      lastName: 'Nguyen',
      firstNightCost: 100,
      totalCost: 400,
    };
    const save = (status: string) =>
      told.post('/booking/v1/create/manage-payments', { ...body, status });
    await save('cancelled');
    expect((await told.list()).map(({ status }) => status)).toEqual(['Cancelled']);
    await save('booked');
    expect((await told.list()).map(({ status }) => status)).toEqual(['Cancelled', 'Pending']);
  });
});

describe('the recovery of a virtual card', () => {
  it.each([
    ['it is declined', LOST_CARD, { limit: 500 }],
    ['more is scheduled than is left', GOOD, { limit: 150 }],
  ])('asks the property, never the guest, where %s', async (_why, number, terms) => {
    const contact = { email: 'desk@hotel.example' };
    const told = await recoveryStory({ property: { contact } });
    const nowMs = await told.now();
    await attachVirtual(told, { activeFrom: iso(nowMs - HOUR_MS), ...terms }, number);
    await told.schedule(nowMs + DAY_MS, 100);
    await told.schedule(nowMs + DAY_MS + HOUR_MS, 100);
    await told.advance(nowMs + DAY_MS + 2 * HOUR_MS);
    expect((await told.list()).some(({ status }) => status === 'Declined')).toBe(true);
    const all = await mailbox();
    const asked = all.filter(({ subject }) => subject.includes('virtual card'));
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map(({ to }) => to))).toEqual(new Set([contact.email]));
    expect(asked[0]?.text).toContain('/console/booking?');
    expect(await told.mails()).toEqual([]);
    await callAsAdmin('/admin/v1/property/put', {
      property: told.property,
      contact: { email: `desk-${told.property}@hotel.example` },
    });
  });

  it.each([
    ['is not active yet', 30 * DAY_MS, {}, GOOD, 0],
    ['has ended', -HOUR_MS, { untilMs: DAY_MS }, GOOD, 0],
    ['has nothing left', -HOUR_MS, { limit: 100 }, GOOD, 100],
    ['ends before it is tried again', -3 * DAY_MS, { untilMs: 4 * DAY_MS }, DECLINED, 0],
  ] as const)(
    'asks the property for a part of a plan whose card %s',
    async (_why, fromMs, ends, number, paid) => {
      const contact = { email: 'parts@hotel.example' };
      const told = await recoveryStory({ property: { contact } });
      const nowMs = await told.now();
      const { untilMs, ...limit } = { untilMs: null, ...ends };
      const activeUntil = untilMs === null ? {} : { activeUntil: iso(nowMs + untilMs) };
      const terms = { activeFrom: iso(nowMs + fromMs), ...activeUntil, ...limit };
      await attachVirtual(told, terms, number);
      if (paid > 0) await told.post('/payment/v1/create', { amount: paid });
      const date = iso(nowMs + 3 * DAY_MS).slice(0, 10);
      await told.post('/payment-plan/v1/put', {
        terms: [{ amount: 200, due: { anchor: 'date', date } }],
      });
      const asked = async () =>
        (await mailbox()).filter(
          ({ subject, to }) => to === contact.email && subject.includes('virtual card'),
        ).length;
      const before = await asked();
      await told.advance(nowMs + 6 * DAY_MS);
      const part = (await told.list()).at(-1);
      expect(part).toMatchObject({ status: 'Declined', partId: 't1' });
      expect(await told.events('payment.declined')).toHaveLength(1);
      expect(await told.health()).toMatchObject([{ chargeId: part?.id, problem: 'declined' }]);
      expect(await asked()).toBeGreaterThan(before);
    },
  );

  it('leaves what was declined to the property where a guest adds a card', async () => {
    const told = await recoveryStory({ property: { contact: { email: 'desk-9@hotel.example' } } });
    const nowMs = await told.now();
    await attachVirtual(told, { activeFrom: iso(nowMs - HOUR_MS) }, LOST_CARD);
    await told.schedule(nowMs + HOUR_MS, 100);
    await told.advance(nowMs + 2 * HOUR_MS);
    const guest = new Guest();
    await guest.open((await told.post('/booking/v1/get-url')).json.url);
    expect(words(guest)).not.toContain('9987');
    await enterCard(guest, GOOD);
    await told.advance(nowMs + 4 * HOUR_MS);
    expect((await told.list()).map(({ status }) => status)).toEqual(['Declined']);
    const replaced = { reference: told.reference, cardNumber: GOOD, cardExpiry: '12/2040' };
    await call('/payment/v1/tokenize', replaced, told.options);
    expect(await told.list()).toMatchObject([
      { status: 'Declined' },
      { status: 'Accepted', amount: 100 },
    ]);
  });
});

describe('the console', () => {
  it('shows a virtual card on its booking, and in a list by its state, also as a file', async () => {
    await makeBooking('DESK-1');
    const virtualCard = { activeFrom: iso(Date.now() - HOUR_MS), limit: 480, channel: 'Agency' };
    const body = { reference: 'DESK-1', cardNumber: GOOD, cardExpiry: '12/2040', virtualCard };
    await call('/payment/v1/tokenize', body);
    const person = await signedIn('manager@demo.localhost');
    await person.open('/console/booking?property=demo&reference=DESK-1');
    expect(words(person)).toContain('virtual card of Agency');
    expect(words(person)).toContain('480.00 remains');
    expect(person.page.html).toMatch(/id="charge-amount"[^>]*value="480\.00"/);
    const charge = { do: 'charge', amount: '100', purpose: 'Balance', initiator: 'property' };
    await ask(person, 'DESK-1', charge);
    expect(words(person)).toContain('to Visa ···· 4242 (12/40) of Agency for Nguyen, DESK-1');
    await person.open('/console/virtual?property=demo&state=chargeable');
    expect(words(person)).toMatch(/DESK-1 Nguyen Agency Visa 4242 To charge/);
    await person.open('/console/virtual?property=demo&state=ended');
    expect(words(person)).toContain('There is no virtual card here.');
    await person.open('/console/virtual?property=demo&format=csv');
    expect(person.page.html).toContain('DESK-1');
  });
});
