import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { movements } from './historyTables.ts';
import { transactions } from './moneyTables.ts';

/**
 * What was moved on a day of a property, summed up: reports read a row where the history has hundreds (parts: Sums of days). Follows
 * the history: it has the movements up to the event that `day_sums_progress` names, and those that are no event.
 */
export const daySums = sqliteTable(
  'day_sums',
  {
    propertyId: text('property_id').notNull(),
    /** By the property's clock and zone when it was summed up. */
    day: text().notNull(),
    currency: text().notNull(),
    /** A movement; or `hold`, which moves nothing, for one that a bank approved, on the day when it was made. */
    movement: text({ enum: [...movements, 'hold'] }).notNull(),
    /** Of the card; empty where it is not known. */
    brand: text().notNull(),
    /** Whose virtual card it was: its channel, or `virtual` where none is named; empty for a guest's own card. */
    agency: text().notNull(),
    purpose: text({ enum: transactions.purpose.enumValues }).notNull(),
    actor: text().notNull(),
    /** The name that the person of the staff had last; null for anyone else. */
    actorName: text('actor_name'),
    number: integer().notNull(),
    amountMinor: integer('amount_minor').notNull(),
    feeMinor: integer('fee_minor').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.propertyId,
        table.day,
        table.currency,
        table.movement,
        table.brand,
        table.agency,
        table.purpose,
        table.actor,
      ],
    }),
  ],
);

/**
 * How many payments of a property failed on a day. The day is counted again when an event says that one failed, or that it did
 * not.
 */
export const dayFailures = sqliteTable(
  'day_failures',
  {
    propertyId: text('property_id').notNull(),
    day: text().notNull(),
    currency: text().notNull(),
    status: text({ enum: ['Declined', 'Failed'] }).notNull(),
    /** Why the bank declined; empty where it did not say, and of what failed. */
    declineCode: text('decline_code').notNull(),
    number: integer().notNull(),
    amountMinor: integer('amount_minor').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.propertyId, table.day, table.currency, table.status, table.declineCode],
    }),
  ],
);

/** The last event of a property that {@link daySums} and {@link dayFailures} follow. */
export const daySumsProgress = sqliteTable('day_sums_progress', {
  propertyId: text('property_id').primaryKey(),
  eventNumber: integer('event_number').notNull(),
});
