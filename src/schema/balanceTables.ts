import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * What each change of a transaction added to, or took from, what its booking has open (parts: The journal). Triggers
 * write a row with each change of a state or an open amount, so that the sum up to an instant is what was open then.
 * Bonds have no rows. Amounts are minor units without fees. Rows are never changed.
 */
export const openAmounts = sqliteTable(
  'open_amounts',
  {
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    transactionId: integer('transaction_id').notNull(),
    /** 1 for the first change of the transaction. */
    number: integer().notNull(),
    scheduledMinor: integer('scheduled_minor').notNull(),
    uncertainMinor: integer('uncertain_minor').notNull(),
    heldMinor: integer('held_minor').notNull(),
    atMs: integer('at_ms').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.propertyId, table.bookingReference, table.transactionId, table.number],
    }),
  ],
);

/** The total cost of a booking since an instant. Triggers write a row with each other total. Rows are never changed. */
export const totalCosts = sqliteTable(
  'total_costs',
  {
    propertyId: text('property_id').notNull(),
    bookingReference: text('booking_reference').notNull(),
    /** 1 for the booking's first total. */
    number: integer().notNull(),
    /** Minor units of the booking's currency. */
    totalCostMinor: integer('total_cost_minor').notNull(),
    atMs: integer('at_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.bookingReference, table.number] })],
);
