import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as access from './accessTables.ts';
import * as applications from './applicationTables.ts';
import * as bookings from './bookingTables.ts';
import * as cards from './cardTables.ts';
import * as disbursements from './disbursementTables.ts';
import * as disputes from './disputeTables.ts';
import * as events from './eventTables.ts';
import * as exports from './exportTables.ts';
import * as guestActs from './guestActTables.ts';
import * as history from './historyTables.ts';
import * as homes from './homeTables.ts';
import * as life from './lifeTables.ts';
import * as mails from './mailTables.ts';
import * as money from './moneyTables.ts';
import * as outbox from './outboxTables.ts';
import * as plans from './planTables.ts';
import * as properties from './propertyTables.ts';
import * as reconciliation from './reconciliationTables.ts';
import * as records from './recordTables.ts';
import * as recoveries from './recoveryTables.ts';
import * as rooms from './roomTables.ts';
import * as settlements from './settlementTables.ts';
import * as staff from './staffTables.ts';
import * as sums from './sumTables.ts';

/** Every file of tables. */
const FILES: readonly object[] = [
  access,
  applications,
  bookings,
  cards,
  disbursements,
  disputes,
  events,
  exports,
  guestActs,
  history,
  homes,
  life,
  mails,
  money,
  outbox,
  plans,
  properties,
  reconciliation,
  records,
  recoveries,
  rooms,
  settlements,
  staff,
  sums,
];

/** What belongs to no property: the first database has it (parts: Many databases). */
export const OF_DIRECTORY: readonly string[] = [
  'clients',
  'ended_sessions',
  'export_files',
  'export_runs',
  'export_users',
  'homes',
  'keyring_keys',
  'local_mailbox',
  'moves',
  'passkeys',
  'payout_progress',
  'sign_in_links',
  'staff_sessions',
  'suppressed_addresses',
  'users',
];

/** What each database has of its own. */
export const OF_EACH_DATABASE: readonly string[] = [
  'moved_changes',
  'moving_properties',
  'this_database',
];

/** What a property leaves behind when it moves: nothing needs it while no export runs. */
export const LEFT_BEHIND: readonly string[] = ['customer_moves'];

/** The columns that say whose a row is, where that is not `property_id`. */
const OWNERS: Readonly<Record<string, string>> = { properties: 'id', settings_changes: 'place' };

/** What else makes a row a property's: changes of people, clients and homes are the directory's. */
const ALSO: Readonly<Record<string, string>> = {
  settings_changes:
    "$.subject NOT LIKE 'client %' AND $.subject NOT LIKE 'user %' AND $.subject NOT LIKE 'export-user %' AND $.subject NOT LIKE 'move %'",
};

/** A column as a copy of its rows needs it. */
export interface CopiedColumn {
  readonly name: string;
  readonly type: 'integer' | 'text' | 'blob';
}

/** A table whose rows belong to properties and move with them. */
export interface Belonging {
  readonly name: string;
  /** The column that names the property. */
  readonly owner: string;
  /** What else makes a row the property's, in SQL: `$` stands for the row. */
  readonly also: string;
  /** The columns of its primary key, in their order. */
  readonly key: readonly string[];
  readonly columns: readonly CopiedColumn[];
  /** The tables that its rows name. */
  readonly parents: readonly string[];
}

export const TABLES: readonly SQLiteTable[] = FILES.flatMap((file) =>
  Object.values(file).filter((one): one is SQLiteTable => is(one, SQLiteTable)),
);

/**
 * The tables whose rows belong to properties: all that name one, by the schema itself. A table that names none is in one of the
 * lists above, or a test fails.
 */
export function belongings(): Belonging[] {
  return TABLES.flatMap(belongingsOf);
}

function belongingsOf(table: SQLiteTable): Belonging[] {
  const { columns, foreignKeys, name, primaryKeys } = getTableConfig(table);
  const owner = OWNERS[name] ?? 'property_id';
  const isNobodys = OF_DIRECTORY.includes(name) || OF_EACH_DATABASE.includes(name);
  if (isNobodys || !columns.some((column) => column.name === owner)) return [];
  const key = [...columns.filter(({ primary }) => primary), ...(primaryKeys[0]?.columns ?? [])];
  return [
    {
      name,
      owner,
      also: ALSO[name] ?? '1',
      key: key.map((column) => column.name),
      // What is generated, the copy generates.
      columns: columns
        .filter(({ generated }) => generated === undefined)
        .map((column) => ({
          name: column.name,
          type: column.getSQLType() as CopiedColumn['type'],
        })),
      parents: foreignKeys.map((one) => getTableConfig(one.reference().foreignTable).name),
    },
  ];
}

/** Columns of a table that sums leave out: reconciliation marks them in any copy. */
export const MARKS: readonly string[] = ['reconciled_at_ms'];
