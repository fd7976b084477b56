import { inArray } from 'drizzle-orm';
import { type Database, queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { clients } from '../schema/accessTables.ts';
import { users } from '../schema/staffTables.ts';

export interface Names {
  readonly people: ReadonlyMap<string, string>;
  readonly clients: ReadonlyMap<string, string>;
}

/**
 * What people and clients are called, by their ids. Null where there is one database: what is read of a property has the
 * names already.
 */
export async function namesOf(
  database: Database,
  actors: readonly string[],
): Promise<Names | null> {
  if (!database.isMany || actors.length === 0) return null;
  const ids = listed([...new Set(actors)]);
  const [people, named] = await database.directory.batch('d1.user.find', [
    queries.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids)),
    queries
      .select({ id: clients.id, name: clients.name })
      .from(clients)
      .where(inArray(clients.id, ids)),
  ]);
  return {
    people: new Map(people.map(({ id, name }) => [id, name])),
    clients: new Map(named.flatMap(({ id, name }) => (name === null ? [] : [[id, name]]))),
  };
}
