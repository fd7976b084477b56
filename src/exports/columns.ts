import { lazy } from '../core/lazy.ts';
import { currenciesByExponent } from '../core/money.ts';
import {
  agentFields,
  type Field,
  guestFields,
  type PlainField,
  stayFields,
} from '../records/applications/rules/fields.ts';
import { applications } from '../schema/applicationTables.ts';
import type { Variant } from './rules/variants.ts';

/** The types of BigQuery that the exports use for single values. */
export type ScalarType =
  | 'STRING'
  | 'INTEGER'
  | 'FLOAT'
  | 'NUMERIC'
  | 'BOOLEAN'
  | 'DATE'
  | 'TIMESTAMP';

export type Column =
  | {
      readonly name: string;
      readonly type: ScalarType;
      /** The SQL expression that gives the member's value as JSON text, `null` included. */
      readonly json: string;
    }
  | {
      readonly name: string;
      readonly type: 'RECORD';
      readonly repeated: boolean;
      readonly columns: readonly Column[];
      /** As above; undefined for records that the export writes row by row. */
      readonly json?: string;
    };

type ColumnSql = (column: string) => string;

/**
 * One line of the property-system file without its bookings (exports: Property-system file). `of` returns the SQL of a
 * customer's value; `entryId` is the column with the PMS's number.
 */
export function customerColumns(of: ColumnSql, entryId: string): Column[] {
  return [
    integer('entryId', entryId),
    ...personColumns(of),
    agentColumn(of('agent'), 'propertySystem'),
  ];
}

/** One entry of `bookings` in the property-system file (exports: Property-system file). */
export function bookingColumns(of: string): Column[] {
  return [
    integer('bookingId', `${of}.booking_id`),
    text('bookingType', `${of}.booking_type`),
    text('applicationNumber', `${of}.application_number`),
    ...stayColumns(of, 'propertySystem'),
  ];
}

/** One line of the application-console file (exports: Application-console file). */
export function applicationColumns(of: string): Column[] {
  return [
    text('applicationNumber', `${of}.application_number`),
    text('email', `${of}.email`),
    integer('contactId', `${of}.contact_id`),
    ...personColumns((column) => `${of}.${column}`),
    text('bookingType', `${of}.booking_type`),
    ...stayColumns(of, 'applicationConsole'),
    agentColumn(`${of}.agent`, 'applicationConsole'),
    tenantApplicationsColumn(of),
  ];
}

function personColumns(of: ColumnSql): Column[] {
  return [text('property', of('property_id')), ...fieldColumns(guestFields, of)];
}

/** The columns of the fields that applications store unchanged, without those that exports omit. */
function fieldColumns<Name extends PlainField>(
  fields: Readonly<Record<Name, Field>>,
  of: ColumnSql,
): Column[] {
  const names = Object.keys(fields) as Name[];
  return names
    .filter((name) => fields[name].exported !== false)
    .map((name) => fieldColumn(name, fields[name], of(applications[name].name)));
}

function fieldColumn(name: string, { type }: Field, sql: string): Column {
  switch (type) {
    case 'text':
    case 'code':
    case 'phone':
    case 'choice':
      return text(name, sql);
    case 'day':
      return text(name, sql, 'DATE');
    case 'flag':
      return flag(name, sql);
    case 'integer':
      return integer(name, sql);
  }
}

function stayColumns(of: string, variant: Variant): Column[] {
  const status = `${of}.current_status`;
  const isOfConsole = variant === 'applicationConsole';
  return [
    text('arrival', `${of}.arrival`, 'DATE'),
    text('departure', `${of}.departure`, 'DATE'),
    isOfConsole ? integer('weeksDuration', `((${nights(of)}) + 6) / 7`) : tenthsOfWeeks(of),
    integer('nightsDuration', nights(of)),
    // Property systems have no offers, so an offered application is tentative in their file.
    text(
      'currentStatus',
      isOfConsole ? status : `iif(${status} = 'Offered', 'Tentative', ${status})`,
    ),
    time('applicationTime', `${of}.application_at_ms`),
    time('heldTime', `${of}.held_at_ms`),
    time('reservedTime', `${of}.reserved_at_ms`),
    time('inRoomTime', `${of}.in_room_at_ms`),
    time('historyTime', `${of}.history_at_ms`),
    time('cancelledTime', `${of}.cancelled_at_ms`),
    text('currency', `${of}.currency`),
    money('weeklyRate', `${of}.weekly_rate_minor`, `${of}.currency`),
    money('total', `${of}.total_minor`, `${of}.currency`),
    ...fieldColumns(stayFields, (column) => `${of}.${column}`),
  ];
}

/** An agent's contact details, which only the application-console file has. */
const CONSOLE_ONLY: readonly string[] = ['email', 'phone'] satisfies (keyof typeof agentFields)[];

/** The agent who sold a stay; the property-system file has fewer members. */
function agentColumn(agent: string, variant: Variant): Column {
  const columns = Object.keys(agentFields)
    .filter((name) => variant === 'applicationConsole' || !CONSOLE_ONLY.includes(name))
    .map((name) => text(name, `kept ->> '$.${name}'`));
  return {
    name: 'agent',
    type: 'RECORD',
    repeated: false,
    columns,
    json: `coalesce((SELECT ${jsonObject(columns)} FROM (SELECT ${agent} AS kept) WHERE kept IS NOT NULL), 'null')`,
  };
}

/** An unknown contact in the stored JSON. It cannot occur inside a string, where quotes are escaped. */
const UNKNOWN_CONTACT = '"contactId":null';

/** The stored JSON goes into the file. An applicant without a contact id gets that of the application. */
function tenantApplicationsColumn(of: string): Column {
  return {
    name: 'tenantApplications',
    type: 'RECORD',
    repeated: true,
    json: `replace(${of}.tenant_applications, '${UNKNOWN_CONTACT}', '"contactId":' || json_quote(${of}.contact_id))`,
    columns: [
      kept('tenantApplicationId', 'STRING'),
      kept('tenantApplicationProcessId', 'STRING'),
      kept('status', 'STRING'),
      {
        name: 'applicants',
        type: 'RECORD',
        repeated: true,
        columns: [kept('tenantApplicationApplicantId', 'STRING'), kept('contactId', 'INTEGER')],
      },
      kept('createdDateTime', 'TIMESTAMP'),
      kept('lastUpdatedDateTime', 'TIMESTAMP'),
    ],
  };
}

/** A member that comes into the file without SQL: of a record that is stored as JSON, or of a line that TypeScript makes. */
export function kept(name: string, type: ScalarType): Column {
  return { name, type, json: '' };
}

function text(name: string, sql: string, type: 'STRING' | 'DATE' = 'STRING'): Column {
  return { name, type, json: `json_quote(${sql})` };
}

function integer(name: string, sql: string): Column {
  return { name, type: 'INTEGER', json: `json_quote(${sql})` };
}

function flag(name: string, sql: string): Column {
  return {
    name,
    type: 'BOOLEAN',
    json: `CASE ${sql} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END`,
  };
}

/** A time in milliseconds as UTC with whole seconds. */
function time(name: string, sql: string): Column {
  const utc = `strftime('%Y-%m-%dT%H:%M:%SZ', ${sql} / 1000, 'unixepoch')`;
  return { name, type: 'TIMESTAMP', json: `json_quote(${utc})` };
}

/** The currencies by their number of decimals, as lists in SQL. Two decimals are the default, which keeps expressions short. */
const unusualCurrencies = lazy(() =>
  [...currenciesByExponent()]
    .filter(([exponent]) => exponent !== 2)
    .map(([exponent, codes]) => [exponent, codes.map((code) => `'${code}'`).join(', ')] as const),
);

/** Minor units as a decimal with the currency's decimals. It uses integers only, so nothing is rounded. */
function money(name: string, sql: string, currency: string): Column {
  const others = unusualCurrencies().map(
    ([exponent, codes]) => `WHEN ${currency} IN (${codes}) THEN ${decimal(sql, exponent)}`,
  );
  return {
    name,
    type: 'FLOAT',
    json: `CASE WHEN ${sql} IS NULL THEN 'null' ${others.join(' ')} ELSE ${decimal(sql, 2)} END`,
  };
}

function decimal(sql: string, exponent: number): string {
  const unit = 10 ** exponent;
  return exponent === 0
    ? `CAST(${sql} AS TEXT)`
    : `printf('%d.%0${exponent}d', ${sql} / ${unit}, ${sql} % ${unit})`;
}

function nights(of: string): string {
  return `(unixepoch(${of}.departure) - unixepoch(${of}.arrival)) / 86400`;
}

/** Weeks to one decimal, rounded half up. */
function tenthsOfWeeks(of: string): Column {
  const tenths = `((${nights(of)}) * 20 + 7) / 14`;
  return {
    name: 'weeksDuration',
    type: 'FLOAT',
    json: `CASE WHEN ${nights(of)} IS NULL THEN 'null' ELSE ${decimal(`(${tenths})`, 1)} END`,
  };
}

export function jsonObject(columns: readonly Column[]): string {
  return joined(["'{'", jsonMembers(columns), "'}'"]);
}

/** The SQL expression of the members of a JSON object, without its braces. */
export function jsonMembers(columns: readonly Column[]): string {
  return joined(
    columns.map(({ name, json = '' }, index) => `'${index === 0 ? '' : ','}"${name}":' || ${json}`),
  );
}

/** Concatenates SQL texts in a balanced tree: a long chain would exceed SQLite's expression depth. */
function joined(parts: readonly string[]): string {
  if (parts.length <= 1) return parts[0] ?? "''";
  const middle = Math.ceil(parts.length / 2);
  return `(${joined(parts.slice(0, middle))} || ${joined(parts.slice(middle))})`;
}
