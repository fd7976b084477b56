import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { queries } from '../platform/db/database.ts';
import { exportRuns } from '../schema/exportTables.ts';
import {
  homes,
  type MoveRow,
  movedChanges,
  moves,
  movingProperties,
} from '../schema/homeTables.ts';

export function insertMove(row: MoveRow) {
  return queries.insert(moves).values(row);
}

export function selectMove(id: string) {
  return queries.select().from(moves).where(eq(moves.id, id));
}

/** Selects the move that is under way and began first, if any is. */
export function selectNextMove() {
  return queries
    .select()
    .from(moves)
    .where(isNull(moves.endedAtMs))
    .orderBy(asc(moves.startedAtMs), asc(moves.id))
    .limit(1);
}

export function changeMove(id: string, change: Partial<MoveRow>) {
  return queries
    .update(moves)
    .set(change)
    .where(and(eq(moves.id, id), isNull(moves.endedAtMs)));
}

/**
 * Begins the last step of a move, unless an export runs, which would have the property twice or not at all. During it none of
 * its portfolio begins.
 */
export function beginSwitch(id: string, lastStepMs: number) {
  const runs = sql`EXISTS (SELECT 1 FROM ${exportRuns} WHERE status = 'Running')`;
  return queries
    .update(moves)
    .set({ status: 'switching', lastStepMs })
    .where(
      and(eq(moves.id, id), isNull(moves.endedAtMs), sql`(status = 'switching' OR NOT ${runs})`),
    )
    .returning({ id: moves.id });
}

/** Lets a property live in another database. From here on it does. */
export function changeHome(propertyId: string, database: string) {
  return queries
    .insert(homes)
    .values({ propertyId, database })
    .onConflictDoUpdate({ target: homes.propertyId, set: { database } });
}

/** Says in a database how a property stands to it. */
export function putState(
  propertyId: string,
  state: (typeof movingProperties.$inferSelect)['state'],
) {
  return queries
    .insert(movingProperties)
    .values({ propertyId, state })
    .onConflictDoUpdate({ target: movingProperties.propertyId, set: { state } });
}

export function forgetState(propertyId: string) {
  return queries.delete(movingProperties).where(eq(movingProperties.propertyId, propertyId));
}

export function forgetChanges(propertyId: string) {
  return queries.delete(movedChanges).where(eq(movedChanges.propertyId, propertyId));
}
