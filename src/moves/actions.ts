import { v7 as timeOrderedUuid } from 'uuid';
import { failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { violatesUnique } from '../platform/db/errors.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { objectNamed } from '../platform/objects.ts';
import { Trace } from '../platform/trace.ts';
import { appendChange, type ChangedBy } from '../records/audit/changes.ts';
import { homeOf, requireDatabase } from '../records/homes/homes.ts';
import { propertyNotFound } from '../records/properties/rules.ts';
import { findProperty } from '../records/properties/store.ts';
import type { MoveRow } from '../schema/homeTables.ts';
import type { PropertyMover } from './object.ts';
import { insertMove, selectMove, selectNextMove } from './store.ts';

/** Begins to move a property to another database (interface: Databases). Its copy goes on by itself. */
export async function beginMove(
  database: Database,
  { property: propertyId, to }: { readonly property: string; readonly to: string },
  by: ChangedBy,
): Promise<Result<MoveRow>> {
  const { directory } = database;
  if ((await findProperty(database, propertyId)) === null) return err(propertyNotFound());
  const known = requireDatabase(database, 'to', to);
  if (!known.ok) return known;
  const from = await homeOf(database, propertyId);
  if (from === to) return err(failure('invalid_state', 'The property lives there already.'));
  const row: MoveRow = {
    id: timeOrderedUuid(),
    propertyId,
    from,
    to,
    status: 'copying',
    rows: 0,
    lastStepMs: null,
    failure: null,
    startedAtMs: by.nowMs,
    endedAtMs: null,
  };
  try {
    await directory.batch('d1.move.save', [
      insertMove(row),
      ...appendChange(by, {
        places: [propertyId],
        subject: `move ${row.id}`,
        before: { database: from },
        after: { database: to },
      }),
    ]);
    return ok(row);
  } catch (error) {
    if (!violatesUnique(error, 'moves.property_id')) throw error;
    return err(failure('invalid_state', 'A move of the property is under way.'));
  }
}

/** Reads a move. One round trip. */
export async function readMove(database: Database, id: string): Promise<Result<MoveRow>> {
  const [[row]] = await database.directory.batch('d1.move.read', [selectMove(id)]);
  return row ? ok(row) : err(failure('move_not_found', 'There is no such move.'));
}

/** Makes the mover go on. A failure is only logged: the sweep repeats it. */
export async function wakeMover(env: Env): Promise<void> {
  const movers = env.MOVER as DurableObjectNamespace<PropertyMover>;
  try {
    await new Trace().span('object.mover', () => objectNamed(env, movers, 'mover').wake());
  } catch (error) {
    logError('notify_failed', error, {});
  }
}

/** Goes on with a move whose alarm was lost. The frequent Cron Trigger runs it. */
export async function sweepMoves(env: Env): Promise<number> {
  const database = openDatabase(env, new Trace());
  if (!database.isMany) return 0;
  const [open] = await database.batch('d1.sweep.read', [selectNextMove()]);
  if (open.length > 0) await wakeMover(env);
  return open.length;
}
