import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Every account at an acquirer that a property has or had: what happens later to payments of a former account is still the
 * property's. Saving a property adds its account.
 */
export const merchantAccounts = sqliteTable(
  'merchant_accounts',
  {
    propertyId: text('property_id').notNull(),
    account: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.propertyId, table.account] }),
    index('merchant_accounts_by_account').on(table.account),
  ],
);
