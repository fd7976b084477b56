import { eq } from 'drizzle-orm';
import { type ClientRow, clients } from '../../platform/db/accessTables.ts';
import type { Database, Queries } from '../../platform/db/database.ts';
import { type PropertyRow, properties } from '../../platform/db/propertyTables.ts';

/** A client and its property; an administrator has none. */
export interface ClientRecord {
  readonly client: ClientRow;
  readonly property: PropertyRow | null;
}

/** Reads a client and its property in one round trip; null when there is no such client. */
export async function findClient(database: Database, id: string): Promise<ClientRecord | null> {
  const { queries } = database;
  const ofClient = queries
    .select({ id: clients.propertyId })
    .from(clients)
    .where(eq(clients.id, id));
  const [[client], [property]] = await database.batch('d1.client.find', [
    queries.select().from(clients).where(eq(clients.id, id)),
    queries.select().from(properties).where(eq(properties.id, ofClient)),
  ]);
  return client ? { client, property: property ?? null } : null;
}

/** Inserts a client. */
export function insertClient(queries: Queries, row: ClientRow) {
  return queries.insert(clients).values(row);
}

/** Marks a client as revoked; returns its id, or nothing when there is no such client. */
export function revokeClient(queries: Queries, id: string, nowMs: number) {
  return queries
    .update(clients)
    .set({ revokedAtMs: nowMs })
    .where(eq(clients.id, id))
    .returning({ id: clients.id });
}
