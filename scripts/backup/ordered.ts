/**
 * D1's export writes tables, rows, indexes, triggers and views in an order that cannot be loaded: a trigger or view may come
 * before what it reads. Here is that order put right, both ways.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { importWrangler } from '../environment.ts';
import { type Column, OURS, type Rows } from './facts.ts';

/** The kinds of statements: what one makes may need what those before it made. */
const KINDS = ['TABLE', 'INDEX', 'VIEW', 'TRIGGER'] as const;

/** Loads an export, taken as two files, into a new file of SQLite: tables, rows, indexes, views, triggers. */
export async function loadExport(
  schemaFile: string,
  rowsFile: string,
  target: string,
  ask: (queries: readonly string[]) => Promise<Rows[]>,
): Promise<DatabaseSync> {
  const { unstable_splitSqlQuery: splitSql } = await importWrangler();
  const schema = splitSql(readFileSync(schemaFile, 'utf8'));
  const db = new DatabaseSync(target, { enableForeignKeyConstraints: false });
  const make = (kind: (typeof KINDS)[number]) => {
    for (const statement of schema) if (kindOf(statement) === kind) db.exec(statement);
  };
  db.exec('BEGIN');
  make('TABLE');
  for await (const statement of rowsOf(rowsFile)) db.exec(statement);
  for (const rows of await ask(queriesOfLostTexts(db))) {
    for (const { exact } of rows) db.exec(String(exact));
  }
  for (const kind of KINDS.slice(1)) make(kind);
  db.exec('COMMIT');
  return db;
}

/**
 * An export writes a line break as `\\n`, and so the two characters `\\n` beside one in the same text as a break too. The queries ask
 * D1 for statements that write such texts as they are, of the columns that have breaks at all.
 */
function queriesOfLostTexts(db: DatabaseSync): string[] {
  const columns = db
    .prepare(
      `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND lower(c.type) = 'text' AND ${OURS.replaceAll('name', 'm.name')}`,
    )
    .all() as unknown as Column[];
  return columns.flatMap(({ column, table }) => {
    const breaks = `(instr("${column}", char(10)) OR instr("${column}", char(13)))`;
    if (!db.prepare(`SELECT 1 FROM "${table}" WHERE ${breaks} LIMIT 1`).get()) return [];
    const keys = db
      .prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0')
      .all(table)
      .map(({ name }) => String(name));
    const which = keys.map((name) => `'"${name}" = ' || quote("${name}")`).join(` || ' AND ' || `);
    return `SELECT 'UPDATE "${table}" SET "${column}" = ' || quote("${column}") || ' WHERE ' || ${which} AS exact FROM "${table}" WHERE ${breaks} AND (instr("${column}", '\\n') OR instr("${column}", '\\r'))`;
  });
}

function kindOf(statement: string): string | undefined {
  return /^\s*CREATE\s+(?:UNIQUE\s+)?(\w+)/i.exec(statement)?.[1]?.toUpperCase();
}

/** The statements of an export's rows, one at a time: such a file may be larger than the memory. */
async function* rowsOf(file: string): AsyncGenerator<string> {
  let begun = '';
  for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
    begun += begun === '' ? line : `\n${line}`;
    const isWhole = begun.endsWith(';') && begun.split("'").length % 2 === 1;
    if (!isWhole) continue;
    if (begun.startsWith('INSERT') || begun.startsWith('DELETE')) yield begun;
    begun = '';
  }
  if (begun !== '') throw new Error(`${file} ends within a statement.`);
}

/** All of a file's statements, in an order in which an empty D1 takes them. */
export function* orderedStatements(db: DatabaseSync): Generator<string> {
  const named = db.prepare(
    `SELECT name, sql FROM sqlite_schema WHERE type = ? AND ${OURS} ORDER BY rowid`,
  );
  const made = (kind: string) =>
    named
      .all(kind.toLowerCase())
      .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
  yield 'PRAGMA defer_foreign_keys = TRUE';
  for (const { sql } of made('TABLE')) yield sql;
  for (const { name } of made('TABLE')) yield* insertsOf(db, name);
  for (const kind of KINDS.slice(1)) for (const { sql } of made(kind)) yield sql;
}

function* insertsOf(db: DatabaseSync, table: string): Generator<string> {
  // Without the generated columns.
  const columns = db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => `"${String(name)}"`);
  const values = columns.map((column) => `quote(${column})`).join(` || ',' || `);
  const rows = db.prepare(`SELECT ${values} AS "values" FROM "${table}"`);
  for (const row of rows.iterate()) {
    yield `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${String(row['values'])})`;
  }
}
