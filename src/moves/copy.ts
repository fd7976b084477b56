import type { Database, Statement } from '../platform/db/database.ts';
import { rawChange, rawRows } from '../platform/db/raw.ts';
import type { Belonging } from '../schema/belongings.ts';
import {
  anySql,
  type CopiedRow,
  changedSql,
  deletedTables,
  deleteKeysSql,
  deleteSomeSql,
  insertSql,
  keyOf,
  movedTables,
  notingTriggers,
  pageSql,
  type RowKey,
  sumsSql,
} from './tables.ts';

/** How many rows of a table one step copies, and one batch deletes. */
const ROWS_PER_STEP = 500;

/** How many characters of rows one parameter has. D1 takes two million bytes. */
const MOST_CHARACTERS = 400_000;

/** How far the copy of a property is. */
export interface Copied {
  /** Which table is being copied, and its last key. All are once it is past the last. */
  readonly table: number;
  readonly after: RowKey | null;
  /** The last noted change that was copied. */
  readonly change: number;
  readonly rows: number;
}

export const NOTHING_COPIED: Copied = { table: 0, after: null, change: 0, rows: 0 };

/** A property on its way between two databases. */
export interface Way {
  readonly propertyId: string;
  readonly source: Database;
  readonly target: Database;
}

/**
 * Copies the next rows of a table, together with all that changed since the step before: both are read as they are at one
 * instant, and written in one batch, so that whatever rows name is there. Repeating a step changes nothing.
 */
export async function copyStep(way: Way, copied: Copied): Promise<Copied> {
  const table = movedTables()[copied.table];
  const { propertyId, source, target } = way;
  const { after } = copied;
  const page = table
    ? [rawRows<CopiedRow>(pageSql(table, after), [propertyId, ...(after ?? []), ROWS_PER_STEP])]
    : [];
  // What changed of the tables that come later, their own pages will have, when all that it names is there.
  const begun = movedTables().slice(0, copied.table + 1);
  const noted = [propertyId, copied.change];
  const [changes, ...found] = await source.batch('d1.move.read', [
    rawRows<NotedChange>(
      'SELECT id, table_name, key FROM moved_changes WHERE property_id = ? AND id > ? ORDER BY id',
      noted,
    ),
    ...begun.map((one) => rawRows<CopiedRow>(changedSql(one), noted)),
    ...page,
  ]);
  const rows = found[begun.length] ?? [];
  const statements = begun.flatMap((one, at) => {
    const keys = changes.filter(({ table_name: name }) => name === one.name).map(({ key }) => key);
    const own = [...(found[at] ?? []), ...(one === table ? rows : [])];
    return replaceRows(one, keys, own);
  });
  const tables = [...new Set(statements.map(({ table: name }) => name))];
  await withoutTriggers(
    target,
    tables,
    statements.map(({ statement }) => statement),
  );
  const isLast = rows.length < ROWS_PER_STEP;
  const last = rows.at(-1);
  return {
    table: table && isLast ? copied.table + 1 : copied.table,
    after: table && !isLast && last ? keyOf(table, last) : null,
    change: changes.at(-1)?.id ?? copied.change,
    rows: copied.rows + rows.length,
  };
}

/** Whether every table was copied once. What changes afterwards, further steps copy. */
export function isCopied({ table }: Copied): boolean {
  return table >= movedTables().length;
}

interface NotedChange {
  readonly id: number;
  readonly table_name: string;
  /** A JSON list. */
  readonly key: string;
}

/** Deletes rows by their keys, and inserts those that there are. */
function replaceRows(table: Belonging, keys: readonly string[], rows: readonly CopiedRow[]) {
  const byKey = new Map(rows.map((row) => [JSON.stringify(keyOf(table, row)), row]));
  const gone = [...new Set([...keys, ...byKey.keys()])];
  const values = [...byKey.values()].map((row) =>
    JSON.stringify(table.columns.map(({ name }) => row[name] ?? null)),
  );
  const named = (statement: Statement) => ({ table: table.name, statement });
  return [
    ...inTexts(gone).map((text) => named(rawChange(deleteKeysSql(table), [text]))),
    ...inTexts(values).map((text) => named(rawChange(insertSql(table), [text]))),
  ];
}

/** JSON texts as lists of which none is too long. */
function inTexts(texts: readonly string[]): string[] {
  const lists: string[][] = [];
  let length = MOST_CHARACTERS;
  for (const text of texts) {
    if (length + text.length > MOST_CHARACTERS) {
      lists.push([]);
      length = 0;
    }
    lists.at(-1)?.push(text);
    length += text.length + 1;
  }
  return lists.map((list) => `[${list.join()}]`);
}

/**
 * Changes tables in one transaction without their triggers: those guard how rows come to be, and these rows are as they
 * came to be. Nobody else ever sees the tables without them.
 */
async function withoutTriggers(
  database: Database,
  tables: readonly string[],
  statements: readonly Statement[],
): Promise<readonly unknown[]> {
  if (statements.length === 0) return [];
  const [triggers] = await database.batch('d1.move.read', [
    rawRows<{ readonly name: string; readonly sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (SELECT value FROM json_each(?))",
      [JSON.stringify(tables)],
    ),
  ]);
  const all: readonly Statement[] = [
    rawChange('PRAGMA defer_foreign_keys = ON'),
    ...triggers.map(({ name }) => rawChange(`DROP TRIGGER "${name}"`)),
    ...statements,
    ...triggers.map(({ sql }) => rawChange(sql)),
  ];
  const results: readonly unknown[] = await database.batch(
    'd1.move.copy',
    all as [Statement, ...Statement[]],
  );
  return results.slice(1 + triggers.length, 1 + triggers.length + statements.length);
}

/** Whether two databases have as many rows of a property, with the same sums. One round trip to each. */
export async function isSame({ propertyId, source, target }: Way): Promise<boolean> {
  const [first, ...others] = movedTables().map((table) =>
    rawRows<CopiedRow>(sumsSql(table), [propertyId]),
  );
  if (!first) return true;
  const sums = await Promise.all(
    [source, target].map((one) => one.batch('d1.move.read', [first, ...others])),
  );
  return JSON.stringify(sums[0]) === JSON.stringify(sums[1]);
}

/** Deletes a property's rows from a database, those first that name others. */
export async function deleteRows(database: Database, propertyId: string): Promise<void> {
  const [first, ...others] = deletedTables().map((table) => rawRows(anySql(table), [propertyId]));
  if (!first) return;
  const found = await database.batch('d1.move.read', [first, ...others]);
  for (const table of deletedTables().filter((_table, at) => (found[at]?.length ?? 0) > 0)) {
    for (;;) {
      const some = rawChange(deleteSomeSql(table), [propertyId, ROWS_PER_STEP]);
      const [deleted] = await withoutTriggers(database, [table.name], [some]);
      if (Number(deleted) < ROWS_PER_STEP) break;
    }
  }
}

/** The statements that have the changes of leaving properties noted. */
export function noteChanges(): Statement[] {
  return notingTriggers().map(({ sql }) => rawChange(sql));
}

export function noteNoChanges(): Statement[] {
  return notingTriggers().map(({ name }) => rawChange(`DROP TRIGGER IF EXISTS ${name}`));
}
