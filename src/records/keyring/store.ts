import { and, count, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type Database, queries } from '../../platform/db/database.ts';
import { type KeyringKeyRow, keyringKeys } from '../../schema/accessTables.ts';
import { webhookEndpoints } from '../../schema/eventTables.ts';
import { properties } from '../../schema/propertyTables.ts';
import { keyOf } from './rules.ts';

/** The columns that are sealed for good, with the purpose of their keys. The row's id is the seal's context. */
export const SEALED = {
  pmsPasswordSealed: {
    what: 'pms_password',
    purpose: 'pms-credentials',
    table: properties,
    column: properties.pmsPasswordSealed,
    owner: properties.id,
  },
  secretSealed: {
    what: 'endpoint_secret',
    purpose: 'webhook-secret',
    table: webhookEndpoints,
    column: webhookEndpoints.secretSealed,
    owner: webhookEndpoints.propertyId,
  },
  previousSecretSealed: {
    what: 'endpoint_secret',
    purpose: 'webhook-secret',
    table: webhookEndpoints,
    column: webhookEndpoints.previousSecretSealed,
    owner: webhookEndpoints.propertyId,
  },
} as const;

export type SealedName = keyof typeof SEALED;

const SEALED_NAMES = Object.keys(SEALED) as SealedName[];

/** Selects a text of each key that a column is sealed with: one step in the index for each. */
function selectOfEachKey(name: SealedName) {
  const { column, table } = SEALED[name];
  const first = sql`SELECT min(${column}) FROM ${table}`;
  const next = sql`SELECT min(${column}) FROM ${table} WHERE ${column} >= ${afterKey(sql`found.sealed`)}`;
  const each = sql`WITH RECURSIVE found(sealed) AS (${first} UNION SELECT (${next}) FROM found WHERE found.sealed IS NOT NULL) SELECT sealed FROM found WHERE sealed IS NOT NULL`;
  return queries.select({ sealed: sql<string>`sealed` }).from(sql`(${each})`);
}

/** The first text after all that are sealed with the key of a text: `.` ends the key's id, and `/` follows it. */
function afterKey(sealed: SQL): SQL {
  return sql`substr(${sealed}, 1, instr(${sealed}, '.') - 1) || '/'`;
}

function sealedWith(column: SQLiteColumn, keyId: string): SQL | undefined {
  return and(gte(column, `${keyId}.`), lt(column, `${keyId}/`));
}

export function countSealedWith(name: SealedName, keyId: string) {
  const { column, table } = SEALED[name];
  return queries.select({ count: count() }).from(table).where(sealedWith(column, keyId));
}

export function selectSealedWith(name: SealedName, keyId: string, limit: number) {
  const { column, table } = SEALED[name];
  return queries
    .select({ id: table.id, version: table.version, sealed: sql<string>`${column}`.as('sealed') })
    .from(table)
    .where(sealedWith(column, keyId))
    .limit(limit);
}

/** A text that was sealed again, and the version of the row from which it was read. */
export interface Resealed {
  readonly id: string;
  readonly version: number;
  readonly sealed: string;
}

/** Keeps a text that was sealed again, unless its row has changed since, or is of a property that takes no changes here now. */
export function updateSealed(name: SealedName, { id, sealed, version }: Resealed) {
  const { owner, table } = SEALED[name];
  const takesChanges = sql`NOT EXISTS (SELECT 1 FROM moving_properties WHERE property_id = ${owner} AND state <> 'leaving')`;
  return queries
    .update(table)
    .set({ [name]: sealed, version: version + 1 })
    .where(and(eq(table.id, id), eq(table.version, version), takesChanges));
}

export function putKey(row: KeyringKeyRow) {
  const { id: _id, ...change } = row;
  return queries
    .insert(keyringKeys)
    .values(row)
    .onConflictDoUpdate({ target: keyringKeys.id, set: change });
}

export interface SealedPart {
  readonly name: SealedName;
  readonly keyId: string;
}

/** Reads which keys are noted, and which have sealed something in which column of a database. One round trip. */
export async function readSealed(
  database: Database,
): Promise<{ readonly noted: readonly KeyringKeyRow[]; readonly parts: readonly SealedPart[] }> {
  const [noted, ...found] = await database.batch('d1.keyring.read', [
    queries.select().from(keyringKeys),
    ...SEALED_NAMES.map((name) => selectOfEachKey(name)),
  ]);
  const parts = SEALED_NAMES.flatMap((name, index) =>
    (found[index] ?? []).map(({ sealed }) => ({ name, keyId: keyOf(sealed) })),
  );
  return { noted, parts };
}
