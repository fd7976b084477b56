import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Database, type Queries } from '../../src/db/database.ts';
import { type PropertyRow, properties } from '../../src/db/propertyTables.ts';
import { columnsOf, remembered } from '../../src/db/remembered.ts';
import { Crossings } from '../../src/io/crossings.ts';
import { freshDatabase, testEnv } from '../support/api.ts';

beforeAll(freshDatabase);

const database = new Database(testEnv.DB, new Crossings());

async function one<T>(statement: (queries: Queries) => T): Promise<T> {
  return statement(database.queries);
}

const byId = remembered<{ readonly id: string }>()((queries, { id }) =>
  queries.select().from(properties).where(eq(properties.id, id)),
);

const insert = remembered<PropertyRow>()((queries, row) => queries.insert(properties).values(row));

type Change = Partial<PropertyRow> & { readonly ofId: string };

const change = remembered<Change>()((queries, { ofId, ...columns }) =>
  queries
    .update(properties)
    .set(columnsOf<Partial<PropertyRow>>(columns))
    .where(and(eq(properties.id, ofId)))
    .returning({ id: properties.id }),
);

async function read(id: string): Promise<PropertyRow | undefined> {
  const [[row]] = await database.batch('d1.property.find', [byId(database.queries, { id })]);
  return row;
}

describe('a remembered statement', () => {
  it('reads and writes rows as drizzle does: texts, numbers, flags, JSON and nulls', async () => {
    const demo = await read('demo');
    const [[plain]] = await database.batch('d1.property.find', [
      database.queries.select().from(properties).where(eq(properties.id, 'demo')),
    ]);
    expect(demo).toEqual(plain);
    const row = {
      ...(demo as PropertyRow),
      id: 'other',
      cardFeeByBrand: { amex: 290 },
      keepSchedulesOnCancellation: true,
      pmsUrl: null,
    };
    await database.batch('d1.property.save', [insert(database.queries, row)]);
    expect(await read('other')).toEqual(row);
  });

  it('is filled with other values each time, several at once in a batch', async () => {
    const [[one], [other], [none]] = await database.batch('d1.property.find', [
      byId(database.queries, { id: 'demo' }),
      byId(database.queries, { id: 'other' }),
      byId(database.queries, { id: 'nobody' }),
    ]);
    expect([one?.id, other?.id, none]).toEqual(['demo', 'other', undefined]);
  });

  it('changes the columns that are named, and no other', async () => {
    const before = await read('other');
    const version = (before?.version ?? 0) + 1;
    const [changed] = await database.batch('d1.property.save', [
      change(database.queries, { ofId: 'other', name: 'Renamed', version }),
    ]);
    expect(changed).toEqual([{ id: 'other' }]);
    expect(await read('other')).toEqual({ ...before, name: 'Renamed', version });
    await database.batch('d1.property.save', [
      change(database.queries, { ofId: 'other', cardFeeByBrand: {}, version: version + 1 }),
    ]);
    expect(await read('other')).toMatchObject({ name: 'Renamed', cardFeeByBrand: {} });
  });

  it('builds its SQL once for each set of values', async () => {
    const build = vi.fn((queries: Queries, { id }: { readonly id: unknown }) =>
      queries
        .select()
        .from(properties)
        .where(eq(properties.id, id as string)),
    );
    const statement = remembered<{ readonly id: string }>()(build);
    await one((queries) => statement(queries, { id: 'demo' }));
    await one((queries) => statement(queries, { id: 'other' }));
    expect(build).toHaveBeenCalledTimes(1);
  });
});
