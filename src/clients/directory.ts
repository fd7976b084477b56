import { Recent } from '../core/recent.ts';
import { MINUTE_MS } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import { type ClientRecord, findClient } from './store.ts';

/** How long a client's standing is believed; a revoked client's tokens stop working within 5 minutes. */
const BELIEVED_MS = 4 * MINUTE_MS;

/** How many clients an isolate remembers. */
const MOST_CLIENTS = 1_000;

interface Remembered {
  readonly record: ClientRecord;
  readonly atMs: number;
}

const remembered = new Recent<Remembered>(MOST_CLIENTS);

/** A client's standing, at most four minutes old: one look-up a client every few minutes. */
export async function clientStanding(
  database: Database,
  id: string,
  nowMs: number,
): Promise<ClientRecord | null> {
  const known = remembered.get(id);
  if (known && nowMs - known.atMs < BELIEVED_MS && nowMs >= known.atMs) return known.record;
  const record = await findClient(database, id);
  if (record === null) remembered.forget(id);
  else remembered.set(id, { record, atMs: nowMs });
  return record;
}

/** Forgets a client in this isolate, so that a change made here counts here at once. */
export function forgetClient(id: string): void {
  remembered.forget(id);
}

/** Forgets every client of a property in this isolate. */
export function forgetClientsOf(propertyId: string): void {
  remembered.forgetWhere(({ record }) => record.client.propertyId === propertyId);
}
