import { LruCache } from '../../core/lruCache.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import { type ClientRecord, findClient } from './store.ts';

/** How long to cache a client: a revoked client's tokens must stop working within 5 minutes. */
const CACHED_MS = 4 * MINUTE_MS;

/** How many clients an isolate caches. */
const MOST_CLIENTS = 1_000;

const cache = new LruCache<{ readonly record: ClientRecord; readonly atMs: number }>(MOST_CLIENTS);

/** A client that makes a call, and its property, at most four minutes old; null for an unknown client. */
export async function clientStanding(
  database: Database,
  id: string,
  nowMs: number,
): Promise<ClientRecord | null> {
  const known = cache.get(id);
  if (known && nowMs - known.atMs < CACHED_MS && nowMs >= known.atMs) return known.record;
  const record = await findClient(database, id, nowMs);
  if (record === null) cache.delete(id);
  else cache.set(id, { record, atMs: nowMs });
  return record;
}

/** Forgets a client in this isolate, so that a change takes effect here at once. */
export function forgetClient(id: string): void {
  cache.delete(id);
}

/** Forgets every client of a property in this isolate. */
export function forgetClientsOf(propertyId: string): void {
  cache.deleteWhere(({ record }) => record.client.propertyId === propertyId);
}
