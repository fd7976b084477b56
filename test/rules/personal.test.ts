import { readdirSync } from 'node:fs';
import path from 'node:path';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { HELD } from '../../src/schema/personal.ts';

const folder = path.join(import.meta.dirname, '../../src/schema');

async function allTables(): Promise<SQLiteTable[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('Tables.ts'));
  const modules = await Promise.all(
    files.map((name) => import(path.join(folder, name)) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((one) => Object.values(one).filter((it) => is(it, SQLiteTable)));
}

/**
 * The columns that every table may have and that name nobody. Enumerated columns, numbers and flags need no entry either.
 */
const NEVER_PERSONAL = ['propertyId', 'bookingReference', 'currency', 'gateway'];

/** The columns that can hold somebody's words: texts, JSON and bytes, unless they are enumerated. */
function tellingColumns(table: SQLiteTable): string[] {
  return Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    const isTelling = !/integer|real|numeric/.test(column.getSQLType());
    const isFixed = (column.enumValues?.length ?? 0) > 0 || NEVER_PERSONAL.includes(name);
    return isTelling && !isFixed ? [name] : [];
  });
}

describe('what is personal', () => {
  it('is said of every column of text or bytes, once', async () => {
    for (const table of await allTables()) {
      const held = HELD.find((one) => one.table === table);
      const said = [...(held?.guest ?? []), ...(held?.staff ?? []), ...(held?.nobody ?? [])];
      const enumerated = said.filter((name) => !tellingColumns(table).includes(name));
      const name = getTableName(table);
      expect([name, said.toSorted(), enumerated]).toEqual([
        name,
        tellingColumns(table).toSorted(),
        [],
      ]);
    }
  });
});
