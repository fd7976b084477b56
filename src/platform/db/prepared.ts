/**
 * Prepared statements: built once, filled with new values for each call. Drizzle needs fifty times longer to build a
 * statement than to fill it: a quarter of a millisecond for a list of payments, or for the four statements of a charge.
 *
 * Drizzle has prepared statements too (`prepare()`, `sql.placeholder()`), but fills them only in `execute()`, which
 * runs a single statement; its `batch()` binds the placeholders as values. So drizzle builds the SQL and reads the
 * rows, by its public methods, and this file fills in the values.
 */
import { is, Param, Placeholder, sql } from 'drizzle-orm';
import { getOrInsertComputed } from '../../core/getOrInsertComputed.ts';
import type { Statement } from './database.ts';

type Placeholders<Values extends object> = { readonly [Name in keyof Values]-?: Placeholder };

/** For conditions that both plain and prepared statements use. */
export type ValuesOrPlaceholders<Values extends object> = Values | Placeholders<Values>;

type Build<Values extends object, Built extends Statement> = (
  placeholders: Placeholders<Values>,
) => Built;

/** Returns the statement with its values, for {@link Database.batch}. */
type Fill<Values extends object, Built extends Statement> = (
  values: Values,
) => Pick<Built, '_' | 'prepare'>;

/**
 * A statement that is built once for each set of names, such as the columns of a change. The result of `build` may
 * depend on the names of the values, never on the values. An undefined value counts as absent.
 */
export function prepared<Values extends object>() {
  return <Built extends Statement>(build: Build<Values, Built>): Fill<Values, Built> => {
    const built = new Map<string, ReturnType<Statement['prepare']>>();
    return (values) => {
      const names = Object.entries(values).flatMap(([name, it]) =>
        it === undefined ? [] : [name],
      );
      const query = getOrInsertComputed(built, names.join(), () =>
        build(placeholdersOf<Values>(names)).prepare(),
      );
      return filled<Built>(query, values);
    };
  };
}

/** Placeholders for the columns of an update. Drizzle accepts them, but its types allow them in inserts only. */
export function columnsOf<Values extends object>(
  placeholders: Partial<Placeholders<Values>>,
): Partial<Values> {
  return placeholders as Partial<Values>;
}

function placeholdersOf<Values extends object>(names: readonly string[]): Placeholders<Values> {
  const entries = names.map((name) => [name, sql.placeholder(name)] as const);
  return Object.fromEntries(entries) as Placeholders<Values>;
}

function filled<Built extends Statement>(
  query: ReturnType<Statement['prepare']>,
  values: object,
): Pick<Built, '_' | 'prepare'> {
  const { sql: text, params } = query.getQuery();
  const named = values as Readonly<Record<string, unknown>>;
  const filledParams = params.map((param) => encodedValue(param, named));
  const statement = {
    prepare: () => ({
      getQuery: () => ({ sql: text, params: filledParams }),
      mapResult: (response: unknown, isFromBatch?: boolean) =>
        query.mapResult(response, isFromBatch),
    }),
  };
  // `_` is in drizzle's types only.
  return statement as unknown as Pick<Built, '_' | 'prepare'>;
}

/**
 * A parameter's value in its column's encoding. Drizzle's own `fillPlaceholders` would encode null too: as the text
 * "null" in a JSON column.
 */
function encodedValue(param: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (is(param, Placeholder)) return values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return param;
  const value = values[param.value.name];
  return value === null ? null : param.encoder.mapToDriverValue(value);
}
