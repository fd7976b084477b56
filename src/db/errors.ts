/** D1 did not answer, or not with a verdict: whether the batch was committed is not known. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('D1 gave no verdict', { cause });
  }
}

/** Messages of the errors that a query threw, outermost first; a driver wraps SQLite's own as `cause`. */
function messages(error: unknown): string[] {
  const found: string[] = [];
  for (let depth = 0; error instanceof Error && depth < 5; depth += 1) {
    found.push(error.message);
    error = error.cause;
  }
  return found;
}

/** Whether a UNIQUE or PRIMARY KEY constraint over this column refused the batch: `transactions.reference`. */
export function violatesUnique(error: unknown, column: string): boolean {
  return messages(error).some(
    (message) => message.includes('UNIQUE constraint failed') && message.includes(column),
  );
}

/** Whether a guard of the schema refused the batch by this word: `stale_state`. */
export function refusedByGuard(error: unknown, word: string): boolean {
  return messages(error).some(
    (message) => message.includes('SQLITE_CONSTRAINT') && message.includes(word),
  );
}

/** Whether SQLite certainly refused the batch, so that nothing of it was written. */
export function certainlyRefused(error: unknown): boolean {
  return messages(error).some((message) => message.includes('SQLITE_CONSTRAINT'));
}

/**
 * What may be written to a log about an error. A query's own message repeats its parameters, which
 * are personal data, so only the innermost cause's is taken.
 */
export function describeError(error: unknown): string {
  const innermost = messages(error).at(-1) ?? 'a value that is no Error was thrown';
  return innermost.startsWith('Failed query') ? 'a query failed' : innermost.slice(0, 300);
}
