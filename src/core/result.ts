import { type Failure, type FailureCode, type FailureMembers, failure } from './failure.ts';

/** A value or an expected failure, which the caller must handle. Exceptions are bugs. */
export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/**
 * Wraps a success. The expected type decides `T`, not the value: a value with a missing or an extra member does not
 * compile.
 */
export function ok<T>(value: NoInfer<T>): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** Refuses what was asked for (see {@link failure}). */
export function refuse(code: FailureCode, detail: string, members?: FailureMembers) {
  return err(failure(code, detail, members));
}

/** What follows from a success; a failure stays. As with {@link ok}, the expected type decides `U`. */
export function andThen<T, U, E>(
  result: Result<T, E>,
  next: (value: T) => Result<NoInfer<U>, E>,
): Result<U, E> {
  return result.ok ? next(result.value) : result;
}

/** Ends a switch over a union: an unhandled member is a compile error. */
export function assertNever(value: never): never {
  throw new Error(`unexpected member of a closed union: ${typeof value}`);
}
