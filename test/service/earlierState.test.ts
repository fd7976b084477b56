/** State of a version before the schema began again. */
import { afterAll, expect, it } from 'vitest';
import { prepareState, withDatabase } from '../../scripts/prepare.ts';
import { stateFolder } from './client.ts';

const state = stateFolder();

afterAll(() => state.remove());

it('the state of an earlier version is refused with a sentence that names it, and stays as it is', async () => {
  await withDatabase(state.path, async (d1) => {
    await d1.batch([
      d1.prepare('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)'),
      d1.prepare("INSERT INTO d1_migrations (name) VALUES ('0000_foundation.sql')"),
      d1.prepare('CREATE TABLE bookings (reference TEXT PRIMARY KEY)'),
    ]);
  });
  await expect(prepareState(state.path)).rejects.toThrow(
    'This state was made by an earlier version, which is not carried over: it has the migration 0000_foundation.sql.',
  );
  const tables = await withDatabase(state.path, async (d1) => {
    const names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*'";
    return (await d1.prepare(names).all<{ name: string }>()).results.map(({ name }) => name);
  });
  expect(tables).toEqual(['d1_migrations', 'bookings']);
});
