/** A value or a failure that the caller must look at: expected failures are never thrown. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** Wraps a success. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Wraps a failure. */
export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** Ends a switch over a union: a member added later is a compile error here. */
export function assertNever(value: never): never {
  throw new Error(`unexpected member of a closed union: ${typeof value}`);
}
