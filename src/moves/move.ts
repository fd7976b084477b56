import type { Database } from '../platform/db/database.ts';
import { homeOf, numberDatabase } from '../records/homes/homes.ts';
import type { MoveRow } from '../schema/homeTables.ts';
import {
  type Copied,
  copyStep,
  deleteRows,
  isCopied,
  isSame,
  NOTHING_COPIED,
  noteChanges,
  noteNoChanges,
  type Way,
} from './copy.ts';
import {
  beginSwitch,
  changeHome,
  changeMove,
  forgetChanges,
  forgetState,
  putState,
} from './store.ts';

/** How much of a property is copied in one call: the platform allows 1,000 statements for it. */
const STEPS_PER_CALL = 8;

/** How few changes a step may have left for the last one to begin: then that is short. */
const FEW_CHANGES = 200;

/** What the last step takes beside the comparison that is measured, in milliseconds. */
const BESIDE_MS = 500;

/** How often the databases may differ before a move fails. */
const MOST_COMPARISONS = 3;

/** How far a move is; the mover's object keeps it between calls. Null before the first. */
export type Progress = Copied | null;

/** What is left of a move: nothing, or more, after a pause of so many milliseconds. */
export type Left =
  | { readonly ended: true }
  | { readonly progress: Progress; readonly pauseMs: number };

const ENDED: Left = { ended: true };

/** How long a move waits for exports to end. */
const EXPORT_PAUSE_MS = 2_000;

/**
 * Goes on with a move (parts: Many databases). Each step can be repeated, so a crash costs one step at most; the directory's
 * one write says where the property lives, so it always has one home.
 */
export async function goOn(database: Database, move: MoveRow, progress: Progress): Promise<Left> {
  const way = wayOf(database, move);
  if ((await homeOf(database, move.propertyId)) === move.to) return finish(database, way, move);
  if (progress === null) return { progress: await begin(database, way, move), pauseMs: 0 };
  let copied = progress;
  for (let steps = 0; steps < STEPS_PER_CALL; steps += 1) {
    const before = copied;
    copied = await copyStep(way, before);
    const isAlmostDone = isCopied(before) && copied.change - before.change < FEW_CHANGES;
    if (isAlmostDone) return switchHome(database, way, move, copied);
  }
  await database.directory.batch('d1.move.save', [changeMove(move.id, { rows: copied.rows })]);
  return { progress: copied, pauseMs: 0 };
}

function wayOf({ each }: Database, { from, propertyId, to }: MoveRow): Way {
  const named = (name: string) => each.find((one) => one.name === name)?.database;
  const [source, target] = [named(from), named(to)];
  if (!source || !target) throw new Error('a database of the move is no longer bound');
  return { propertyId, source, target };
}

/** Has the source note what changes from now on, and makes room in the target. */
async function begin(database: Database, way: Way, { to }: MoveRow): Promise<Copied> {
  const { propertyId, source, target } = way;
  await source.batch('d1.move.save', [
    ...([forgetChanges(propertyId), putState(propertyId, 'leaving')] as const),
    ...noteChanges(),
  ]);
  await numberDatabase(database, to);
  await target.batch('d1.move.save', [putState(propertyId, 'arriving')]);
  // What a move that failed may have left.
  await deleteRows(target, propertyId);
  return NOTHING_COPIED;
}

/** The last step: nothing changes the property any more; what changed is copied, all is compared, and the home changes. */
async function switchHome(
  database: Database,
  way: Way,
  move: MoveRow,
  copied: Copied,
): Promise<Left> {
  const { propertyId, source } = way;
  const { directory } = database;
  const startedMs = Date.now();
  await isSame(way);
  const lastStepMs = (Date.now() - startedMs) * 2 + BESIDE_MS;
  const [begun] = await directory.batch('d1.move.save', [beginSwitch(move.id, lastStepMs)]);
  if (begun.length === 0) return { progress: copied, pauseMs: EXPORT_PAUSE_MS };
  await source.batch('d1.move.save', [putState(propertyId, 'frozen')]);
  const last = await copyUntilSame(way, copied);
  if (last === null) return fail(database, way, move, 'the copy differs from what was copied');
  await directory.batch('d1.move.save', [
    changeHome(propertyId, move.to),
    changeMove(move.id, { rows: last.rows }),
  ]);
  return finish(database, way, move);
}

/** Copies what is left and compares; null if both differ time and again. */
async function copyUntilSame(way: Way, copied: Copied): Promise<Copied | null> {
  let last = copied;
  for (let compared = 0; compared < MOST_COMPARISONS; compared += 1) {
    for (let change = -1; change !== last.change; ) {
      change = last.change;
      last = await copyStep(way, last);
    }
    if (await isSame(way)) return last;
  }
  return null;
}

/** What follows once the property has its new home: the old one lets go of it, then the new one takes changes. */
async function finish(database: Database, way: Way, { id }: MoveRow): Promise<Left> {
  const { propertyId, source, target } = way;
  await source.batch('d1.move.save', [putState(propertyId, 'left')]);
  await target.batch('d1.move.save', [forgetState(propertyId), forgetChanges(propertyId)]);
  await deleteRows(source, propertyId);
  await letGo(way);
  await database.directory.batch('d1.move.save', [
    changeMove(id, { status: 'moved', endedAtMs: Date.now() }),
  ]);
  return ENDED;
}

/** Takes a move back: the property stays where it is. */
async function fail(database: Database, way: Way, { id }: MoveRow, failure: string): Promise<Left> {
  const { propertyId, target } = way;
  await letGo(way);
  await deleteRows(target, propertyId);
  await target.batch('d1.move.save', [forgetState(propertyId)]);
  await database.directory.batch('d1.move.save', [
    changeMove(id, { status: 'failed', failure, endedAtMs: Date.now() }),
  ]);
  return ENDED;
}

/** The source notes nothing any more. One move is under way at a time, so nobody else needs the triggers. */
async function letGo({ propertyId, source }: Way): Promise<void> {
  await source.batch('d1.move.save', [
    forgetState(propertyId),
    forgetChanges(propertyId),
    ...noteNoChanges(),
  ]);
}

/** Takes a move back that cannot go on, unless the property has its new home already. True if it was taken back. */
export async function giveUp(database: Database, move: MoveRow, failure: string): Promise<boolean> {
  if ((await homeOf(database, move.propertyId)) === move.to) return false;
  await fail(database, wayOf(database, move), move, failure);
  return true;
}
