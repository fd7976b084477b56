/** What is read from all of several databases waits for none that is away. */
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Database, queries } from '../../src/platform/db/database.ts';
import { DatabaseUnavailable } from '../../src/platform/db/errors.ts';
import type { Runner } from '../../src/platform/db/runner.ts';
import { Trace } from '../../src/platform/trace.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A database that answers each statement with its own name, or never. */
function runner(name: string, number: number, answers: boolean): Runner {
  const run: Runner['run'] = (asked) =>
    answers
      ? Promise.resolve(
          asked.map(({ sql: text }) => ({
            results: text.includes('moving_properties') ? [] : [{ id: name }],
          })),
        )
      : new Promise(() => undefined);
  return { name, number, takesNew: true, run };
}

function databases(...answers: readonly boolean[]): Database {
  const [first, ...others] = answers.map((one, at) => runner(`DB${at}`, at, one));
  if (!first) throw new Error('no database');
  return new Database([first, ...others], new Trace());
}

const named = queries.select({ id: sql<string>`id`.as('id') }).from(sql`properties`);
const SPAN = 'd1.property.find';

/** What a read comes to in the time that one waits. */
async function soon<Found>(reading: Promise<Found>): Promise<Found> {
  const settled = Promise.allSettled([reading]);
  await vi.advanceTimersByTimeAsync(5_000);
  await settled;
  return reading;
}

it('what needs all of them is refused', async () => {
  const reading = databases(true, false, true).rowsAnywhere(SPAN, named);
  await expect(soon(reading)).rejects.toThrow(DatabaseUnavailable);
});

it('what does without is read from the others', async () => {
  const found = await soon(databases(true, false, true).everyAnswering(SPAN, [named]));
  expect(found.flat(2)).toEqual([{ id: 'DB0' }, { id: 'DB2' }]);
});

it('what one of the others has is found', async () => {
  const database = databases(true, false, true);
  expect(await soon(database.rowAnywhere(SPAN, named))).toEqual({ id: 'DB0' });
  const none = database.rowsWhereFound(SPAN, named, async () => []);
  await expect(soon(none)).rejects.toThrow(DatabaseUnavailable);
});

it.each([
  ['a further one', [true, false, true], ['DB1']],
  ['none', [true, true, true], []],
] as const)('says that %s is away', async (_which, answers, away) => {
  const database = databases(...answers);
  const answered = await soon(
    database.ofAnswering(async ({ name, database: one }) => {
      await one.measured(SPAN, [named]);
      return { name };
    }),
  );
  expect(database.awayFrom(answered)).toEqual(away);
});

it('says nothing without the directory', () => {
  expect(() => databases(true, true, true).awayFrom([{ name: 'DB1' }])).toThrow(
    DatabaseUnavailable,
  );
});
