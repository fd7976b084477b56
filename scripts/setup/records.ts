/** What the deployment's database already holds. */
import type { Wrangler } from '../wrangler.ts';
import { query } from './cloudflare.ts';

/** Begins the ids of the administrators that this command makes for itself and revokes at its end. */
export const TEMPORARY = 'setup-';

/** A client that is not revoked. */
interface KnownClient {
  readonly id: string;
  /** Null for an administrator. */
  readonly property: string | null;
  readonly createdAtMs: number;
}

/** The records that a deployment begins with. */
export interface Records {
  readonly properties: readonly string[];
  readonly clients: readonly KnownClient[];
}

/** A database without records. */
export const noRecords: Records = { properties: [], clients: [] };

const SELECT = `SELECT
  (SELECT json_group_array(id) FROM properties) AS properties,
  (SELECT json_group_array(json_object('id', id, 'property', property_id, 'createdAtMs', created_at_ms))
    FROM clients WHERE revoked_at_ms IS NULL AND seeded = 0) AS clients`;

/** Reads the records. A database that was not migrated yet has none. */
export async function readRecords(wrangler: Wrangler): Promise<Records> {
  try {
    const [row] = await query<{ properties: string; clients: string }>(wrangler, SELECT);
    if (row === undefined) return noRecords;
    return { properties: JSON.parse(row.properties), clients: JSON.parse(row.clients) };
  } catch (error) {
    if (error instanceof Error && error.message.includes('no such table')) return noRecords;
    throw error;
  }
}

/** Whether there is an administrator besides this command's own. */
export function hasAdministrator({ clients }: Records): boolean {
  return clients.some(({ id, property }) => property === null && !id.startsWith(TEMPORARY));
}

/** This command's administrators that a run left behind when it was cut off. */
export function leftBehind({ clients }: Records): readonly KnownClient[] {
  return clients.filter(({ id, property }) => property === null && id.startsWith(TEMPORARY));
}

/**
 * Whether the property has a client whose secret somebody saw: one made before any administrator that a run left behind
 * when it was cut off.
 */
export function hasSeenClient(records: Records, property: string): boolean {
  const since = Math.min(...leftBehind(records).map(({ createdAtMs }) => createdAtMs));
  return records.clients.some(
    (client) => client.property === property && client.createdAtMs < since,
  );
}
