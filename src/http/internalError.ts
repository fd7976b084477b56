import { routePath } from 'hono/route';
import { type Failure, internalFailure } from '../core/failure.ts';
import { DatabaseUnavailable } from '../platform/db/errors.ts';
import { logError } from '../platform/log.ts';
import { uncertain } from '../records/bookings/rules.ts';
import type { AppContext } from './context.ts';

/**
 * Logs an unexpected exception and returns the failure to answer: `outcome_unknown` where the request may have recorded
 * something.
 */
export function internalError(c: AppContext, error: unknown): Failure {
  const { requestId, property, trace } = c.var;
  logError('unexpected_error', error, { requestId, property, route: routePath(c, -1) });
  if (trace.mayBeRecorded) return uncertain();
  return error instanceof DatabaseUnavailable ? DATABASE_UNAVAILABLE : internalFailure();
}

/** D1 did not answer a request that had only read. */
const DATABASE_UNAVAILABLE: Failure = {
  code: 'busy',
  detail: 'The database did not answer. This request recorded nothing: try again.',
  retryAfterSeconds: 1,
};
