import { is, Param, Placeholder, type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Queries, Statement } from './database.ts';

/** What stands in a statement for a value that is filled in later. */
type Slots<Values extends object> = { readonly [Name in keyof Values]-?: Placeholder };

/** Values, or the slots that stand for them: for conditions that are used in both kinds of statements. */
export type Slotted<Values extends object> = Values | Slots<Values>;

/** What a batch asks of a statement: its SQL with its values, and how its rows are read. */
interface Prepared {
  getQuery(): { readonly sql: string; readonly params: readonly unknown[] };
  mapResult(result: unknown, isFromBatch: boolean): unknown;
}

/** Makes statements without ever running one. */
const builder: Queries = drizzle({ prepare: () => null } as unknown as D1Database);

/** Builds a statement with a slot for each of its values. */
type Build<Values extends object, Built extends Statement> = (
  queries: Queries,
  slots: Slots<Values>,
) => Built;

/** A statement with its values. */
type Fill<Values extends object, Built extends Statement> = (
  queries: Queries,
  values: Values,
) => Built;

/**
 * A statement whose SQL is built once for each set of values that is named, such as the columns of a change: building
 * is most of what a statement costs this service. What `build` returns must depend on which values there are, never on
 * what they are. Values that are undefined are not there.
 */
export function remembered<Values extends object>() {
  return <Built extends Statement>(build: Build<Values, Built>): Fill<Values, Built> => {
    const known = new Map<string, Prepared>();
    return (queries, values) => {
      const names = Object.keys(values).filter(
        (name) => values[name as keyof Values] !== undefined,
      );
      const key = names.join();
      const prepared =
        known.get(key) ?? prepare(build(builder, slotsOf(names) as unknown as Slots<Values>));
      known.set(key, prepared);
      return filled(queries, prepared, values) as unknown as Built;
    };
  };
}

/** Slots as the columns of a change: drizzle takes them there as well, but its types only know of them in inserts. */
export function columnsOf<Values extends object>(slots: Partial<Slots<Values>>): Partial<Values> {
  return slots as unknown as Partial<Values>;
}

function slotsOf(names: readonly string[]): Record<string, SQLWrapper> {
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
}

function prepare(statement: Statement): Prepared {
  return (statement as unknown as { _prepare(): Prepared })._prepare();
}

function filled(queries: Queries, prepared: Prepared, values: object) {
  const { sql: text, params } = prepared.getQuery();
  const query = { sql: text, params: params.map((param) => driverValue(param, values)) };
  const { $client } = queries as Queries & { readonly $client: D1Database };
  return {
    toSQL: () => query,
    _prepare: () => ({
      getQuery: () => query,
      stmt: $client.prepare(text),
      mapResult: (result: unknown, isFromBatch: boolean) => prepared.mapResult(result, isFromBatch),
    }),
  };
}

/** A value as its column keeps it; null is null in every column. */
function driverValue(param: unknown, values: object): unknown {
  if (is(param, Placeholder)) return (values as Record<string, unknown>)[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return param;
  const value = (values as Record<string, unknown>)[param.value.name];
  return value === null ? null : param.encoder.mapToDriverValue(value);
}
