/** What must be the same in a database and in its copy: rows, sums of money, guards. */

import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';

/** By table: how many `rows`, and the sum of each column of minor units. By kind of object of the schema: how many. */
export interface Facts {
  readonly tables: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly schema: Readonly<Record<string, number>>;
}

/** A column of a table. */
export interface Column {
  readonly table: string;
  readonly column: string;
}

/** Objects of the schema that migrations make. The others are SQLite's and the platform's own. */
export const OURS = "sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'";

/** Counts by kind: tables, indexes, views, triggers. */
const SCHEMA = `SELECT type, count(*) AS n FROM sqlite_schema WHERE ${OURS} GROUP BY type ORDER BY type`;

/** Reads the facts of a file. Throws where the file is damaged, or a row refers to one that is not there. */
export function factsOf(db: DatabaseSync): Facts {
  const damage = db.prepare('PRAGMA integrity_check').all();
  if (!isDeepStrictEqual({ ...damage[0] }, { integrity_check: 'ok' })) {
    throw new Error(`The database is damaged: ${JSON.stringify(damage)}`);
  }
  const [orphan] = db.prepare('PRAGMA foreign_key_check').all();
  if (orphan) throw new Error(`A row refers to one that is not there: ${JSON.stringify(orphan)}`);
  const columns = db
    .prepare(
      `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND ${OURS.replaceAll('name', 'm.name')} ORDER BY m.name, c.cid`,
    )
    .all() as unknown as Column[];
  return factsFrom(factsQueries(columns).map((query) => db.prepare(query).all()));
}

/** The queries of the facts, whose results `factsFrom` takes in the same order. */
export function factsQueries(columns: readonly Column[]): string[] {
  const byTable = Map.groupBy(columns, ({ table }) => table);
  const ofTables = [...byTable].map(([table, all]) => {
    const sums = all
      .filter(({ column }) => column.endsWith('_minor'))
      .map(({ column }) => `, coalesce(sum("${column}"), 0) AS "${column}"`);
    return `SELECT '${table}' AS "table", count(*) AS rows${sums.join('')} FROM "${table}"`;
  });
  return [SCHEMA, ...ofTables];
}

/** What a query found. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** The facts from what their queries found. */
export function factsFrom([schema = [], ...tables]: readonly Rows[]): Facts {
  return {
    schema: Object.fromEntries(schema.map(({ type, n }) => [String(type), Number(n)])),
    tables: Object.fromEntries(
      tables.flatMap((rows) =>
        rows.map(({ table, ...figures }) => [
          String(table),
          Object.fromEntries(Object.entries(figures).map(([name, n]) => [name, Number(n)])),
        ]),
      ),
    ),
  };
}

/** Throws, naming the first difference, where a copy is not like what it was made of. */
export function requireSame(binding: string, wanted: Facts, found: Facts): void {
  for (const what of ['schema', 'tables'] as const) {
    const names = new Set([...Object.keys(wanted[what]), ...Object.keys(found[what])]);
    for (const name of names) {
      if (isDeepStrictEqual(wanted[what][name], found[what][name])) continue;
      const [had, has] = [wanted, found].map((facts) => JSON.stringify(facts[what][name] ?? null));
      throw new Error(`${binding} differs from the backup in ${name}: ${had} there, ${has} here.`);
    }
  }
}
