import { integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { ofProperty } from './propertyTables.ts';

/** That a guest's data were erased (interface: Erase a guest). Asked again, the same erasure answers. */
export const erasures = sqliteTable(
  'erasures',
  {
    /** A UUID that grows with time. */
    id: text().primaryKey(),
    propertyId: ofProperty(),
    /** `booking <reference>`, or `address <digest>`: the SHA-256 of the address in lower case, as hex. */
    subject: text().notNull(),
    /** The references of the bookings that were erased. */
    bookings: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    actor: text().notNull(),
    /** When something was erased last, by the property's clock. */
    atMs: integer('at_ms').notNull(),
  },
  (table) => [unique('erasures_subject').on(table.propertyId, table.subject)],
);

export type ErasureRow = typeof erasures.$inferSelect;
