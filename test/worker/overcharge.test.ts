/** What is due limits payments: the guard, `limitToDue`, duplicates, and guests who pay what is scheduled. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { selectLatestLike } from '../../src/money/payments/store.ts';
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
  transactionsOf,
} from '../support/api.ts';
import { ANSWER_LOST, GOOD } from '../support/cards.ts';
import { used } from '../support/counting.ts';
import { eventually } from '../support/eventually.ts';
import { breakSpan, loseAnswers, sweepAt } from '../support/faults.ts';
import { setGuard } from '../support/guard.ts';
import { enterCard, visit } from '../support/guest.ts';
import { signIn } from '../support/ops.ts';
import { planOf } from '../support/plans.ts';
import { holdNews, story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'] });

const CREATE = '/payment/v1/create';
const SCHEDULE = '/payment/v1/schedule';

beforeEach(() => setGuard({ overchargeGuard: 'warn', duplicateWindowSeconds: 0 }));

/** A booking of 600.00 with a card. */
const book = (reference: string) => makeBooking(reference, GOOD);

const pay = (reference: string, amount: number, more: object = {}) =>
  call(CREATE, { reference, amount, transactionType: 'Balance', ...more });

const inTime = (ms: number) => new Date(Date.now() + ms).toISOString();

async function statusesOf(reference: string): Promise<string[]> {
  return (await transactionsOf(reference)).map(({ status }) => status);
}

describe('the guard', () => {
  it('warns of a charge of more than is due, and repeats the warning with the answer', async () => {
    await book('G-1');
    expect((await pay('G-1', 600)).json.warnings).toBeUndefined();
    const key = { headers: { 'Idempotency-Key': 'g-1' } };
    const body = { reference: 'G-1', amount: 10, transactionType: 'Deposit' };
    const first = await call(CREATE, body, key);
    expect(first.json).toMatchObject({ success: true, warnings: ['exceeds_due'] });
    const again = await call(CREATE, body, key);
    expect(again.json).toEqual(first.json);
    expect(await statusesOf('G-1')).toEqual(['Accepted', 'Accepted']);
  });

  it('refuses it where the property says so, tells what is due, and charges nothing', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await book('G-2');
    expect((await pay('G-2', 450.5)).status).toBe(200);
    for (const more of [{}, { preAuth: true, expiryTime: inTime(DAY_MS) }]) {
      const { status, json } = await pay('G-2', 149.51, more);
      expect([status, json.code, json.due]).toEqual([422, 'amount_exceeds_due', 149.5]);
    }
    const planned = { reference: 'G-2', amount: 150, transactionType: 'Balance' };
    const schedule = await call(SCHEDULE, { ...planned, time: inTime(DAY_MS) });
    expect([schedule.status, schedule.json.code]).toEqual([422, 'amount_exceeds_due']);
    expect((await pay('G-2', 149.5)).status).toBe(200);
    expect((await pay('G-2', 0.01)).json.due).toBe(0);
    expect(await ledgerOf('G-2')).toHaveLength(2);
  });

  it('answers a refusal under a key again, whatever is due by then', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await book('G-3');
    const key = { headers: { 'Idempotency-Key': 'g-3' } };
    const body = { reference: 'G-3', amount: 700, transactionType: 'Balance' };
    const first = await call(CREATE, body, key);
    await call('/booking/v1/create/manage-payments', {
      ...bookingOf('G-3', { totalCost: 900 }),
    });
    expect((await call(CREATE, body, key)).json).toEqual(first.json);
    expect((await pay('G-3', 700)).status).toBe(200);
  });

  it('counts what is under way as if it were paid', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await makeBooking('G-4', ANSWER_LOST);
    expect((await pay('G-4', 400)).status).toBe(504);
    const { json } = await pay('G-4', 201);
    expect([json.code, json.due]).toEqual(['amount_exceeds_due', 200]);
  });

  it('knows what a refund gave back', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await book('G-5');
    await pay('G-5', 600);
    expect((await pay('G-5', 1)).status).toBe(422);
    await call('/refund/v1/create', { reference: 'G-5', amount: 100 });
    expect((await pay('G-5', 100.01)).json.due).toBe(100);
    expect((await pay('G-5', 100)).status).toBe(200);
  });

  it.each(['Manual', 'Bond'])('lets a %s pass', async (transactionType) => {
    await setGuard({ overchargeGuard: 'refuse' });
    await book(`G-${transactionType}`);
    const { status, json } = await pay(`G-${transactionType}`, 900, { transactionType });
    expect([status, json.warnings]).toEqual([200, undefined]);
  });

  it('refuses by what the property says now, not by what it said at the last payment', async () => {
    await setGuard({ overchargeGuard: 'refuse', duplicateWindowSeconds: 60 });
    await book('G-8');
    expect((await pay('G-8', 700)).status).toBe(422);
    await setGuard({ overchargeGuard: 'warn' });
    expect((await pay('G-8', 700)).json.warnings).toEqual(['exceeds_due']);
    expect((await pay('G-8', 700)).status).toBe(409);
    await setGuard({ duplicateWindowSeconds: 0 });
    expect((await pay('G-8', 700)).status).toBe(200);
  });

  it('knows what schedules took, and what disputes and refunds at the acquirer took back', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await book('G-9');
    await pay('G-9', 100);
    const time = inTime(HOUR_MS);
    await call(SCHEDULE, { reference: 'G-9', amount: 100, time });
    await sweepAt(Date.parse(time) + 2 * MINUTE_MS);
    expect((await pay('G-9', 401)).json.due).toBe(400);
    const [first] = await transactionsOf('G-9');
    const act = { property: 'demo', reference: 'G-9', chargeId: first?.id };
    for (const [action, due] of [
      ['dispute', 500],
      ['winDispute', 400],
      ['refund', 500],
    ]) {
      await callAsAdmin('/sandbox/v1/act', { ...act, action });
      await eventually(async () => expect((await pay('G-9', 501)).json.due).toBe(due));
    }
  });

  it('is told with the payment, not with its cancellation', async () => {
    await book('G-10');
    const body = { reference: 'G-10', amount: 700, transactionType: 'Balance' };
    const hold = await call(CREATE, { ...body, preAuth: true, expiryTime: inTime(DAY_MS) });
    const schedule = await call(SCHEDULE, { ...body, time: inTime(DAY_MS) });
    for (const [made, path] of [
      [hold, '/payment/v1/cancel-pre-auth'],
      [schedule, '/payment/v1/cancel-schedule'],
    ] as const) {
      expect(made.json.warnings).toEqual(['exceeds_due']);
      const chargeId = made.json.transaction.id;
      const cancelled = await call(path, { reference: 'G-10', chargeId });
      expect([cancelled.status, cancelled.json.warnings]).toEqual([200, undefined]);
    }
  });

  it('costs a charge that follows another no round trip to D1', async () => {
    holdNews();
    await setGuard({ overchargeGuard: 'refuse' });
    await book('G-6');
    await pay('G-6', 1);
    expect(await used(() => pay('G-6', 1))).toMatchObject({ objectHops: 1, d1: 2 });
  });

  it('is exact when many charges come at once', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await book('G-7');
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay('G-7', 200)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await ledgerOf('G-7')).toHaveLength(3);
  });
});

describe('limitToDue', () => {
  it('charges what is due, at most, and nothing when nothing is due', async () => {
    await book('L-1');
    await pay('L-1', 450.5);
    const { json } = await pay('L-1', 600, { limitToDue: true });
    expect(json.warnings).toBeUndefined();
    expect(json.transaction.amount - json.transaction.creditCardFee).toBeCloseTo(149.5);
    const none = await pay('L-1', 600, { limitToDue: true });
    expect([none.status, none.json.code, none.json.due]).toEqual([422, 'amount_exceeds_due', 0]);
  });

  it('limits nothing where the total is not known', async () => {
    await book('L-2');
    const unknown = bookingOf('L-2', { totalCost: 0, firstNightCost: 0 });
    await call('/booking/v1/create/manage-payments', unknown);
    const { json } = await pay('L-2', 600, { limitToDue: true });
    expect(json.transaction.amount).toBe(618.56);
  });

  it('charges a schedule with what is due when it fires', async () => {
    await book('L-3');
    const time = inTime(DAY_MS);
    const limited = { transactionType: 'Balance', limitToDue: true };
    await call(SCHEDULE, { reference: 'L-3', amount: 450, time, ...limited });
    await pay('L-3', 400);
    await sweepAt(Date.parse(time) + 2 * MINUTE_MS);
    const { json } = await call('/payment/v1/balance', { reference: 'L-3' });
    expect(json.balance).toMatchObject({ paid: 600, due: 0, overpaid: 0, scheduled: 0 });
    expect(await statusesOf('L-3')).toEqual(['Accepted', 'Accepted']);
    const audit = await callAsAdmin('/admin/v1/audit/list', { property: 'demo', reference: 'L-3' });
    expect(audit.json.entries.map(({ detail }) => detail)).toContain(
      'charge 206.19 in place of 463.92: less is due',
    );
  });

  it('cancels a schedule when nothing is due, and says why', async () => {
    await book('L-4');
    const time = inTime(DAY_MS);
    await call(SCHEDULE, { reference: 'L-4', amount: 450, time, limitToDue: true });
    await pay('L-4', 600);
    await sweepAt(Date.parse(time) + 2 * MINUTE_MS);
    expect(await statusesOf('L-4')).toEqual(['Cancelled', 'Accepted']);
    const { json } = await callAsAdmin('/admin/v1/audit/list', {
      property: 'demo',
      reference: 'L-4',
    });
    expect(json.entries).toContainEqual(
      expect.objectContaining({ to: 'Cancelled', detail: 'nothing due' }),
    );
  });
});

describe('a booking that was charged nearly three times its price', () => {
  it('is charged once where the property refuses more than is due', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await book('E-1');
    const time = inTime(HOUR_MS);
    const planned = { reference: 'E-1', amount: 450, transactionType: 'Balance', time };
    expect((await call(SCHEDULE, planned)).status).toBe(200);
    expect((await pay('E-1', 600)).status).toBe(200);
    expect((await pay('E-1', 600)).json.code).toBe('amount_exceeds_due');
    await sweepAt(Date.parse(time) + 2 * MINUTE_MS);
    expect(await statusesOf('E-1')).toEqual(['Cancelled', 'Accepted']);
    expect(await ledgerOf('E-1')).toHaveLength(1);
  });

  it('keeps its schedule while nobody knows of the payment, and tries it if that came to nothing', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await makeBooking('E-2', '4000000000009995');
    const time = inTime(HOUR_MS);
    const planned = { reference: 'E-2', amount: 450, transactionType: 'Balance', time };
    expect((await call(SCHEDULE, planned)).status).toBe(200);
    loseAnswers('gateway.charge', 1);
    expect((await pay('E-2', 600)).status).toBe(504);
    const mend = breakSpan('gateway.lookUp');
    await sweepAt(Date.parse(time) + 2 * MINUTE_MS);
    expect(await statusesOf('E-2')).toEqual(['Pending', 'Processing']);
    expect((await transactionsOf('E-2'))[0]?.attempts).toBe(0);
    mend();
    await sweepAt(Date.parse(time) + 2 * HOUR_MS);
    await sweepAt(Date.parse(time) + 3 * HOUR_MS);
    expect(await statusesOf('E-2')).toEqual(['Pending', 'Declined']);
    expect((await transactionsOf('E-2'))[0]?.attempts).toBeGreaterThan(0);
  });
});

describe('a payment like an earlier one', () => {
  it('is refused within the time, with the earlier one, unless it is wanted', async () => {
    await setGuard({ overchargeGuard: 'off', duplicateWindowSeconds: 60 });
    await book('D-1');
    const first = await pay('D-1', 10);
    const { status, json } = await pay('D-1', 10);
    expect([status, json.code]).toEqual([409, 'possible_duplicate']);
    expect(json.transaction).toEqual({ ...first.json.transaction, status: 'Accepted' });
    expect((await pay('D-1', 10, { allowDuplicate: true })).status).toBe(200);
    const key = { headers: { 'Idempotency-Key': 'd-1' } };
    const keyed = { reference: 'D-1', amount: 10, transactionType: 'Balance' };
    expect((await call(CREATE, keyed, key)).status).toBe(200);
    expect(await ledgerOf('D-1')).toHaveLength(3);
  });

  it('differs by amount, type, card or kind', async () => {
    await setGuard({ overchargeGuard: 'off', duplicateWindowSeconds: 60 });
    await book('D-2');
    await pay('D-2', 10);
    const other = await attachCard('D-2', '5555555555554444');
    const hold = { preAuth: true, expiryTime: inTime(DAY_MS) };
    for (const more of [
      { amount: 11 },
      { transactionType: 'Deposit' },
      { token: other },
      { ...hold, token: other },
    ]) {
      expect((await pay('D-2', 10, more)).status).toBe(200);
    }
    expect((await pay('D-2', 10, { ...hold, token: other })).json.code).toBe('possible_duplicate');
  });

  it('may follow one that was declined, or is older than the time', async () => {
    await setGuard({ duplicateWindowSeconds: 60 });
    await makeBooking('D-3', '4000000000009995');
    expect((await pay('D-3', 10)).status).toBe(402);
    expect((await pay('D-3', 10)).status).toBe(402);
    await book('D-4');
    await pay('D-4', 10);
    const later = await atTime(Date.now() + 61_000, () => pay('D-4', 10));
    expect(later.status).toBe(200);
  });

  it('is refused while the earlier one is under way, by the amount that was asked for', async () => {
    await setGuard({ duplicateWindowSeconds: 60 });
    await makeBooking('D-5', ANSWER_LOST);
    expect((await pay('D-5', 700, { limitToDue: true })).status).toBe(504);
    const { json } = await pay('D-5', 700, { transactionType: 'Balance' });
    expect([json.code, json.transaction?.status]).toEqual(['possible_duplicate', 'Processing']);
  });

  it('is compared by the amount of a hold, whatever part of it was charged', async () => {
    await setGuard({ overchargeGuard: 'off', duplicateWindowSeconds: 60 });
    await book('D-7');
    const hold = { preAuth: true, expiryTime: inTime(DAY_MS) };
    const { json } = await pay('D-7', 300, hold);
    const part = { reference: 'D-7', chargeId: json.transaction.id, amount: 100 };
    expect((await call('/payment/v1/charge-pre-auth', part)).status).toBe(200);
    expect((await pay('D-7', 300, hold)).json.code).toBe('possible_duplicate');
    expect((await pay('D-7', 100, hold)).status).toBe(200);
  });

  it('is looked for among the payments of its booking', async () => {
    const like = { kind: 'charge', purpose: 'Manual', askedMinor: 1, cardToken: 'x' } as const;
    const statement = selectLatestLike('demo', 'D-8', { ...like, sinceMs: Date.now() });
    expect(await planOf(statement)).toMatch(/^SEARCH transactions USING INTEGER PRIMARY KEY/);
  });

  it('is accepted once when fifty come at once', async () => {
    await setGuard({ overchargeGuard: 'off', duplicateWindowSeconds: 60 });
    await book('D-6');
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay('D-6', 600)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 409, 503].includes(status))).toBe(true);
    expect(await ledgerOf('D-6')).toHaveLength(1);
  });
});

describe('what is due when money moves', () => {
  const schedule = (reference: string, amount: number, more: object = {}) =>
    call(SCHEDULE, {
      reference,
      amount,
      time: inTime(DAY_MS),
      transactionType: 'Balance',
      ...more,
    });
  const fireAt = (days: number) => sweepAt(Date.now() + days * DAY_MS + 2 * MINUTE_MS);
  const taken = async (reference: string) =>
    (await ledgerOf(reference))
      .filter(({ kind }) => kind !== 'authorization')
      .map(({ amount }) => amount);

  it('is all that a schedule takes where the property refuses more', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await book('M-1');
    await schedule('M-1', 600);
    await pay('M-1', 500);
    await fireAt(1);
    // 500.00 and the 100.00 that are left, both at 3 %.
    expect(await taken('M-1')).toEqual([515.46, 103.09]);
  });

  it('puts a schedule off by a day, once, where the property is warned and nothing is due', async () => {
    await book('M-2');
    await schedule('M-2', 600);
    const { json } = await pay('M-2', 600);
    expect(json.warnings).toEqual(['scheduled_exceeds_due']);
    await fireAt(1);
    expect(await statusesOf('M-2')).toEqual(['Pending', 'Accepted']);
    const list = { reference: 'M-2', types: ['schedule.retrying'] };
    const { events } = (await call('/event/v1/list', list)).json as { events: unknown[] };
    expect(events).toMatchObject([{ data: { transaction: { status: 'Pending' } } }]);
    await fireAt(2.1);
    expect(await statusesOf('M-2')).toEqual(['Accepted', 'Accepted']);
  });

  it('is all that a capture takes where the property refuses more; the rest is let go', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await book('M-3');
    const hold = { preAuth: true, expiryTime: inTime(DAY_MS) };
    const [first, second] = [await pay('M-3', 600, hold), await pay('M-3', 600, hold)];
    await pay('M-3', 500);
    const capture = (of: typeof first) =>
      call('/payment/v1/charge-pre-auth', { reference: 'M-3', chargeId: of.json.transaction.id });
    const { status, json } = await capture(first);
    expect([status, json.transaction.amount]).toEqual([200, 103.09]);
    const refused = await capture(second);
    expect([refused.status, refused.json.code, refused.json.due]).toEqual([
      422,
      'amount_exceeds_due',
      0,
    ]);
    await setGuard({ overchargeGuard: 'warn' });
    expect((await capture(second)).json.warnings).toEqual(['exceeds_due']);
  });

  it('is not lowered by a hold that is being let go', async () => {
    await book('M-4');
    const hold = await pay('M-4', 600, { preAuth: true, expiryTime: inTime(5 * DAY_MS) });
    await schedule('M-4', 600, { limitToDue: true });
    const mend = loseAnswers('gateway.release', 1);
    const chargeId = hold.json.transaction.id;
    await call('/payment/v1/cancel-pre-auth', { reference: 'M-4', chargeId });
    mend();
    const { balance } = (await call('/payment/v1/balance', { reference: 'M-4' })).json;
    expect(balance).toMatchObject({ uncertain: 0, due: 600 });
    await fireAt(1);
    expect((await statusesOf('M-4'))[1]).toBe('Accepted');
  });

  it('is of the last total that was known, for a schedule that is limited to it', async () => {
    await book('M-5');
    await schedule('M-5', 600, { limitToDue: true });
    await pay('M-5', 400);
    await call('/booking/v1/create/manage-payments', bookingOf('M-5', { totalCost: 0 }));
    await fireAt(1);
    expect(await taken('M-5')).toEqual([412.37, 206.19]);
  });

  it('is warned of in a quote as in the payment, unless the property minds nothing', async () => {
    await book('M-6');
    await schedule('M-6', 600);
    const body = { reference: 'M-6', amount: 600, transactionType: 'Manual' };
    const quoted = async () =>
      ((await call('/payment/v1/quote', body)).json as { quote: object }).quote;
    expect(await quoted()).toMatchObject({ allowed: true, warnings: ['scheduled_exceeds_due'] });
    await setGuard({ overchargeGuard: 'off' });
    expect(await quoted()).toMatchObject({ warnings: [] });
  });

  it('stays nothing where a refund lowers the price, also as of then', async () => {
    await book('M-7');
    await pay('M-7', 600);
    const before = new Date().toISOString();
    await call('/refund/v1/create', { reference: 'M-7', amount: 100, waive: true });
    const balance = async (more: object = {}) =>
      (await call('/payment/v1/balance', { reference: 'M-7', ...more })).json.balance;
    const known = { paid: 500, refunded: 100, waived: 100, due: 0, overpaid: 0 };
    expect(await balance()).toMatchObject(known);
    expect(await balance({ asOf: before })).toMatchObject({ paid: 600, waived: 0, due: 0 });
    const { page } = await visit('M-7');
    expect(page.html).toMatch(/Price reduction<\/dt>\s*<dd[^>]*>−AUD\u00a0100\.00/);
    await call('/refund/v1/create', { reference: 'M-7', amount: 50 });
    expect(await balance()).toMatchObject({ paid: 450, waived: 100, due: 50 });
  });
});

describe('a guest who pays what is scheduled', () => {
  async function scheduled(reference: string, ...amounts: number[]): Promise<void> {
    await book(reference);
    for (const [index, amount] of amounts.entries()) {
      const time = inTime((index + 1) * DAY_MS);
      await call(SCHEDULE, { reference, amount, time, transactionType: 'Balance' });
    }
  }

  async function payOnPage(reference: string, amount: string, card = GOOD) {
    const guest = await visit(reference);
    await enterCard(guest, card);
    // Without the price that the page showed, the next one shows it.
    await guest.submit({ amount, agreedMinor: '' });
    return guest;
  }

  it('ends the latest schedules that are then too much and lowers the last, in the step that pays', async () => {
    await scheduled('P-1', 200, 200, 200);
    const guest = await payOnPage('P-1', '300');
    expect(guest.page.html).toContain('We then cancel');
    expect(guest.page.html).toContain('only AUD\u00a0100.00 is then charged automatically');
    expect(guest.page.html).toContain('AUD\u00a0300.00 will still be charged automatically');
    await guest.submit();
    expect(await statusesOf('P-1')).toEqual(['Pending', 'Pending', 'Cancelled', 'Accepted']);
    // 100.00 at 3 % in place of 200.00.
    expect((await transactionsOf('P-1'))[1]?.amount).toBe(103.09);
    const { json } = await callAsAdmin('/admin/v1/audit/list', {
      property: 'demo',
      reference: 'P-1',
    });
    const [paid] = (await transactionsOf('P-1')).filter(({ status }) => status === 'Accepted');
    const ended = json.entries.filter(({ detail }) => detail === `paid by charge ${paid?.id}`);
    expect(ended).toHaveLength(1);
    const lowered = `lowered to 103.09: paid in part by charge ${paid?.id}`;
    expect(json.entries.filter(({ detail }) => detail === lowered)).toHaveLength(1);
    await sweepAt(Date.now() + DAY_MS + 2 * MINUTE_MS);
    await sweepAt(Date.now() + 2 * DAY_MS + 2 * MINUTE_MS);
    expect((await call('/payment/v1/balance', { reference: 'P-1' })).json.balance).toMatchObject({
      paid: 600,
      overpaid: 0,
    });
  });

  it('ends a hundred schedules in the step that pays, and the others when they would fire', async () => {
    await scheduled('P-9', ...Array.from({ length: 103 }, () => 5));
    const guest = await payOnPage('P-9', '600');
    await guest.submit();
    const countOf = async (wanted: string) =>
      (await statusesOf('P-9')).filter((status) => status === wanted).length;
    expect([await countOf('Cancelled'), await countOf('Pending')]).toEqual([100, 3]);
    await sweepAt(Date.now() + 2 * MINUTE_MS);
    expect([await countOf('Cancelled'), await countOf('Pending')]).toEqual([103, 0]);
    expect(await ledgerOf('P-9')).toHaveLength(1);
    const [paid] = (await transactionsOf('P-9')).filter(({ status }) => status === 'Accepted');
    const ended = testEnv.DB.prepare('SELECT count(*) AS entries FROM history WHERE detail = ?');
    expect(await ended.bind(`paid by charge ${paid?.id}`).first('entries')).toBe(103);
  });

  it('lowers the schedule that they pay a little of', async () => {
    await scheduled('P-8', 600);
    const guest = await payOnPage('P-8', '1');
    expect(guest.page.html).not.toContain('We then cancel');
    await guest.submit();
    expect(await statusesOf('P-8')).toEqual(['Pending', 'Accepted']);
    expect((await transactionsOf('P-8'))[0]?.amount).toBe(617.53);
    await sweepAt(Date.now() + DAY_MS + 2 * MINUTE_MS);
    expect((await call('/payment/v1/balance', { reference: 'P-8' })).json.balance).toMatchObject({
      paid: 600,
      overpaid: 0,
    });
  });

  it('ends none when the card is declined', async () => {
    await scheduled('P-2', 600);
    const guest = await payOnPage('P-2', '600', '4000000000009995');
    await guest.submit();
    expect(await statusesOf('P-2')).toEqual(['Pending', 'Declined']);
    await sweepAt(Date.now() + DAY_MS + HOUR_MS);
    expect((await transactionsOf('P-2'))[0]?.attempts).toBe(1);
  });

  it('is not charged by the schedule while nobody knows of the payment, nor after it was found', async () => {
    await scheduled('P-3', 600);
    const guest = await payOnPage('P-3', '600', ANSWER_LOST);
    // The page asks the acquirer at once.
    const mend = breakSpan('gateway.lookUp');
    await guest.submit();
    expect(await statusesOf('P-3')).toEqual(['Pending', 'Processing']);
    await sweepAt(Date.now() + DAY_MS + 2 * MINUTE_MS);
    expect(await statusesOf('P-3')).toEqual(['Pending', 'Processing']);
    mend();
    await sweepAt(Date.now() + DAY_MS + 3 * HOUR_MS);
    await sweepAt(Date.now() + DAY_MS + 4 * HOUR_MS);
    expect(await statusesOf('P-3')).toEqual(['Cancelled', 'Accepted']);
    expect(await ledgerOf('P-3')).toHaveLength(1);
  });

  it('is not charged twice where two payments are instead of one schedule, and the first is found', async () => {
    const token = await book('P-6');
    for (const days of [1, 2]) {
      const time = inTime(days * DAY_MS);
      await call(SCHEDULE, { reference: 'P-6', amount: 300, time, token });
    }
    const first = await payOnPage('P-6', '300', ANSWER_LOST);
    const mend = breakSpan('gateway.lookUp');
    await first.submit();
    const second = await payOnPage('P-6', '300', '4000000000009995');
    await second.submit();
    expect(await statusesOf('P-6')).toEqual(['Pending', 'Pending', 'Processing', 'Declined']);
    await sweepAt(Date.now() + 2 * DAY_MS + 2 * MINUTE_MS);
    expect((await statusesOf('P-6'))[1]).toBe('Pending');
    mend();
    await sweepAt(Date.now() + 2 * DAY_MS + 3 * HOUR_MS);
    await sweepAt(Date.now() + 2 * DAY_MS + 4 * HOUR_MS);
    expect(await statusesOf('P-6')).toEqual(['Accepted', 'Cancelled', 'Accepted', 'Declined']);
    expect((await call('/payment/v1/balance', { reference: 'P-6' })).json.balance).toMatchObject({
      paid: 600,
      overpaid: 0,
    });
  });

  it('may pay all that is due while a hold is being made, which takes nothing', async () => {
    await setGuard({ overchargeGuard: 'refuse' });
    await book('P-7');
    const mend = loseAnswers('gateway.authorize', 1);
    await pay('P-7', 500, { preAuth: true, expiryTime: inTime(DAY_MS) });
    mend();
    const guest = await payOnPage('P-7', '600');
    await guest.submit();
    expect(await statusesOf('P-7')).toEqual(['Processing', 'Accepted']);
  });

  it('sees what is paid beyond the price', async () => {
    await book('P-5');
    await pay('P-5', 650, { transactionType: 'Manual' });
    const { page } = await visit('P-5');
    expect(page.html).toMatch(/Overpaid<\/dt>\s*<dd[^>]*>AUD\u00a050\.00/);
  });

  it('is asked again when the schedules changed since the page showed them', async () => {
    await scheduled('P-4', 300);
    const guest = await payOnPage('P-4', '600');
    await call('/payment/v1/cancel-schedules', { reference: 'P-4' });
    await guest.submit();
    expect(guest.page.html).toContain('Your booking or its price has changed');
    expect(await statusesOf('P-4')).toEqual(['Cancelled']);
  });
});

describe('the operations page', () => {
  it('lists the payments that were made with a warning', async () => {
    await book('O-1');
    await pay('O-1', 700);
    const { page } = await signIn();
    const [, after = ''] = page.html.split('id="warned"');
    expect(after).toMatch(/O-1[\s\S]{1,300}AUD\u00a0721\.65[\s\S]{1,100}more than was due/);
  });
});

describe('a property of its own', () => {
  it('has no guard but the warning unless it says so', async () => {
    const token = await makeProperty('plain');
    await makeBooking('W-1', GOOD, { token });
    const body = { reference: 'W-1', amount: 700, transactionType: 'Balance' };
    expect((await call(CREATE, body, { token })).json.warnings).toEqual(['exceeds_due']);
  });
});
