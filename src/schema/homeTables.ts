import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { isOneOf } from './storage.ts';

/**
 * Which database each property lives in, by the name of its binding (parts: Many databases). In the directory, which is the
 * first database. A property without a row lives in the directory's own.
 */
export const homes = sqliteTable('homes', {
  propertyId: text('property_id').primaryKey(),
  database: text().notNull(),
});

/** Moves of properties between databases. In the directory. */
export const moves = sqliteTable(
  'moves',
  {
    /** A UUID that grows with time. */
    id: text().primaryKey(),
    propertyId: text('property_id').notNull(),
    from: text('from_database').notNull(),
    to: text('to_database').notNull(),
    status: text({ enum: ['copying', 'switching', 'moved', 'failed'] }).notNull(),
    /** How many rows were copied. */
    rows: integer().notNull().default(0),
    /** How long the last step will take, as measured; null before that. Writes wait for as long. */
    lastStepMs: integer('last_step_ms'),
    /** Why it failed, or what keeps it from going on. */
    failure: text(),
    startedAtMs: integer('started_at_ms').notNull(),
    endedAtMs: integer('ended_at_ms'),
  },
  (table) => [
    uniqueIndex('moves_under_way').on(table.propertyId).where(sql`${table.endedAtMs} IS NULL`),
    check('moves_status', isOneOf(table.status)),
    check(
      'moves_ended',
      sql`(${table.endedAtMs} IS NOT NULL) = (${table.status} IN ('moved', 'failed'))`,
    ),
  ],
);

/**
 * Properties that come to a database or leave it. `arriving` and `left`: its rows here are not the property. `leaving`: they
 * are, and their changes are noted for the copy. `frozen`: they are, and nothing changes them.
 */
export const movingProperties = sqliteTable(
  'moving_properties',
  {
    propertyId: text('property_id').primaryKey(),
    state: text({ enum: ['arriving', 'leaving', 'frozen', 'left'] }).notNull(),
  },
  (table) => [check('moving_properties_state', isOneOf(table.state))],
);

/** Rows of leaving properties that changed since they were copied, by their keys. Triggers of a move write it. */
export const movedChanges = sqliteTable(
  'moved_changes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    propertyId: text('property_id').notNull(),
    table: text('table_name').notNull(),
    /** The primary key's values, as a JSON list. */
    key: text().notNull(),
  },
  (table) => [index('moved_changes_of_property').on(table.propertyId, table.id)],
);

/**
 * Which of the deployment's databases this is: 0 for the directory. Ids of customers and applications that it gives begin with
 * it, so that those of a property are free wherever that moves. No row is 0.
 */
export const thisDatabase = sqliteTable('this_database', {
  number: integer().primaryKey(),
});

export type MoveRow = typeof moves.$inferSelect;
