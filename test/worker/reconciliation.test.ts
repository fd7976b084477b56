/** The acquirer's movements against the journal: what agrees, what is corrected, what stays as an exception. */
import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { SandboxGateway, sandboxAcquirer } from '../../src/gateways/sandbox/gateway.ts';
import {
  call,
  callAsAdmin,
  freshDatabase,
  makeBooking,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import {
  askToCompare,
  atDesk,
  compare,
  exceptionsNow,
  journalNow,
  recordsNow,
  sweepAtTime,
} from '../support/reconciliation.ts';

const GOOD = '4242424242424242';
const ANSWER_LOST = '4000000000009003';
const CREATE = '/payment/v1/create';

beforeEach(freshDatabase);

async function cardOf(reference: string): Promise<string> {
  const row = await testEnv.DB.prepare(
    'SELECT gateway_token FROM cards WHERE booking_reference = ? ORDER BY rowid DESC LIMIT 1',
  )
    .bind(reference)
    .first<{ gateway_token: string }>();
  return row?.gateway_token ?? '';
}

async function chargeAtDesk(reference: string, propertyId = 'demo'): Promise<void> {
  const gatewayToken = await cardOf(reference);
  const money = { amountMinor: 4_200, currency: 'AUD' };
  await atDesk({ action: 'charge', propertyId, gatewayToken, ...money });
}

/** Makes the acquirer forget all that it recorded. */
function forgetLedger(): Promise<void> {
  return runInDurableObject(sandboxAcquirer(testEnv), (_, { storage }) => {
    storage.sql.exec('DELETE FROM operations');
  });
}

describe('what agrees', () => {
  it('leaves nothing but the mark that the acquirer has it', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    await call('/refund/v1/create', { reference: 'RES-1', amount: 30 });
    const expiryTime = new Date(Date.now() + HOUR_MS).toISOString();
    await call(CREATE, { reference: 'RES-1', amount: 50, preAuth: true, expiryTime });
    const held = (await transactionsOf('RES-1')).find(({ preAuth }) => preAuth);
    await call('/payment/v1/charge-pre-auth', {
      reference: 'RES-1',
      chargeId: held?.id,
      amount: 20,
    });
    expect(await journalNow()).toEqual({ rows: 3, reconciled: 0 });
    expect(await compare()).toEqual({ compared: 3, corrected: 0, exceptions: 0 });
    expect(await journalNow()).toEqual({ rows: 3, reconciled: 3 });
    expect(await exceptionsNow()).toEqual([]);
  });

  it('changes nothing when it is compared again', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    await chargeAtDesk('RES-1');
    expect(await compare()).toEqual({ compared: 2, corrected: 0, exceptions: 1 });
    const before = await recordsNow();
    expect(await compare()).toEqual({ compared: 2, corrected: 0, exceptions: 0 });
    expect(await recordsNow()).toEqual(before);
  });
});

describe('what is certain', () => {
  it('is corrected: a charge whose answer was lost', async () => {
    await makeBooking('RES-1', ANSWER_LOST);
    expect((await call(CREATE, { reference: 'RES-1', amount: 100 })).status).toBe(504);
    expect(await compare()).toEqual({ compared: 1, corrected: 1, exceptions: 0 });
    expect(await transactionsOf('RES-1')).toMatchObject([{ status: 'Accepted' }]);
    expect(await journalNow()).toEqual({ rows: 1, reconciled: 1 });
  });
});

describe('an exception', () => {
  it('is a payment that this service did not make, told once and of its own property', async () => {
    await makeProperty('other');
    await makeBooking('RES-1', GOOD);
    await chargeAtDesk('RES-1');
    expect(await compare('other')).toEqual({ compared: 0, corrected: 0, exceptions: 0 });
    expect(await compare()).toEqual({ compared: 1, corrected: 0, exceptions: 1 });
    expect(await exceptionsNow({ property: 'demo', status: 'open' })).toMatchObject([
      {
        property: 'demo',
        reference: null,
        kind: 'unknown_payment',
        ours: null,
        theirs: { status: 'taken', amount: 42, currency: 'AUD' },
        status: 'open',
        resolution: null,
        resolvedAt: null,
      },
    ]);
  });

  it('is a payment of a booking that is not here', async () => {
    await makeBooking('RES-1', GOOD);
    await new SandboxGateway(testEnv).charge({
      idempotencyKey: 'somewhere-else-1',
      propertyId: 'demo',
      bookingReference: 'RES-9',
      reference: 'somewhere-else',
      amountMinor: 700,
      currency: 'AUD',
      gatewayToken: await cardOf('RES-1'),
      description: '',
      statementName: '',
      askedAtMs: Date.now(),
    });
    expect(await compare()).toEqual({ compared: 1, corrected: 0, exceptions: 1 });
    expect(await exceptionsNow()).toMatchObject([
      { property: 'demo', reference: 'RES-9', kind: 'missing_here', theirs: { amount: 7 } },
    ]);
  });

  it('is a charge that the acquirer has not, and is closed when it has', async () => {
    await makeBooking('RES-1', GOOD);
    await call(CREATE, { reference: 'RES-1', amount: 100 });
    const row = await testEnv.DB.prepare('SELECT gateway_reference FROM journal').first<{
      gateway_reference: string;
    }>();
    const movements = vi.spyOn(SandboxGateway.prototype, 'movements');
    const payment = vi.spyOn(SandboxGateway.prototype, 'payment');
    movements.mockResolvedValue({ kind: 'page', movements: [], nextCursor: null });
    payment.mockResolvedValue({ kind: 'absent' });
    await settled();
    expect(await compare()).toEqual({ compared: 0, corrected: 0, exceptions: 1 });
    movements.mockRestore();
    payment.mockRestore();
    expect(await exceptionsNow()).toMatchObject([
      {
        reference: 'RES-1',
        kind: 'missing_there',
        ours: { status: 'charge', amount: 100 },
        theirs: null,
        status: 'open',
      },
    ]);
    expect(row?.gateway_reference).toBeTruthy();
    await compare();
    expect(await exceptionsNow()).toMatchObject([{ status: 'closed', resolution: 'corrected' }]);
  });
});

/** Lets the journal's rows be old enough to be looked for. */
async function settled(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * MINUTE_MS });
  vi.useRealTimers();
  await testEnv.DB.prepare('SELECT 1').first();
}

void [askToCompare, callAsAdmin, forgetLedger, sweepAtTime];
