import { z } from '@hono/zod-openapi';
import { failure, fieldFailure, fieldIssue } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import { DatabaseUnavailable } from '../../platform/db/errors.ts';
import type { Env } from '../../platform/env.ts';
import { named } from '../../platform/views.ts';
import { selectProperty } from '../properties/store.ts';
import { isFull, percentOf, roomiest } from './rules.ts';
import { countHomes, countProperties, insertHome, insertNumber, selectHome } from './store.ts';

/** A database as administrators see it (interface: Databases). */
export const databaseSchema = named('Database', {
  name: z.string().describe('its binding'),
  properties: z.int().describe('how many live in it'),
  bytes: z.int().nullable().describe('how large it is; null while it does not answer'),
  fullPercent: z
    .number()
    .nullable()
    .describe('of its limit: from 95 on it takes no new property; null while it is away'),
});

export type DatabaseView = z.infer<typeof databaseSchema>;

/** A database that answers. */
type Measured = { [Name in keyof DatabaseView]: NonNullable<DatabaseView[Name]> };

/** What a database may hold, where the deployment says nothing else: D1's own limit, in bytes. */
const USUAL_LIMIT_BYTES = 10_000_000_000;

/** How many bytes one database of the deployment may have. */
export function databaseLimit({ DATABASE_LIMIT_BYTES: limit }: Env): number {
  return Number(limit) || USUAL_LIMIT_BYTES;
}

/**
 * Lists the databases, the directory first: of one that does not answer, what the directory knows. One round trip to each,
 * and one more for those.
 */
export async function listDatabases(database: Database, env: Env): Promise<DatabaseView[]> {
  const limit = databaseLimit(env);
  const answered = await database.ofAnswering(async ({ name, database: one }) => {
    const { bytes, results } = await one.measured('d1.home.find', [countProperties()]);
    const [[counted]] = results;
    const properties = counted?.many ?? 0;
    return { name, properties, bytes, fullPercent: percentOf(bytes, limit) };
  });
  if (database.awayFrom(answered).length === 0) return answered;
  const [listed] = await database.directory.batch('d1.home.find', [countHomes()]);
  return database.each.map(({ name }) => {
    const properties = listed.find((one) => one.database === name)?.many ?? 0;
    const away = { name, properties, bytes: null, fullPercent: null };
    return answered.find((one) => one.name === name) ?? away;
  });
}

/** The name of the database where a property lives. At most one round trip, none where there is one database. */
export async function homeOf(database: Database, propertyId: string): Promise<string> {
  const [first] = database.each;
  if (!database.isMany) return first.name;
  const [[home]] = await database.directory.batch('d1.home.find', [selectHome(propertyId)]);
  return home?.database ?? first.name;
}

/** Whether the deployment has a database of this name; 422 that names the field if it has none. */
export function requireDatabase(database: Database, field: string, name: string): Result<null> {
  if (database.each.some((one) => one.name === name)) return ok(null);
  return err(
    fieldFailure([fieldIssue(field, 'invalid_value', 'Use the name of a database of the list.')]),
  );
}

/**
 * Gives a new property its home: the one that is `wanted`, or else the database with the fewest bytes. One that has a home
 * keeps it. Returns its name; fails where the wanted one, or every one, is full.
 */
export async function placeProperty(
  database: Database,
  env: Env,
  propertyId: string,
  wanted: string | undefined,
): Promise<Result<string>> {
  const known = wanted === undefined ? ok(null) : requireDatabase(database, 'database', wanted);
  if (!known.ok) return known;
  const [[home], [unlisted]] = await database.directory.batch('d1.home.find', [
    selectHome(propertyId),
    selectProperty(propertyId),
  ]);
  if (home) return ok(home.database);
  if (unlisted) return ok(database.each[0].name);
  const open = database.each.filter(({ name, takesNew }) =>
    wanted === undefined ? takesNew : name === wanted,
  );
  const all = await listDatabases(database, env);
  const possible = all.filter(
    (one): one is Measured => one.bytes !== null && open.some(({ name }) => name === one.name),
  );
  if (possible.length === 0) throw new DatabaseUnavailable(new Error('none of them answers'));
  const chosen = roomiest(possible.filter(({ fullPercent }) => !isFull(fullPercent)));
  if (chosen === null) return err(FULL);
  if (!database.isMany) return ok(chosen.name);
  // Of two who place it at once, the first decides.
  const [, [settled]] = await database.directory.batch('d1.home.save', [
    insertHome(propertyId, chosen.name),
    selectHome(propertyId),
  ]);
  const name = settled?.database ?? chosen.name;
  await numberDatabase(database, name);
  return ok(name);
}

/** Lets a database know which one it is, before the first property comes to it. */
export async function numberDatabase(database: Database, name: string): Promise<void> {
  const named = database.each.find((one) => one.name === name);
  if (!named || named.number === 0) return;
  await named.database.batch('d1.home.save', [insertNumber(named.number)]);
}

const FULL = failure(
  'invalid_state',
  'The database is full, and takes no new property: add another one, or name another one.',
);
