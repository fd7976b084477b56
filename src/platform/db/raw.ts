import type { Statement } from './database.ts';

/** A statement that is written as text. `map` makes its result of D1's answer. */
function written<Result>(
  sql: string,
  params: readonly unknown[],
  map: (response: unknown) => Result,
): Statement & { readonly _: { readonly dialect: 'sqlite'; readonly result: Result } } {
  const prepared = { getQuery: () => ({ sql, params: [...params] }), mapResult: map };
  // `_` is in drizzle's types only.
  return { prepare: () => prepared } as never;
}

/** Selects rows by a statement that is written as text: its columns by their names. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- who writes a statement says what its rows are.
export function rawRows<Row>(sql: string, params: readonly unknown[] = []) {
  return written(
    sql,
    params,
    (response) => (response as { readonly results?: readonly Row[] }).results ?? [],
  );
}

/** Runs a statement that is written as text; its result is how many rows it changed. */
export function rawChange(sql: string, params: readonly unknown[] = []) {
  return written(
    sql,
    params,
    (response) =>
      (response as { readonly meta?: { readonly changes?: number } }).meta?.changes ?? 0,
  );
}
