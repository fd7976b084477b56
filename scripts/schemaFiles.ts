/** The current schema: tables from `src/schema/*Tables.ts`, guards from `src/schema/guards`, and what migrations lead to. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import configuration from '../drizzle.config.ts';
import { APPEND_ONLY, FINAL, FIXED, VERSIONED, WITHOUT_ROWID } from '../src/schema/storage.ts';
import { root } from './environment.ts';

const guards = path.join(root, 'src/schema/guards');

/** Separates the statements of a migration. */
export const BREAKPOINT = '--> statement-breakpoint';

/** A trigger or a view. */
export interface Guard {
  readonly kind: 'TRIGGER' | 'VIEW';
  readonly name: string;
  /** Its `CREATE` statement. */
  readonly sql: string;
  /** The same with the comment above it. */
  readonly text: string;
}

/**
 * The files of `src/schema/guards`, in the order in which they are made: of a table's triggers, SQLite runs the last made
 * first.
 */
const THEMES = ['properties', 'bookings', 'money', 'history', 'outbox', 'disbursements'];

/** The triggers and views of `src/schema/guards`, by name. */
export function currentGuards(): ReadonlyMap<string, Guard> {
  const forgotten = readdirSync(guards).find((file) => !THEMES.includes(path.parse(file).name));
  if (forgotten !== undefined)
    throw new Error(`scripts/schemaFiles.ts does not name ${forgotten}.`);
  const all = THEMES.flatMap((theme) =>
    guardsIn(readFileSync(path.join(guards, `${theme}.sql`), 'utf8')),
  );
  return new Map([...guardsIn(ofOneShape()), ...all].map((guard) => [guard.name, guard]));
}

/** The triggers that many tables have alike. They are made first, and so run last. */
function ofOneShape(): string {
  return [
    ...VERSIONED.map((table) =>
      trigger(
        `${table}_version`,
        `UPDATE ON ${table}\nWHEN NEW.version <> OLD.version + 1`,
        'stale_state',
      ),
    ),
    ...APPEND_ONLY.flatMap((table) => [
      trigger(`${table}_are_not_changed`, `UPDATE ON ${table}`, 'append_only'),
      trigger(`${table}_are_not_deleted`, `DELETE ON ${table}`, 'append_only'),
    ]),
    ...Object.entries(FIXED).map(([table, columns]) =>
      trigger(`${table}_identity_is_fixed`, `UPDATE OF ${columns} ON ${table}`, 'fixed_column'),
    ),
    ...Object.entries(FINAL).map(([table, { of, when }]) =>
      trigger(
        `${table}_are_final`,
        `UPDATE ${of ? `OF ${of} ` : ''}ON ${table}\nWHEN OLD.${when}`,
        'illegal_transition',
      ),
    ),
  ].join('\n\n');
}

function trigger(name: string, before: string, refusal: string): string {
  return `CREATE TRIGGER ${name} BEFORE ${before}\nBEGIN\n  SELECT RAISE(ABORT, '${refusal}');\nEND;`;
}

/** The triggers and views of a text. A blank line separates them. */
export function guardsIn(text: string): Guard[] {
  return text
    .trim()
    .split(/\n\n+/)
    .map((part) => {
      const created = /^(?:--.*\n)*(?<sql>CREATE (?<kind>TRIGGER|VIEW) (?<name>\w+)\b[\s\S]*);$/;
      const { kind, name, sql } = created.exec(part)?.groups ?? {};
      if (!name || !sql) throw new Error(`This is no trigger and no view:\n${part}`);
      return { kind: kind === 'VIEW' ? 'VIEW' : 'TRIGGER', name, sql, text: part };
    });
}

/** What a folder of migrations makes of an empty database. */
export interface Migrated {
  /** The `CREATE` statements of triggers and views, by name. */
  readonly guards: ReadonlyMap<string, { kind: Guard['kind']; sql: string }>;
  /** Tables that have, or lack, a row id against {@link WITHOUT_ROWID}. */
  readonly wronglyStored: readonly string[];
}

/** Applies all migrations of a folder to an empty database. */
export function migrated(folder: string): Migrated {
  const database = new DatabaseSync(':memory:');
  for (const file of migrationsIn(folder))
    database.exec(readFileSync(path.join(folder, file), 'utf8'));
  const objects = database
    .prepare("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: String(sql) }));
  return {
    guards: new Map(
      objects
        .filter(({ type }) => type === 'trigger' || type === 'view')
        .map(({ type, name, sql }) => [name, { kind: kindOf(type), sql }]),
    ),
    wronglyStored: objects
      .filter(({ type }) => type === 'table')
      .filter(({ name, sql }) => WITHOUT_ROWID.includes(name) !== /WITHOUT ROWID\s*$/i.test(sql))
      .map(({ name }) => name),
  };
}

function kindOf(type: string): Guard['kind'] {
  return type === 'view' ? 'VIEW' : 'TRIGGER';
}

/** The names of a folder's migrations, in their order. */
export function migrationsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted();
}

/** Lets drizzle-kit write what it finds changed in the tables into a folder of migrations. */
export function generateInto(folder: string, ...options: readonly string[]): void {
  const { resolve } = createRequire(import.meta.url);
  const kit = path.join(path.dirname(resolve('drizzle-kit')), 'bin.cjs');
  const out = path.relative(root, folder);
  const from = ['--dialect', 'sqlite', '--schema', String(configuration.schema), '--out', out];
  const generated = spawnSync(process.execPath, [kit, 'generate', ...from, ...options], {
    cwd: root,
    encoding: 'utf8',
  });
  if (generated.status !== 0) throw new Error(generated.stdout + generated.stderr);
}
