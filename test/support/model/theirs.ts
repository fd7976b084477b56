import { runInDurableObject } from 'cloudflare:test';
import type { AcquirerOperation } from '../../../src/sandbox/acquirer/operations.ts';
import { sandboxAcquirer } from '../../../src/sandbox/stub.ts';
import { testEnv } from '../api.ts';
import { deskName } from './acquirer.ts';
import { nameOf } from './names.ts';
import type { Place } from './service.ts';

/** Everything that the acquirer recorded for a booking, oldest first, with its own ids and the model's names. */
export async function readLedger(place: Place): Promise<AcquirerOperation[]> {
  return runInDurableObject(sandboxAcquirer(testEnv), (_acquirer, { storage }) =>
    ledgerIn(storage, place),
  );
}

/** The same, within the acquirer's object. */
export function ledgerIn({ sql }: DurableObjectStorage, { reference }: Place): AcquirerOperation[] {
  return sql
    .exec<{ operation: string }>(
      'SELECT operation FROM operations WHERE booking_reference = ? ORDER BY sequence',
      reference,
    )
    .toArray()
    .map((row) => inOurWords(JSON.parse(row.operation) as AcquirerOperation));
}

function inOurWords(operation: AcquirerOperation): AcquirerOperation {
  const { idempotencyKey, reference } = operation;
  return {
    ...operation,
    reference: reference === null ? null : nameOf(reference),
    idempotencyKey: idempotencyKey === null ? null : nameOf(idempotencyKey),
  };
}

/** The model's names of what has no key, by the acquirer's ids. */
export function deskNames(ledger: readonly AcquirerOperation[]): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { gatewayReference, idempotencyKey, kind, reference } of ledger) {
    if (idempotencyKey !== null || reference === null) continue;
    const counted = `${reference} ${kind}`;
    const number = counts.get(counted) ?? 0;
    counts.set(counted, number + 1);
    names.set(gatewayReference, deskName(reference, kind, number));
  }
  return names;
}
