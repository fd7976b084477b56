/** A deployment of three databases, the last one in an object, and moves of properties between them. */
import { runInDurableObject } from 'cloudflare:test';
import { afterAll, beforeAll, vi } from 'vitest';
import { PropertyMover } from '../../src/moves/object.ts';
import { movedTables } from '../../src/moves/tables.ts';
import * as runner from '../../src/platform/db/runner.ts';
import type { AnswerBody } from './answers.ts';
import { callAsAdmin, testEnv } from './api.ts';
import { makeSchema } from './schema.ts';
import { asD1 } from './store.ts';

/** The databases by their names, the directory first. */
export const databases: Readonly<Record<string, D1Database>> = {
  DB: testEnv.DB,
  DB2: testEnv.SPARE_2,
  STORE1: asD1('STORE1'),
};

/** How often a mover's alarm rings for one move at most. */
const MOST_RINGS = 100;

const ring = PropertyMover.prototype.alarm;

/** Has the file's Worker find three databases, and moves go on only as {@link goOn} says. */
export function threeDatabases(): void {
  const spies: { mockRestore: () => void }[] = [];
  beforeAll(async () => {
    await makeSchema(testEnv.SPARE_2, testEnv.TEST_MIGRATIONS);
    const all: runner.Runners = [
      runner.onD1('DB', 0, testEnv.DB),
      runner.onD1('DB2', 1, testEnv.SPARE_2),
      runner.onStore('STORE1', 2, testEnv.STORES),
    ];
    spies.push(
      vi.spyOn(runner, 'runnersOf').mockReturnValue(all),
      vi.spyOn(PropertyMover.prototype, 'alarm').mockResolvedValue(),
    );
  });
  afterAll(() => {
    for (const spy of spies) spy.mockRestore();
  });
}

/** Rings the mover's alarm once. */
export async function goOn(): Promise<void> {
  const mover = testEnv.MOVER.getByName('mover');
  await runInDurableObject(mover, (object) => ring.call(object));
}

/** Begins a move, and returns its id. */
export async function beginMove(property: string, to: string): Promise<string> {
  const { json, status } = await callAsAdmin('/admin/v1/property/move', { property, to });
  if (status !== 200) throw new Error(`no move: ${JSON.stringify(json)}`);
  return json.move.moveId;
}

export async function moveOf(moveId: string): Promise<AnswerBody['move']> {
  return (await callAsAdmin('/admin/v1/property/move-status', { moveId })).json.move;
}

/** Goes on with a move until it ended; `between` is done before each ring. Returns the move. */
export async function endMove(
  moveId: string,
  between: () => Promise<unknown> = async () => undefined,
): Promise<AnswerBody['move']> {
  for (let rings = 0; rings < MOST_RINGS; rings += 1) {
    await between();
    await goOn();
    const move = await moveOf(moveId);
    if (move.endedAt !== null) return move;
  }
  throw new Error(`the move never ended: ${JSON.stringify(await moveOf(moveId))}`);
}

/** Moves a property. */
export async function move(property: string, to: string): Promise<AnswerBody['move']> {
  return endMove(await beginMove(property, to));
}

/** How many rows each table of a database has of a property, without those that have none. */
export async function rowsOf(property: string, database: string): Promise<Record<string, number>> {
  const d1 = databases[database];
  if (!d1) throw new Error('there is no such database');
  const counts = await d1.batch<{ rows: number }>(
    movedTables().map(({ also, name, owner }) =>
      d1
        .prepare(
          `SELECT count(*) AS rows FROM "${name}" WHERE "${owner}" = ? AND ${also.replaceAll('$.', '')}`,
        )
        .bind(property),
    ),
  );
  const all = movedTables().map(
    ({ name }, at) => [name, counts[at]?.results[0]?.rows ?? 0] as const,
  );
  return Object.fromEntries(all.filter(([, rows]) => rows > 0));
}

/** What is left of moves anywhere, in words: nothing, once all have ended. */
export async function leftOfMoves(): Promise<string[]> {
  const left: string[] = [];
  for (const [name, d1] of Object.entries(databases)) {
    const { results } = await d1
      .prepare(
        `SELECT property_id || ' is ' || state AS what FROM moving_properties
          UNION ALL SELECT 'a change of ' || table_name FROM moved_changes
          UNION ALL SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'noted_*'`,
      )
      .all<{ what: string }>();
    left.push(...results.map(({ what }) => `${name}: ${what}`));
  }
  return left;
}
