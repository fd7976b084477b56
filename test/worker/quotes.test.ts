/** What a payment would come to, before it is made: the quote, and charging it exactly. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import {
  atTime,
  attachCard,
  bookingOf,
  call,
  callAsAdmin,
  ledgerOf,
  makeBooking,
  makeProperty,
  transactionsOf,
} from '../support/api.ts';
import { AMEX, GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { setGuard } from '../support/guard.ts';
import { story } from '../support/story.ts';

story({ silent: ['news', 'pms'] });

const QUOTE = '/payment/v1/quote';
const CREATE = '/payment/v1/create';
const SAVE = '/booking/v1/create/manage-payments';

beforeEach(() => setGuard({ overchargeGuard: 'warn', duplicateWindowSeconds: 0 }));

const balance = { transactionType: 'Balance' };

const inTime = (ms: number) => new Date(Date.now() + ms).toISOString();

async function quoteOf(reference: string, amount: number, more: object = {}) {
  const { status, json } = await call(QUOTE, { reference, amount, ...more });
  expect([status, json.code]).toEqual([200, undefined]);
  return json.quote;
}

describe('a quote', () => {
  it('says what the charge would come to, and what would be due then', async () => {
    await makeBooking('Q-1', GOOD);
    expect(await quoteOf('Q-1', 150, balance)).toEqual({
      quoteId: expect.stringMatching(/^[\w-]+\.[\w-]+$/),
      amount: 154.64,
      creditCardFee: 4.64,
      transactionFee: 0,
      effectivePercent: 3.093,
      currency: 'AUD',
      rule: null,
      law: null,
      dueBefore: 600,
      dueAfter: 450,
      allowed: true,
      refusals: [],
      warnings: [],
      validUntil: expect.stringMatching(/\+08:00$/),
    });
  });

  it('writes nothing', async () => {
    await makeBooking('Q-2', GOOD);
    const spent = await used(() => quoteOf('Q-2', 150));
    expect(spent).toMatchObject({ rowsWritten: 0, objectHops: 0, gatewayCalls: 0 });
    expect(await transactionsOf('Q-2')).toEqual([]);
    expect(await ledgerOf('Q-2')).toEqual([]);
  });

  it.each([
    ['Bonds', { transactionType: 'Bond' }],
    ['holds', { preAuth: true, ...balance }],
  ])('leaves what is due as it is for %s', async (_what, more) => {
    await makeBooking('Q-3', GOOD);
    expect(await quoteOf('Q-3', 150, more)).toMatchObject({ dueBefore: 600, dueAfter: 600 });
  });

  it('counts a schedule as paid, and warns of what schedules warn of', async () => {
    await makeBooking('Q-4', GOOD);
    const time = '2028-10-01T00:00:00Z';
    const quote = await quoteOf('Q-4', 700, { ...balance, time });
    expect(quote).toMatchObject({ dueAfter: 0, warnings: ['exceeds_due'] });
  });

  it('tells why the booking’s state does not allow it', async () => {
    await setGuard({ overchargeGuard: 'refuse', duplicateWindowSeconds: 60 });
    await makeBooking('Q-5');
    expect(await quoteOf('Q-5', 10)).toMatchObject({
      allowed: false,
      refusals: [{ code: 'no_card', detail: expect.any(String) }],
    });
    await attachCard('Q-5', GOOD);
    const tooMuch = await quoteOf('Q-5', 601, balance);
    expect(tooMuch).toMatchObject({ allowed: false, amount: 619.59 });
    expect(tooMuch.refusals.map(({ code }) => code)).toEqual(['amount_exceeds_due']);
    await call(CREATE, { reference: 'Q-5', amount: 10 });
    const twin = await quoteOf('Q-5', 10);
    expect(twin.refusals.map(({ code }) => code)).toEqual(['possible_duplicate']);
    await call('/booking/v1/create/manage-payments', bookingOf('Q-5', { status: 'cancelled' }));
    const late = await quoteOf('Q-5', 10, { time: inTime(DAY_MS) });
    expect(late.refusals.map(({ code }) => code)).toEqual(['invalid_state']);
  });

  it('takes a described card before the booking’s, and a named one before both', async () => {
    const token = await makeProperty('branded', { cardFeeByBrand: { amex: 500, visa: 100 } });
    await makeBooking('Q-6', GOOD, { token });
    const amex = await attachCard('Q-6', AMEX, { token });
    await attachCard('Q-6', GOOD, { token });
    const feeOf = async (more: object) => {
      const { json } = await call(QUOTE, { reference: 'Q-6', amount: 100, ...more }, { token });
      return json.quote.creditCardFee;
    };
    expect(await feeOf({})).toBe(1.01);
    expect(await feeOf({ cardType: 'amex' })).toBe(5.26);
    expect(await feeOf({ cardType: 'visa', token: amex })).toBe(5.26);
    expect(await feeOf({ cardType: 'amex', isVirtualCard: true })).toBe(0);
  });

  it('needs no card of the booking for one that is described', async () => {
    await makeBooking('Q-7');
    expect(await quoteOf('Q-7', 100, { cardType: 'amex' })).toMatchObject({ allowed: true });
  });

  it('names the rule that fits, and the law', async () => {
    const token = await makeProperty('ruled', { country: 'GB', feeLaw: 'off' });
    const rules = [
      { brands: ['amex'], basisPoints: 100, method: 'add' },
      { brands: ['visa'], basisPoints: 200, method: 'add', transactionFee: 0.5 },
    ];
    await callAsAdmin('/admin/v1/fee-rules/put', { property: 'ruled', rules });
    await makeBooking('Q-8', GOOD, { token });
    const { json } = await call(QUOTE, { reference: 'Q-8', amount: 100 }, { token });
    expect(json.quote).toMatchObject({
      creditCardFee: 2,
      transactionFee: 0.5,
      effectivePercent: 2.5,
      rule: 1,
      law: { jurisdiction: 'GB', since: expect.any(String), source: expect.any(String) },
    });
  });

  it.each([
    ['an unknown booking', { reference: 'NOWHERE' }, 404, 'booking_not_found'],
    ['an unknown card', { token: 'f'.repeat(32) }, 404, 'token_not_found'],
    ['an amount of 0', { amount: 0 }, 422, 'amount_out_of_range'],
    ['an unknown brand', { cardType: 'gold' }, 422, 'validation_failed'],
    ['a time that has passed', { time: '2020-01-01T00:00:00Z' }, 422, 'time_in_past'],
  ])('is refused for %s', async (_what, change, status, code) => {
    await makeBooking('Q-9', GOOD);
    const answer = await call(QUOTE, { reference: 'Q-9', amount: 10, ...change });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });
});

describe('a charge by a quote', () => {
  const charge = (reference: string, quoteId: string, more: object = {}) =>
    call(CREATE, { reference, amount: 150, ...balance, quoteId, ...more });

  it('is made exactly as quoted, once', async () => {
    await makeBooking('U-1', GOOD);
    const { quoteId, amount } = await quoteOf('U-1', 150, balance);
    const first = await charge('U-1', quoteId);
    expect([first.status, first.json.transaction.amount]).toEqual([200, amount]);
    const again = await charge('U-1', quoteId);
    expect([again.status, again.json.code]).toEqual([409, 'quote_stale']);
    expect(await ledgerOf('U-1')).toHaveLength(1);
  });

  it('is made once by many at the same time, and by one whose card was declined', async () => {
    await makeBooking('U-2', GOOD);
    const { quoteId } = await quoteOf('U-2', 150, balance);
    const answers = await Promise.all(Array.from({ length: 5 }, () => charge('U-2', quoteId)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409,
    ]);
    await makeBooking('U-3', '4000000000009995');
    const declined = await quoteOf('U-3', 150, balance);
    expect((await charge('U-3', declined.quoteId)).status).toBe(402);
    expect((await charge('U-3', declined.quoteId)).json.code).toBe('quote_stale');
  });

  it('is answered again under its key', async () => {
    await makeBooking('U-4', GOOD);
    const { quoteId } = await quoteOf('U-4', 150, balance);
    const key = { headers: { 'Idempotency-Key': 'u-4' } };
    const body = { reference: 'U-4', amount: 150, ...balance, quoteId };
    const first = await call(CREATE, body, key);
    expect((await call(CREATE, body, key)).json).toEqual(first.json);
  });

  it.each<[string, (reference: string) => Promise<unknown>]>([
    ['the booking', (name) => call(SAVE, bookingOf(name, { totalCost: 700 }))],
    ['the card', (name) => attachCard(name, AMEX)],
    ['what is paid', (reference) => call(CREATE, { reference, amount: 1 })],
    ['the property', () => setGuard({ duplicateWindowSeconds: 1 })],
  ])('is refused when %s has changed', async (what, change) => {
    const reference = `U-5 ${what}`;
    await makeBooking(reference, GOOD);
    const { quoteId } = await quoteOf(reference, 150, balance);
    await change(reference);
    expect((await charge(reference, quoteId)).json.code).toBe('quote_stale');
  });

  it.each<[string, (reference: string) => Promise<unknown>]>([
    ['a booking is sent again', (name) => call(SAVE, bookingOf(name))],
    ['a guest has another name', (name) => call(SAVE, bookingOf(name, { lastName: 'Li' }))],
    ['a property is put again', () => setGuard({})],
  ])('still holds where %s: it rests on nothing of that', async (what, change) => {
    const reference = `U-13 ${what.length}`;
    await makeBooking(reference, GOOD);
    const { quoteId } = await quoteOf(reference, 150, balance);
    await change(reference);
    expect((await charge(reference, quoteId)).status).toBe(200);
  });

  it('may follow a change of the property that came before the quote', async () => {
    await makeBooking('U-10', GOOD);
    await call(CREATE, { reference: 'U-10', amount: 1 });
    await setGuard({ overchargeGuard: 'refuse' });
    const { quoteId } = await quoteOf('U-10', 150, balance);
    expect((await charge('U-10', quoteId)).status).toBe(200);
  });

  it('is stale when the booking had no card, and has one now', async () => {
    await makeBooking('U-11');
    const { quoteId } = await quoteOf('U-11', 150, balance);
    const token = await attachCard('U-11', GOOD);
    expect((await charge('U-11', quoteId)).json.code).toBe('quote_stale');
    expect((await charge('U-11', quoteId, { token })).json.code).toBe('quote_invalid');
  });

  it('is refused after fifteen minutes', async () => {
    await makeBooking('U-6', GOOD);
    const { quoteId } = await quoteOf('U-6', 150, balance);
    const late = await atTime(Date.now() + 15 * MINUTE_MS, () => charge('U-6', quoteId));
    expect([late.status, late.json.code]).toEqual([409, 'quote_stale']);
    const intime = await atTime(Date.now() + 14 * MINUTE_MS, () => charge('U-6', quoteId));
    expect(intime.status).toBe(200);
  });

  it.each<[string, object]>([
    ['amount', { amount: 151 }],
    ['type', { transactionType: 'Deposit' }],
    ['virtual flag', { isVirtualCard: true }],
    ['kind', { preAuth: true, expiryTime: '2026-12-01T00:00:00Z' }],
  ])('is refused for another %s', async (what, change) => {
    const reference = `U-7 ${what}`;
    await makeBooking(reference, GOOD);
    const { quoteId } = await quoteOf(reference, 150, balance);
    const more = 'preAuth' in change ? { ...change, expiryTime: inTime(DAY_MS) } : change;
    const { status, json } = await charge(reference, quoteId, more);
    expect([status, json.code]).toEqual([422, 'quote_invalid']);
  });

  it('is refused for another card, booking or property, and for what is no quote', async () => {
    const first = await makeBooking('U-8', GOOD);
    await makeBooking('U-9', GOOD);
    const other = await attachCard('U-8', AMEX);
    const { quoteId } = await quoteOf('U-8', 150, { ...balance, token: first });
    const token = await makeProperty('elsewhere');
    await makeBooking('U-8', GOOD, { token });
    const elsewhere = { reference: 'U-8', amount: 150, ...balance, quoteId };
    const answers = [
      await charge('U-8', quoteId, { token: other }),
      await charge('U-8', quoteId),
      await charge('U-9', quoteId),
      await call(CREATE, elsewhere, { token }),
      await charge('U-8', 'no-quote'),
      await charge('U-8', `${quoteId}x`),
    ];
    for (const { status, json } of answers) {
      expect([status, json.code]).toEqual([422, 'quote_invalid']);
    }
    expect((await charge('U-8', quoteId, { token: first })).status).toBe(200);
  });
});
