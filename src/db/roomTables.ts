import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { properties } from './propertyTables.ts';

/** A kind of room that the PMS knows, with the rates that it is sold at. */
export interface RoomType {
  /** This service's own number of it, kept when the PMS is asked again. */
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly rateTypes: readonly { readonly code: string; readonly name: string }[];
  /** Set while the PMS names it no more: its number is kept for it, should it come back. */
  readonly gone?: true;
}

/** A property's rooms and rates as its PMS told them last (decisions: section 8, `GetPropertyInfo`). */
export const roomCatalogues = sqliteTable('room_catalogues', {
  propertyId: text('property_id')
    .primaryKey()
    .references(() => properties.id),
  roomTypes: text('room_types', { mode: 'json' }).$type<RoomType[]>().notNull(),
  fetchedAtMs: integer('fetched_at_ms').notNull(),
});

/** Rooms still free by night: what the PMS said last, less what was booked here since. May fall below 0. */
export const inventory = sqliteTable(
  'inventory',
  {
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    roomTypeCode: text('room_type_code').notNull(),
    day: text().notNull(),
    available: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.roomTypeCode, table.day] })],
);

/** What a night costs at a rate, and what restricts its sale; each null until the PMS said it. */
export const nightlyRates = sqliteTable(
  'nightly_rates',
  {
    propertyId: text('property_id')
      .notNull()
      .references(() => properties.id),
    roomTypeCode: text('room_type_code').notNull(),
    rateTypeCode: text('rate_type_code').notNull(),
    day: text().notNull(),
    /** Minor units of the property's currency; 0 is closed. */
    valueMinor: integer('value_minor'),
    minLos: integer('min_los'),
    closed: integer({ mode: 'boolean' }),
    closedToArrival: integer('closed_to_arrival', { mode: 'boolean' }),
    closedToDeparture: integer('closed_to_departure', { mode: 'boolean' }),
  },
  (table) => [
    primaryKey({
      columns: [table.propertyId, table.roomTypeCode, table.rateTypeCode, table.day],
    }),
    check('nightly_rates_value', sql`${table.valueMinor} IS NULL OR ${table.valueMinor} >= 0`),
    check('nightly_rates_stay', sql`${table.minLos} IS NULL OR ${table.minLos} >= 0`),
  ],
);

export type NightlyRateRow = typeof nightlyRates.$inferSelect;
