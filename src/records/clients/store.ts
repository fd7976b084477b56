import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { type Database, queries } from '../../platform/db/database.ts';
import { type ClientRow, clients } from '../../schema/accessTables.ts';
import { type PropertyRow, properties } from '../../schema/propertyTables.ts';
import { findProperty } from '../properties/store.ts';
import { NOTED_EVERY_MS } from './rules.ts';

/** A client and its property; an administrator has none. */
export interface ClientRecord {
  readonly client: ClientRow;
  readonly property: PropertyRow | null;
}

/**
 * Reads a client and its property in one round trip, two where there are many databases; null when there is no such client. `calledAtMs` is when it made a call,
 * which is noted.
 */
export async function findClient(
  database: Database,
  id: string,
  calledAtMs: number | null = null,
): Promise<ClientRecord | null> {
  const isClient = eq(clients.id, id);
  const ofClient = queries.select({ id: clients.propertyId }).from(clients).where(isClient);
  const [[client], [property]] = await database.directory.batch('d1.client.find', [
    queries.select().from(clients).where(isClient),
    queries.select().from(properties).where(eq(properties.id, ofClient)),
    ...(calledAtMs === null ? [] : [noteUse(id, calledAtMs)]),
  ]);
  if (!client) return null;
  const livesElsewhere = client.propertyId !== null && database.isMany;
  const own = livesElsewhere ? await findProperty(database, client.propertyId ?? '') : property;
  return { client, property: own ?? null };
}

/** Notes that a client was used, at most once an hour. */
export function noteUse(id: string, nowMs: number) {
  const { lastUsedAtMs, revokedAtMs } = clients;
  return queries
    .update(clients)
    .set({ lastUsedAtMs: nowMs })
    .where(
      and(
        eq(clients.id, id),
        isNull(revokedAtMs),
        or(isNull(lastUsedAtMs), lt(lastUsedAtMs, nowMs - NOTED_EVERY_MS)),
      ),
    );
}

export type ClientChange = Partial<Pick<ClientRow, 'name' | 'scopes' | 'revokedAtMs'>>;

/** Changes a client, which is revoked once; returns it, or nothing when there is no such client. */
export function updateClient(id: string, change: ClientChange) {
  const { revokedAtMs = null } = change;
  // A change of nothing returns the client, too.
  const set = {
    id,
    ...change,
    ...(revokedAtMs && { revokedAtMs: sql`coalesce(${clients.revokedAtMs}, ${revokedAtMs})` }),
  };
  return queries.update(clients).set(set).where(eq(clients.id, id)).returning();
}

export function insertClient(row: ClientRow) {
  return queries.insert(clients).values(row);
}
