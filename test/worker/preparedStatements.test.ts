import { and, eq, fillPlaceholders, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { Database, queries } from '../../src/platform/db/database.ts';
import { columnsOf, prepared } from '../../src/platform/db/prepared.ts';
import { Trace } from '../../src/platform/trace.ts';
import { type PropertyRow, properties } from '../../src/schema/propertyTables.ts';
import { testEnv } from '../support/api.ts';

const database = new Database(testEnv.DB, new Trace());

const byId = prepared<{ readonly id: string }>()(({ id }) =>
  queries.select().from(properties).where(eq(properties.id, id)),
);

const insert = prepared<PropertyRow>()((row) => queries.insert(properties).values(row));

type Change = Partial<PropertyRow> & { readonly ofId: string };

const change = prepared<Change>()(({ ofId, ...columns }) =>
  queries
    .update(properties)
    .set(columnsOf<Partial<PropertyRow>>(columns))
    .where(and(eq(properties.id, ofId)))
    .returning({ id: properties.id }),
);

async function read(id: string): Promise<PropertyRow | undefined> {
  const [[row]] = await database.batch('d1.property.find', [byId({ id })]);
  return row;
}

// Where one of these fails after an upgrade of drizzle, `src/platform/db/prepared.ts` is the only file to mend.
describe('a prepared statement', () => {
  it('reads and writes rows as drizzle does: texts, numbers, flags, JSON and nulls', async () => {
    const demo = await read('demo');
    const [[plain]] = await database.batch('d1.property.find', [
      queries.select().from(properties).where(eq(properties.id, 'demo')),
    ]);
    expect(demo).toEqual(plain);
    const row = {
      ...(demo as PropertyRow),
      id: 'other',
      cardFeeByBrand: { amex: 290 },
      keepSchedulesOnCancellation: true,
      pmsUrl: null,
    };
    await database.batch('d1.property.save', [insert(row)]);
    expect(await read('other')).toEqual(row);
  });

  it('is filled with other values each time, several at once in a batch', async () => {
    const [[one], [other], [none]] = await database.batch('d1.property.find', [
      byId({ id: 'demo' }),
      byId({ id: 'other' }),
      byId({ id: 'nobody' }),
    ]);
    expect([one?.id, other?.id, none]).toEqual(['demo', 'other', undefined]);
  });

  it('changes the columns that are named, and no other', async () => {
    const before = await read('other');
    const version = (before?.version ?? 0) + 1;
    const [changed] = await database.batch('d1.property.save', [
      change({ ofId: 'other', name: 'Renamed', version }),
    ]);
    expect(changed).toEqual([{ id: 'other' }]);
    expect(await read('other')).toEqual({ ...before, name: 'Renamed', version });
    await database.batch('d1.property.save', [
      change({ ofId: 'other', cardFeeByBrand: {}, version: version + 1 }),
    ]);
    expect(await read('other')).toMatchObject({ name: 'Renamed', cardFeeByBrand: {} });
  });

  it('builds its SQL once for each set of values', async () => {
    const build = vi.fn(({ id }: { readonly id: unknown }) =>
      queries
        .select()
        .from(properties)
        .where(eq(properties.id, id as string)),
    );
    const statement = prepared<{ readonly id: string }>()(build);
    const texts = ['demo', 'other'].map((id) => statement({ id }).prepare().getQuery());
    expect(build).toHaveBeenCalledTimes(1);
    expect(texts.map(({ params }) => params)).toEqual([['demo'], ['other']]);
    expect(texts[0]?.sql).toBe(texts[1]?.sql);
  });

  it('has the SQL and the values that drizzle itself would send', async () => {
    const row = {
      ...((await read('demo')) as PropertyRow),
      cardFeeByBrand: { amex: 290 },
      pmsUrl: null,
    };
    const { sql, params } = queries.insert(properties).values(row).prepare().getQuery();
    expect(insert(row).prepare().getQuery()).toEqual({ sql, params });
  });
});

describe('drizzle, as prepared.ts has to work around it', () => {
  const named = eq(properties.id, sql.placeholder('id'));

  it('fills no placeholders in a batch: once it does, use its own prepared statements instead', async () => {
    const query = queries.select().from(properties).where(named);
    await expect(queries.batch([query])).rejects.toThrow();
  });

  it('takes no prepared statement in a batch: once it does, use it instead', async () => {
    const query = queries.select().from(properties).where(eq(properties.id, 'demo'));
    const taken = query.prepare() as unknown as typeof query;
    await expect(queries.batch([taken])).rejects.toThrow('_prepare');
  });

  it('encodes null as JSON when it fills placeholders: once it does not, use fillPlaceholders', () => {
    const json = sql.param(sql.placeholder('fees'), properties.cardFeeByBrand);
    expect(fillPlaceholders([json], { fees: null })).toEqual(['null']);
  });
});
