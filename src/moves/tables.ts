import { lazy } from '../core/lazy.ts';
import { type Belonging, belongings, LEFT_BEHIND, MARKS } from '../schema/belongings.ts';

/** The tables whose rows move, each after those that its rows name. */
export const movedTables = lazy((): readonly Belonging[] =>
  parentsFirst(belongings().filter(({ name }) => !LEFT_BEHIND.includes(name))),
);

/** The tables that a property's rows are deleted from, each before those that its rows name. */
export const deletedTables = lazy((): readonly Belonging[] =>
  parentsFirst(belongings()).toReversed(),
);

function parentsFirst(tables: readonly Belonging[]): Belonging[] {
  const placed: Belonging[] = [];
  const isPlaced = (name: string) => placed.some((one) => one.name === name);
  const waiting = [...tables];
  while (waiting.length > 0) {
    const at = waiting.findIndex(({ name, parents }) =>
      parents.every(
        (parent) =>
          parent === name || isPlaced(parent) || !tables.some((one) => one.name === parent),
      ),
    );
    placed.push(...waiting.splice(Math.max(0, at), 1));
  }
  return placed;
}

/** A row as it is copied: the values of its columns, bytes as hex. */
export type CopiedRow = Readonly<Record<string, number | string | null>>;

/** The values of a row's key. */
export type RowKey = readonly (number | string | null)[];

export function keyOf({ key }: Belonging, row: CopiedRow): RowKey {
  return key.map((column) => row[column] ?? null);
}

const quoted = (name: string) => `"${name}"`;

function columnsAsText({ columns }: Belonging): string {
  return columns
    .map(({ name, type }) =>
      type === 'blob'
        ? `CASE WHEN ${quoted(name)} IS NOT NULL THEN hex(${quoted(name)}) END AS ${quoted(name)}`
        : quoted(name),
    )
    .join(', ');
}

function keyList({ key }: Belonging): string {
  return key.map(quoted).join(', ');
}

/** The key's parts of a JSON list in `value`. */
function keyOfValue({ key }: Belonging, value: string): string {
  return key.map((_column, at) => `${value} ->> ${at}`).join(', ');
}

function isOwn({ also, owner }: Belonging, hint = ''): string {
  return `${hint}${quoted(owner)} = ? AND ${also.replaceAll('$.', '')}`;
}

/** The next rows of a property after a key, by the table's own key. */
export function pageSql(table: Belonging, after: RowKey | null): string {
  // Where the key does not begin with the property, the plus has SQLite go by the key all the same.
  const own = isOwn(table, table.key[0] === table.owner ? '' : '+');
  const beyond =
    after === null ? '' : ` AND (${keyList(table)}) > (${table.key.map(() => '?').join(', ')})`;
  return `SELECT ${columnsAsText(table)} FROM ${quoted(table.name)} WHERE ${own}${beyond} ORDER BY ${keyList(table)} LIMIT ?`;
}

/** The noted rows as they are now; `?` are the property, twice, and the last change that was copied. */
export function changedSql(table: Belonging): string {
  const noted = `SELECT ${keyOfValue(table, 'key')} FROM moved_changes WHERE property_id = ? AND id > ? AND table_name = '${table.name}'`;
  return `SELECT ${columnsAsText(table)} FROM ${quoted(table.name)} WHERE (${keyList(table)}) IN (${noted})`;
}

export function deleteKeysSql(table: Belonging): string {
  return `DELETE FROM ${quoted(table.name)} WHERE (${keyList(table)}) IN (SELECT ${keyOfValue(table, 'value')} FROM json_each(?))`;
}

export function insertSql(table: Belonging): string {
  const values = table.columns.map(({ type }, at) =>
    type === 'blob' ? `unhex(value ->> ${at})` : `value ->> ${at}`,
  );
  const names = table.columns.map(({ name }) => quoted(name)).join(', ');
  return `INSERT INTO ${quoted(table.name)} (${names}) SELECT ${values.join(', ')} FROM json_each(?)`;
}

export function deleteSomeSql(table: Belonging): string {
  return `DELETE FROM ${quoted(table.name)} WHERE (${keyList(table)}) IN (SELECT ${keyList(table)} FROM ${quoted(table.name)} WHERE ${isOwn(table)} LIMIT ?)`;
}

/** Finds a row if a table has any of a property. */
export function anySql(table: Belonging): string {
  return `SELECT 1 FROM ${quoted(table.name)} WHERE ${isOwn(table)} LIMIT 1`;
}

/** What sums of integers are reduced by, so that none overflows. */
const MODULUS = 1_000_003;

/** The number of a property's rows, and a sum of each column. */
export function sumsSql(table: Belonging): string {
  const sums = table.columns
    .filter(({ name }) => !MARKS.includes(name))
    .map(({ name, type }) =>
      type === 'integer'
        ? `sum(${quoted(name)} % ${MODULUS}) AS ${quoted(name)}`
        : `sum(length(${quoted(name)})) AS ${quoted(name)}`,
    );
  return `SELECT count(*) AS rows_of_property, ${sums.join(', ')} FROM ${quoted(table.name)} WHERE ${isOwn(table)}`;
}

/** The triggers that note the changes of leaving properties. */
export const notingTriggers = lazy(() =>
  movedTables().flatMap((table) =>
    (['insert', 'update', 'delete'] as const).map((change) => {
      const row = change === 'delete' ? 'OLD' : 'NEW';
      const name = `noted_${table.name}_${change}`;
      const key = table.key.map((column) => `${row}.${quoted(column)}`).join(', ');
      const isLeaving = `EXISTS (SELECT 1 FROM moving_properties WHERE property_id = ${row}.${quoted(table.owner)} AND state = 'leaving')`;
      const sql = `CREATE TRIGGER IF NOT EXISTS ${name} AFTER ${change.toUpperCase()} ON ${quoted(table.name)} WHEN ${isLeaving} AND ${table.also.replaceAll('$.', `${row}.`)} BEGIN INSERT INTO moved_changes (property_id, table_name, key) VALUES (${row}.${quoted(table.owner)}, '${table.name}', json_array(${key})); END`;
      return { name, sql };
    }),
  ),
);
