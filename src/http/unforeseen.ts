import { routePath } from 'hono/route';
import { type Failure, failure } from '../core/failure.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import { logError } from '../io/log.ts';
import type { AppContext } from './context.ts';

/** What nobody foresaw: the caller learns the request id, the log what happened. */
export function unforeseen(c: AppContext, error: unknown): Failure {
  const { requestId, property } = c.var;
  logError('unexpected_error', error, { requestId, property, route: routePath(c, -1) });
  return error instanceof DatabaseUnavailable
    ? { code: 'busy', detail: 'The database did not answer. Try again.', retryAfterSeconds: 1 }
    : failure(
        'internal_error',
        'This was not foreseen. The log has the details under the request id.',
      );
}
