import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getTableName } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { belongings, OF_DIRECTORY, OF_EACH_DATABASE, TABLES } from '../../src/schema/belongings.ts';

const src = path.join(import.meta.dirname, '../../src');

describe('the tables of properties', () => {
  it('know every file of tables', () => {
    const text = readFileSync(path.join(src, 'schema/belongings.ts'), 'utf8');
    const files = readdirSync(path.join(src, 'schema')).filter((one) => one.endsWith('Tables.ts'));
    expect(files.filter((file) => !text.includes(`'./${file}'`))).toEqual([]);
    expect(TABLES.length).toBeGreaterThan(40);
  });

  it('have every table that is in no other list', () => {
    const own = belongings().map(({ name }) => name);
    const known = new Set([...OF_DIRECTORY, ...OF_EACH_DATABASE, ...own]);
    expect(TABLES.map(getTableName).filter((name) => !known.has(name))).toEqual([]);
  });

  it('have keys by which they are copied, and come after what their rows name', () => {
    expect(belongings().filter(({ key }) => key.length === 0)).toEqual([]);
    const names = new Set(belongings().map(({ name }) => name));
    const missing = belongings()
      .flatMap(({ parents }) => parents)
      .filter((name) => !names.has(name));
    expect(missing).toEqual([]);
  });

  it('are apart from those of the directory', () => {
    expect(belongings().filter(({ name }) => OF_DIRECTORY.includes(name))).toEqual([]);
  });
});

describe('the databases', () => {
  it('are named in one place only', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
    const naming = files
      .filter((file) => /\.tsx?$/.test(file))
      .filter((file) =>
        /\benv\.DB\b|\bnew Database\(/.test(readFileSync(path.join(src, file), 'utf8')),
      );
    expect(naming.toSorted()).toEqual(['platform/db/database.ts', 'platform/db/runner.ts']);
  });
});
