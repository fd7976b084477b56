import { is, Param, Placeholder, type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { madeOnce } from '../core/made.ts';
import type { Queries, Statement } from './database.ts';

/** What stands in a statement for a value that is filled in later. */
type Slots<Values extends object> = { readonly [Name in keyof Values]-?: Placeholder };

/** Values, or the slots that stand for them: for conditions that are used in both kinds of statements. */
export type Slotted<Values extends object> = Values | Slots<Values>;

/** What drizzle asks of a statement in a batch: its SQL with its values, and how its rows are read. */
interface Prepared {
  getQuery(): { readonly sql: string; readonly params: readonly unknown[] };
  mapResult(result: unknown, isFromBatch: boolean): unknown;
}

/** A statement as it is kept: its SQL, how each of its values is found among those that fill it, and how its rows are read. */
interface Kept extends Pick<Prepared, 'mapResult'> {
  readonly text: string;
  readonly params: readonly ((values: Readonly<Record<string, unknown>>) => unknown)[];
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
    const known = new Map<string, Kept>();
    return (queries, values) => {
      const names = namesOf(values);
      const key = names.join();
      const kept = madeOnce(known, key, () =>
        keep(build(builder, slotsOf(names) as unknown as Slots<Values>)),
      );
      return filled(queries, kept, values) as unknown as Built;
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

function namesOf(values: object): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

function keep(statement: Statement): Kept {
  const prepared = (statement as unknown as { _prepare(): Prepared })._prepare();
  const { sql: text, params } = prepared.getQuery();
  const mapResult: Prepared['mapResult'] = (...result) => prepared.mapResult(...result);
  return { text, params: params.map(finderOf), mapResult };
}

/** How a parameter's value is found, as its column keeps it; null is null in every column. */
function finderOf(param: unknown): Kept['params'][number] {
  if (is(param, Placeholder)) {
    const { name } = param;
    return (values) => values[name];
  }
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder } = param;
  const { name } = param.value;
  return (values) => {
    const value = values[name];
    return value === null ? null : encoder.mapToDriverValue(value);
  };
}

function filled(queries: Queries, { text, params, mapResult }: Kept, values: object) {
  const named = values as Readonly<Record<string, unknown>>;
  const query = { sql: text, params: params.map((find) => find(named)) };
  const { $client } = queries as Queries & { readonly $client: D1Database };
  return {
    toSQL: () => query,
    _prepare: () => ({ getQuery: () => query, stmt: $client.prepare(text), mapResult }),
  };
}
