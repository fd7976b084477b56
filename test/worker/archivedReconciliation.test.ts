/** The acquirer's movements against archived bookings: what agrees leaves nothing, what is new brings the booking back. */
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import {
  inquireAtSandbox,
  newestPaid,
  sandboxDesk,
  tellOfDispute,
  tellOfPayment,
} from '../support/acquirerDesk.ts';
import { call, makeBooking, testEnv } from '../support/api.ts';
import { archived, rowsOf } from '../support/archived.ts';
import { GOOD, OTHER_GOOD } from '../support/cards.ts';
import { compare, exceptionsNow, sweepAtTime } from '../support/reconciliation.ts';
import { forgetMoney } from '../support/restore.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'news', 'pms', 'mails'], freshDatabase: true });

const CREATE = '/payment/v1/create';

/** A booking with a charge of 100. */
async function paid(reference: string) {
  await makeBooking(reference, GOOD);
  expect((await call(CREATE, { reference, amount: 100 })).status).toBe(200);
  return newestPaid(reference);
}

async function balanceOf(reference: string): Promise<unknown> {
  return (await call('/payment/v1/balance', { reference })).json['balance'];
}

async function disputesOf(reference: string): Promise<unknown> {
  return (await call('/dispute/v1/list', { reference })).json['disputes'];
}

describe('what agrees', () => {
  /** Every kind of movement. */
  async function everyKind(): Promise<void> {
    const disputed = await paid('ARC-1');
    await call('/refund/v1/create', { reference: 'ARC-1', amount: 30 });
    const disputeId = await sandboxDesk.dispute(disputed.payment);
    await tellOfDispute(disputed, disputeId);
    await call('/dispute/v1/submit', { disputeId });
    await sandboxDesk.closeDispute(disputed.payment, 'won');
    await tellOfDispute(disputed, disputeId);
    const returned = await paid('ARC-2');
    await sandboxDesk.failRefund(await sandboxDesk.refund(returned.payment, 3_000));
    await tellOfPayment(returned);
    await makeBooking('ARC-3', OTHER_GOOD);
    const expiryTime = new Date(Date.now() + HOUR_MS).toISOString();
    await call(CREATE, { reference: 'ARC-3', amount: 100, preAuth: true, expiryTime });
    const held = await newestPaid('ARC-3');
    await sandboxDesk.capture(held.payment, 6_000);
    await tellOfPayment(held);
  }

  it('leaves nothing, and stays in the archive', async () => {
    await everyKind();
    await compare();
    expect(await exceptionsNow()).toEqual([]);
    const before = await compare();
    expect(before).toEqual({ compared: 8, corrected: 0, exceptions: 0 });
    await archived(3);
    expect(await compare()).toEqual(before);
    await sweepAtTime(Date.now() + HOUR_MS);
    expect(await exceptionsNow()).toEqual([]);
    for (const reference of ['ARC-1', 'ARC-2', 'ARC-3']) expect(await rowsOf(reference)).toBe(0);
  });

  it('ends the exception that said it was not here', async () => {
    const { payment } = await paid('ARC-1');
    await testEnv.DB.prepare(
      "INSERT INTO exceptions (id, property_id, booking_reference, gateway, kind, subject, found_at_ms, status, detail) VALUES ('e-1', 'demo', 'ARC-1', 'sandbox', 'missing_here', ?, 1, 'open', 'not here')",
    )
      .bind(payment)
      .run();
    await archived();
    expect(await compare()).toEqual({ compared: 1, corrected: 0, exceptions: 0 });
    expect(await exceptionsNow({ status: 'open' })).toEqual([]);
    expect(await rowsOf('ARC-1')).toBe(0);
  });
});

describe('what is new at the acquirer', () => {
  it('is a refund: it is recorded, and only its booking comes back', async () => {
    const { payment } = await paid('ARC-1');
    await paid('ARC-2');
    await archived(2);
    await sandboxDesk.refund(payment, 3_000);
    expect(await compare()).toEqual({ compared: 3, corrected: 1, exceptions: 0 });
    expect(await balanceOf('ARC-1')).toMatchObject({ paid: 70, refunded: 30 });
    expect(await rowsOf('ARC-1')).toBeGreaterThan(5);
    expect(await rowsOf('ARC-2')).toBe(0);
    await archived();
    expect(await compare()).toEqual({ compared: 3, corrected: 0, exceptions: 0 });
    expect(await rowsOf('ARC-1')).toBe(0);
    expect(await exceptionsNow()).toEqual([]);
  });

  it('is a dispute: it is recorded', async () => {
    const { payment } = await paid('ARC-1');
    await archived();
    const disputeId = await sandboxDesk.dispute(payment);
    expect(await compare()).toEqual({ compared: 2, corrected: 1, exceptions: 0 });
    expect(await disputesOf('ARC-1')).toMatchObject([{ disputeId, status: 'needs_response' }]);
    expect(await exceptionsNow()).toEqual([]);
  });

  it('is an inquiry, which moves nothing: it is recorded', async () => {
    const { payment } = await paid('ARC-1');
    await paid('ARC-2');
    await archived(2);
    const disputeId = await inquireAtSandbox(payment);
    expect(await compare()).toEqual({ compared: 2, corrected: 1, exceptions: 0 });
    expect(await disputesOf('ARC-1')).toMatchObject([{ disputeId }]);
    expect(await rowsOf('ARC-2')).toBe(0);
  });

  it('is a payment that was lost before the booking was archived: it is taken over', async () => {
    await paid('ARC-1');
    await forgetMoney('ARC-1');
    await archived();
    expect(await compare()).toEqual({ compared: 1, corrected: 1, exceptions: 0 });
    expect(await balanceOf('ARC-1')).toMatchObject({ paid: 100 });
    expect(await exceptionsNow()).toEqual([]);
  });
});

it('a file that cannot be read holds up nothing else, and makes no exception', async () => {
  await paid('ARC-1');
  const { payment } = await paid('ARC-2');
  await archived(2);
  const { objects } = await testEnv.EXPORTS.list({ prefix: 'archive/demo/ARC-1/' });
  const key = objects[0]?.key ?? '';
  const file = await (await testEnv.EXPORTS.get(key))?.arrayBuffer();
  await testEnv.EXPORTS.delete(key);
  await sandboxDesk.refund(payment, 3_000);
  expect(await compare()).toEqual({ compared: 3, corrected: 1, exceptions: 0 });
  await testEnv.EXPORTS.put(key, file ?? '');
  expect(await compare()).toEqual({ compared: 3, corrected: 0, exceptions: 0 });
  expect(await exceptionsNow()).toEqual([]);
});
