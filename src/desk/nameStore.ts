import { inArray, sql } from 'drizzle-orm';
import { type Database, queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { clients } from '../schema/accessTables.ts';
import { history } from '../schema/historyTables.ts';
import { users } from '../schema/staffTables.ts';

/** Who made an entry: the name that a person had then, or that a client has. For a statement that joins the clients. */
export const ACTOR_NAME = sql<string | null>`coalesce(${history.actorName}, ${clients.name})`;

/**
 * What people and clients are called, by their ids. Null where there is one database: what is read of a property has the
 * names already.
 */
export async function namesOf(database: Database, actors: readonly string[]) {
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

/** Rows with the names of clients, where another database has those. No round trip where there is one database. */
export async function withClientNames<
  Row extends { readonly actor: string; readonly actorName: string | null },
>(database: Database, rows: readonly Row[]): Promise<Row[]> {
  const actors = rows.map(({ actor }) => actor);
  const names = await namesOf(database, actors);
  return rows.map((row) => ({
    ...row,
    actorName: row.actorName ?? names?.clients.get(row.actor) ?? null,
  }));
}
