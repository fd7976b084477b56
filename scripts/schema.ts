/**
 * `npm run schema -- --name <what-changed>`: writes the migration that brings a database to the current schema. Read it
 * before you commit it: how rows that exist are carried over is written into it by hand.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { WITHOUT_ROWID } from '../src/schema/storage.ts';
import { root } from './environment.ts';
import { BREAKPOINT, currentGuards, generateInto, migrated, migrationsIn } from './schemaFiles.ts';

const folder = path.join(root, 'migrations');
mkdirSync(folder, { recursive: true });
const { name } = parseArgs({ options: { name: { type: 'string' } } }).values;
if (!name) throw new Error('Say what changed: npm run schema -- --name <what-changed>');

const known = migrationsIn(folder);
const changes = changesOfGuards();
generateInto(folder, '--name', name);
if (newest() === undefined && changes.length > 0) {
  generateInto(folder, '--name', name, '--custom');
}
const file = newest();
if (file === undefined) console.log('Nothing has changed.');
else {
  const generated = withStorage(readFileSync(file, 'utf8').trim());
  writeFileSync(file, `${[generated, ...changes].join(`\n${BREAKPOINT}\n`)}\n`);
  console.log(path.relative(root, file));
}

/** The migration that was just written. */
function newest(): string | undefined {
  const added = migrationsIn(folder).find((one) => !known.includes(one));
  return added && path.join(folder, added);
}

/** The statements that bring the guards of the migrations to the current ones. */
function changesOfGuards(): string[] {
  const before = migrated(folder).guards;
  const now = currentGuards();
  const dropped = [...before].filter(([guard, { sql }]) => now.get(guard)?.sql !== sql);
  const created = [...now.values()].filter((guard) => before.get(guard.name)?.sql !== guard.sql);
  return [
    ...dropped.map(([guard, { kind }]) => `DROP ${kind} ${guard};`),
    // Views first: triggers read them.
    ...created.filter(({ kind }) => kind === 'VIEW').map(({ text }) => text),
    ...created.filter(({ kind }) => kind === 'TRIGGER').map(({ text }) => text),
  ];
}

/** Adds what drizzle-kit cannot say. */
function withStorage(text: string): string {
  return text.replaceAll(
    /(CREATE TABLE `(\w+)` \([\s\S]*?\n\));/g,
    (all, table: string, of: string) =>
      WITHOUT_ROWID.includes(of) ? `${table} WITHOUT ROWID;` : all,
  );
}
