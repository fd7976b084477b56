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
import type { Part } from './page.ts';

/** The placeholders that a statement is built with, by the names of its values. */
export type Placeholders<Values extends object> = { readonly [Name in keyof Values]: Placeholder };

/** For conditions that both plain and prepared statements use. */
export type ValuesOrPlaceholders<Values extends object> = Values | Placeholders<Values>;

type Build<Values extends object, Built> = (placeholders: Placeholders<Values>) => Built;

/** A statement that was built, with its values, for {@link Database.batch}. */
type Filled<Built extends Statement> = Pick<Built, '_' | 'prepare'>;

type AllFilled<All extends readonly Statement[]> = { readonly [At in keyof All]: Filled<All[At]> };

/** What a function's statement finds. */
export type RowOf<Select extends (...of: never[]) => Pick<Statement, '_'>> =
  ReturnType<Select>['_']['result'] extends readonly (infer Row)[] ? Row : never;

/**
 * A statement that is built once for each set of names, such as the columns of a change. The result of `build` may
 * depend on the names of the values, never on the values. An undefined value counts as absent.
 */
export function prepared<Values extends object>() {
  return <Built extends Statement>(
    build: Build<Values, Built>,
  ): ((values: Values) => Filled<Built>) => {
    const fill = preparedAll<Values>()((values) => [build(values)]);
    return (values) => fill(values)[0];
  };
}

/** The same for several statements that share their values. */
export function preparedAll<Values extends object>() {
  return <const All extends readonly Statement[]>(build: Build<Values, All>) => {
    const built = new Map<string, readonly Template[]>();
    return (values: Values): AllFilled<All> => {
      const names = Object.entries(values).flatMap(([name, it]) =>
        it === undefined ? [] : [name],
      );
      const templates = getOrInsertComputed(built, names.join(), () =>
        build(placeholdersOf<Values>(names)).map((one) => templateOf(one.prepare())),
      );
      return templates.map((template) => filled(template, values)) as AllFilled<All>;
    };
  };
}

/** The part of a list, to be filled in: after which entry, and one more than the list shows, if there are as many. */
export interface AskedPart {
  readonly after: readonly Placeholder[] | undefined;
  readonly most: Placeholder;
}

/** The statements of a list. They are built once for each set of its filters, from the beginning and after an entry. */
export function preparedList<Values extends object>() {
  return <const All extends readonly Statement[]>(
    build: (values: Placeholders<Values>, part: AskedPart) => All,
  ): ((values: Values, part: Part) => AllFilled<All>) => {
    type WithPart = Values & { readonly most: number };
    const fill = preparedAll<WithPart>()((values) => {
      const key = Object.entries(values).flatMap(([name, it]) => (isOfKey(name) ? [it] : []));
      return build(values, { after: key.length > 0 ? key : undefined, most: values.most });
    });
    return (values, { limit, after = [] }) => {
      const key = Object.fromEntries(after.map((value, place) => [`after ${place}`, value]));
      return fill({ ...values, ...key, most: limit + 1 });
    };
  };
}

/** Whether a value is one of the key after which a list begins. */
function isOfKey(name: string): boolean {
  return name.startsWith('after ');
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

type Named = Readonly<Record<string, unknown>>;

/** A built statement, and what fills in each of its values. */
interface Template {
  readonly query: ReturnType<Statement['prepare']>;
  readonly sql: string;
  readonly fills: readonly ((values: Named) => unknown)[];
}

function templateOf(query: Template['query']): Template {
  const { sql: text, params } = query.getQuery();
  return { query, sql: text, fills: params.map(fillOf) };
}

function filled<Built extends Statement>(
  { fills, query, sql: text }: Template,
  values: object,
): Pick<Built, '_' | 'prepare'> {
  const params = fills.map((fill) => fill(values as Named));
  const statement = {
    prepare: () => ({
      getQuery: () => ({ sql: text, params }),
      mapResult: (response: unknown, isFromBatch?: boolean) =>
        query.mapResult(response, isFromBatch),
    }),
  };
  // `_` is in drizzle's types only.
  return statement as unknown as Pick<Built, '_' | 'prepare'>;
}

/**
 * What fills in a parameter, in its column's encoding. Drizzle's own `fillPlaceholders` would encode null too: as the text
 * "null" in a JSON column.
 */
function fillOf(param: unknown): Template['fills'][number] {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder } = param;
  const { name } = param.value;
  return (values) => (values[name] === null ? null : encoder.mapToDriverValue(values[name]));
}
