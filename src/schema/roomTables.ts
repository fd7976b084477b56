import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ofProperty, properties } from './propertyTables.ts';

/** A room type of the PMS, with its rates. */
export interface RoomType {
  /** This service's number of the room type. It survives a refresh of the catalogue. */
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly rateTypes: readonly { readonly code: string; readonly name: string }[];
  /** Set when the PMS no longer lists the room type. It keeps its number in case it returns. */
  readonly gone?: true;
}

/** A property's rooms and rates, from the PMS's last reply (pms: GetPropertyInfo). */
export const roomCatalogues = sqliteTable('room_catalogues', {
  propertyId: text('property_id')
    .primaryKey()
    .references(() => properties.id),
  roomTypes: text('room_types', { mode: 'json' }).$type<RoomType[]>().notNull(),
  fetchedAtMs: integer('fetched_at_ms').notNull(),
});

/** Free rooms by night: the PMS's last number, less the bookings made here since. May fall below 0. */
export const inventory = sqliteTable(
  'inventory',
  {
    propertyId: ofProperty(),
    roomTypeCode: text('room_type_code').notNull(),
    day: text().notNull(),
    available: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.propertyId, table.roomTypeCode, table.day] })],
);

/** The price and the restrictions of a night at a rate; each null until the PMS sends it. */
export const nightlyRates = sqliteTable(
  'nightly_rates',
  {
    propertyId: ofProperty(),
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

/** The restrictions of a night at every rate of a room type; each null until the PMS sends it. */
export const roomRestrictions = sqliteTable(
  'room_restrictions',
  {
    propertyId: ofProperty(),
    roomTypeCode: text('room_type_code').notNull(),
    day: text().notNull(),
    minLos: integer('min_los'),
    closed: integer({ mode: 'boolean' }),
    closedToArrival: integer('closed_to_arrival', { mode: 'boolean' }),
    closedToDeparture: integer('closed_to_departure', { mode: 'boolean' }),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.roomTypeCode, table.day] }),
    check('room_restrictions_stay', sql`${table.minLos} IS NULL OR ${table.minLos} >= 0`),
  ],
);

export type RoomRestrictionsRow = typeof roomRestrictions.$inferSelect;
