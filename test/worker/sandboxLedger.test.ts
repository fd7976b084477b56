/** The sandbox acquirer's ledger asks for no more than it needs, however long its history is. */
import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { SandboxRequest } from '../../src/gateways/sandbox.ts';
import { AcquirerLedger } from '../../src/sandbox/acquirer/ledger.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { testEnv } from '../support/api.ts';

/** How many charges of one card there are before it is charged once more. */
const CHARGES = 200;

it('the ledger looks a card up in as many rows, however often it was charged', async () => {
  const acquirer = sandboxAcquirer(testEnv);
  const card = { expiryMonth: 12, expiryYear: 2040, holderName: null, cvv: null };
  const { gatewayToken: token } = await acquirer.vault({ ...card, number: '4242424242424242' });
  await acquirer.perform(chargeOf(token, 'first'));
  const before = await rowsRead(token);
  for (let made = 0; made < CHARGES; made += 1) {
    await acquirer.perform(chargeOf(token, `charge-${made}`));
  }
  expect(await rowsRead(token)).toBe(before);
});

function chargeOf(token: string, idempotencyKey: string): SandboxRequest {
  const booking = { propertyId: 'demo', bookingReference: 'LONG' };
  return {
    ...booking,
    kind: 'charge',
    idempotencyKey,
    reference: idempotencyKey,
    askedAtMs: Date.now(),
    returnUrl: null,
    amountMinor: 100,
    currency: 'AUD',
    subject: token,
  };
}

/** How many rows SQLite reads to find a card as a charge does. */
function rowsRead(token: string): Promise<number> {
  return runInDurableObject(sandboxAcquirer(testEnv), (_object, { storage }) => {
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    const counted = {
      exec: (query: string, ...values: SqlStorageValue[]) => {
        const cursor = storage.sql.exec(query, ...values);
        cursors.push(cursor);
        return cursor;
      },
    };
    const ledger = new AcquirerLedger(counted as unknown as SqlStorage);
    cursors.length = 0;
    expect(ledger.card(token)).not.toBeNull();
    return cursors.reduce((sum, { rowsRead: rows }) => sum + rows, 0);
  });
}
