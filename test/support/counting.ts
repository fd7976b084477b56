/** Counts what really reaches the platform, below the service's own accounting. */
import { vi } from 'vitest';
import { BookingObject } from '../../src/bookings/object.ts';
import { SandboxAcquirer } from '../../src/gateways/sandbox/acquirer.ts';
import { testEnv } from './api.ts';

/** What one request used. */
export interface Used {
  d1: number;
  rowsRead: number;
  rowsWritten: number;
  objectHops: number;
  gatewayCalls: number;
}

/** Runs something and counts its D1 calls, read and written rows, its calls of booking objects and of the acquirer. */
export async function used(run: () => Promise<unknown>): Promise<Used> {
  const count: Used = { d1: 0, rowsRead: 0, rowsWritten: 0, objectHops: 0, gatewayCalls: 0 };
  const spies = [...d1Spies(count), ...objectSpies(count)];
  try {
    await run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return count;
}

function d1Spies(count: Used) {
  const database = Object.getPrototypeOf(testEnv.DB) as D1Database;
  const batch = database.batch;
  const statement = Object.getPrototypeOf(testEnv.DB.prepare('SELECT 1')) as D1PreparedStatement;
  const single = (['all', 'run', 'raw', 'first'] as const).map((method) => {
    const original = statement[method] as (...values: unknown[]) => Promise<unknown>;
    return vi.spyOn(statement, method).mockImplementation(function (
      this: unknown,
      ...values: unknown[]
    ) {
      count.d1 += 1;
      return original.apply(this, values);
    });
  });
  const batched = vi.spyOn(database, 'batch').mockImplementation(async function (
    this: D1Database,
    statements: D1PreparedStatement[],
  ) {
    count.d1 += 1;
    const results = await batch.call(this, statements);
    count.rowsRead += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
    count.rowsWritten += results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
    return results;
  });
  return [batched, ...single];
}

/** The calls that a Worker makes of a booking's object: all its public methods but the clock and the alarm. */
function callsOf(prototype: object): string[] {
  const own = Object.getOwnPropertyNames(prototype);
  return own.filter((name) => !['constructor', 'alarm', 'now'].includes(name));
}

function objectSpies(count: Used) {
  const hop = () => (count.objectHops += 1);
  const ask = () => (count.gatewayCalls += 1);
  return [
    ...callsOf(BookingObject.prototype).map((name) => counting(BookingObject.prototype, name, hop)),
    ...['perform', 'lookUp'].map((name) => counting(SandboxAcquirer.prototype, name, ask)),
  ];
}

type Method = (this: unknown, ...values: unknown[]) => unknown;

function counting(target: object, method: string, note: () => void) {
  const methods = target as Record<string, Method>;
  const original = methods[method] as Method;
  return vi.spyOn(methods, method).mockImplementation(function (this: unknown, ...values) {
    note();
    return original.apply(this, values);
  });
}
