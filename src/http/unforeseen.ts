import { type Failure, failure } from '../core/failure.ts';
import { DatabaseUnavailable, describeError } from '../db/errors.ts';
import type { AppContext } from './context.ts';

/** What nobody foresaw: the caller learns the request id, the log what happened. */
export function unforeseen(c: AppContext, error: unknown): Failure {
  console.error(
    JSON.stringify({
      event: 'unexpected_error',
      requestId: c.get('requestId'),
      path: c.req.path,
      error: describeError(error),
    }),
  );
  return error instanceof DatabaseUnavailable
    ? { code: 'busy', detail: 'The database did not answer. Try again.', retryAfterSeconds: 1 }
    : failure(
        'internal_error',
        'This was not foreseen. The log has the details under the request id.',
      );
}
