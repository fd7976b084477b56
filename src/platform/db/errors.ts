/** D1 did not answer, or answered with an error that does not say whether it committed the batch. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown, what = 'D1 gave no verdict') {
    super(what, { cause });
  }
}

/** D1 had too much waiting, and refused a batch before it ran: nothing was written. */
export class DatabaseOverloaded extends DatabaseUnavailable {
  constructor(cause: unknown) {
    super(cause, 'D1 is overloaded');
  }
}

/**
 * A property is in the last step of its move to another database, and takes no changes for so long: nothing was written
 * (parts: Many databases).
 */
export class PropertyMoving extends DatabaseOverloaded {
  readonly retryAfterSeconds: number;

  constructor(lastStepMs: number) {
    super(null);
    this.message = 'the property is moving';
    this.retryAfterSeconds = Math.max(1, Math.ceil(lastStepMs / 1_000));
  }
}

/** Whether D1 refused a batch because too much waited: Cloudflare's words, or an object's mark, for what it never began. */
export function wasOverloaded(error: unknown): boolean {
  if (error instanceof Error && 'overloaded' in error && error.overloaded === true) return true;
  return messages(error).some((message) => message.includes('D1 DB is overloaded'));
}

/** The messages of an error and its causes, outermost first. The driver wraps SQLite's error as `cause`. */
function messages(error: unknown): string[] {
  const found: string[] = [];
  for (let depth = 0; error instanceof Error && depth < 5; depth += 1) {
    found.push(error.message);
    error = error.cause;
  }
  return found;
}

/** Whether a UNIQUE or PRIMARY KEY constraint over `column`, such as `transactions.reference`, refused the batch. */
export function violatesUnique(error: unknown, column: string): boolean {
  return messages(error).some(
    (message) => message.includes('UNIQUE constraint failed') && message.includes(column),
  );
}

/** Whether the batch was refused because `column`, such as `events.type`, would have been null. */
export function violatesNotNull(error: unknown, column: string): boolean {
  return messages(error).some((message) =>
    message.includes(`NOT NULL constraint failed: ${column}`),
  );
}

/** Whether the batch was refused because a row would have named another that is not there. */
export function violatesForeignKey(error: unknown): boolean {
  return messages(error).some((message) => message.includes('FOREIGN KEY constraint failed'));
}

/** Whether a trigger refused the batch with `word`, such as `stale_state`. */
export function refusedByGuard(error: unknown, word: string): boolean {
  return messages(error).some(
    (message) => message.includes('SQLITE_CONSTRAINT') && message.includes(word),
  );
}

/** Whether SQLite certainly refused the batch: nothing was written. */
export function certainlyRefused(error: unknown): boolean {
  return messages(error).some((message) => message.includes('SQLITE_CONSTRAINT'));
}

/**
 * The loggable message of an error: that of its innermost cause. The message of a query repeats its parameters, which
 * are personal data.
 */
export function describeError(error: unknown): string {
  const innermost = messages(error).at(-1) ?? 'a value other than an Error was thrown';
  return innermost.startsWith('Failed query') ? 'a query failed' : innermost.slice(0, 300);
}
