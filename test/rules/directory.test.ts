import { describe, expect, test } from 'vitest';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import {
  clientStanding,
  forgetClient,
  forgetClientsOf,
} from '../../src/records/clients/clientCache.ts';

const MINUTE_MS = 60_000;

/** D1 with one kind of client in it; it counts how often it is asked. */
function databaseOf(known: { revokedAtMs: number | null; propertyId?: string } | null) {
  const asked = { times: 0, client: known };
  const statement = { bind: (...values: unknown[]) => ({ id: String(values[0]) }) };
  const d1 = {
    prepare: () => statement,
    batch: async ([first]: { id: string }[]) => {
      asked.times += 1;
      const { client } = asked;
      if (client === null) return [{ results: [] }, { results: [] }, { results: [] }];
      const row = {
        id: first?.id,
        name: null,
        property_id: client.propertyId ?? null,
        scopes: '["bookings"]',
        secret_digest: 'digest',
        seeded: 0,
        created_at_ms: 0,
        last_used_at_ms: null,
        revoked_at_ms: client.revokedAtMs,
      };
      return [{ results: [row] }, { results: [] }, { results: [] }];
    },
  };
  return { asked, database: new Database(d1 as unknown as D1Database, new Trace()) };
}

describe('a client’s standing', () => {
  test('is looked up once and believed for four minutes', async () => {
    const { asked, database } = databaseOf({ revokedAtMs: null });
    const first = await clientStanding(database, 'a1', 0);
    expect(first?.client).toMatchObject({ id: 'a1', scopes: ['bookings'], revokedAtMs: null });
    await clientStanding(database, 'a1', 2 * MINUTE_MS);
    await clientStanding(database, 'a1', 4 * MINUTE_MS - 1);
    expect(asked.times).toBe(1);
    asked.client = { revokedAtMs: 1 };
    const second = await clientStanding(database, 'a1', 4 * MINUTE_MS);
    expect(asked.times).toBe(2);
    expect(second?.client.revokedAtMs).toBe(1);
  });

  test('shows a revocation made elsewhere within five minutes, however busy the client is', async () => {
    const { asked, database } = databaseOf({ revokedAtMs: null });
    await clientStanding(database, 'a2', 0);
    asked.client = { revokedAtMs: 1 };
    let seenAtMs = Number.POSITIVE_INFINITY;
    for (let nowMs = 0; nowMs <= 5 * MINUTE_MS; nowMs += 1_000) {
      const standing = await clientStanding(database, 'a2', nowMs);
      if (standing?.client.revokedAtMs === 1) seenAtMs = Math.min(seenAtMs, nowMs);
    }
    expect(seenAtMs).toBeLessThan(5 * MINUTE_MS);
  });

  test('shows a revocation made here at once', async () => {
    const { asked, database } = databaseOf({ revokedAtMs: null });
    await clientStanding(database, 'a3', 0);
    asked.client = { revokedAtMs: 1 };
    forgetClient('a3');
    expect((await clientStanding(database, 'a3', 1))?.client.revokedAtMs).toBe(1);
  });

  test('of a property’s clients is forgotten together, and nobody else’s', async () => {
    const hotel = databaseOf({ revokedAtMs: null, propertyId: 'hotel' });
    const other = databaseOf({ revokedAtMs: null, propertyId: 'other' });
    await clientStanding(hotel.database, 'h1', 0);
    await clientStanding(hotel.database, 'h2', 0);
    await clientStanding(other.database, 'o1', 0);
    forgetClientsOf('hotel');
    await clientStanding(hotel.database, 'h1', 1);
    await clientStanding(hotel.database, 'h2', 1);
    await clientStanding(other.database, 'o1', 1);
    expect([hotel.asked.times, other.asked.times]).toEqual([4, 1]);
  });

  test('of nobody is not remembered, so that a new client works at once', async () => {
    const { asked, database } = databaseOf(null);
    expect(await clientStanding(database, 'a4', 0)).toBeNull();
    asked.client = { revokedAtMs: null };
    expect(await clientStanding(database, 'a4', 1)).not.toBeNull();
  });

  test('is not believed from a time that is still to come', async () => {
    const { asked, database } = databaseOf({ revokedAtMs: null });
    await clientStanding(database, 'a5', 10 * MINUTE_MS);
    await clientStanding(database, 'a5', 9 * MINUTE_MS);
    expect(asked.times).toBe(2);
  });

  test('of the client looked up longest ago gives way when a thousand are remembered', async () => {
    const { asked, database } = databaseOf({ revokedAtMs: null });
    for (let at = 0; at <= 1_000; at += 1) await clientStanding(database, `many-${at}`, 0);
    expect(asked.times).toBe(1_001);
    await clientStanding(database, 'many-1000', 1);
    await clientStanding(database, 'many-1', 1);
    expect(asked.times).toBe(1_001);
    await clientStanding(database, 'many-0', 1);
    expect(asked.times).toBe(1_002);
  });
});
