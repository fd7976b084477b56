import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Database, Queries } from '../../platform/db/database.ts';
import { type ClientRow, clients } from '../../schema/accessTables.ts';
import { type PropertyRow, properties } from '../../schema/propertyTables.ts';
import { NOTED_EVERY_MS } from './rules.ts';

/** A client and its property; an administrator has none. */
export interface ClientRecord {
  readonly client: ClientRow;
  readonly property: PropertyRow | null;
}

/** Reads a client and its property in one round trip; null when there is no such client. */
export async function findClient(database: Database, id: string): Promise<ClientRecord | null> {
  const [[client], [property]] = await database.batch(
    'd1.client.find',
    selectClient(database.queries, id),
  );
  return client ? { client, property: property ?? null } : null;
}

/** The same for a client that makes a call, which is noted. */
export async function findCallingClient(
  database: Database,
  id: string,
  nowMs: number,
): Promise<ClientRecord | null> {
  const { queries } = database;
  const [[client], [property]] = await database.batch('d1.client.find', [
    ...selectClient(queries, id),
    noteUse(queries, id, nowMs),
  ]);
  return client ? { client, property: property ?? null } : null;
}

function selectClient(queries: Queries, id: string) {
  const ofClient = queries
    .select({ id: clients.propertyId })
    .from(clients)
    .where(eq(clients.id, id));
  return [
    queries.select().from(clients).where(eq(clients.id, id)),
    queries.select().from(properties).where(eq(properties.id, ofClient)),
  ] as const;
}

/** Notes that a client was used, at most once an hour. */
export function noteUse(queries: Queries, id: string, nowMs: number) {
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
export function updateClient(queries: Queries, id: string, change: ClientChange) {
  const { revokedAtMs = null } = change;
  // A change of nothing returns the client, too.
  const set = {
    id,
    ...change,
    ...(revokedAtMs && { revokedAtMs: sql`coalesce(${clients.revokedAtMs}, ${revokedAtMs})` }),
  };
  return queries.update(clients).set(set).where(eq(clients.id, id)).returning();
}

export function insertClient(queries: Queries, row: ClientRow) {
  return queries.insert(clients).values(row);
}
