import type { Failure } from '../core/failure.ts';
import { logError } from '../io/log.ts';
import type { AppContext } from './context.ts';
import { problemResponse } from './problem.ts';
import { Tallies, WINDOW_SECONDS } from './tally.ts';
import { visitorOf } from './visitor.ts';

/** What this isolate counts of whoever calls. */
export const clientTallies = new Tallies();

/** The policy that every answer announces. */
export function ratePolicy(c: AppContext): string {
  return `"client";q=${c.env.RATE_LIMIT_PER_10_SECONDS};w=${WINDOW_SECONDS}`;
}

/** The refusal of a client that has asked too often (decisions: section 13), else null. */
export async function overRate(c: AppContext, clientId: string): Promise<Failure | null> {
  const beside = (look: Promise<boolean>) => c.executionCtx.waitUntil(look.catch(noteFailure));
  const may = await clientTallies.mayAsk(c.env.CLIENT_RATE_LIMIT, clientId, Date.now(), beside);
  if (may) return null;
  return {
    code: 'rate_limited',
    detail: `More than ${c.env.RATE_LIMIT_PER_10_SECONDS} requests in ${WINDOW_SECONDS} seconds.`,
    retryAfterSeconds: WINDOW_SECONDS,
  };
}

/** Nobody waits for this look: a limiter that fails refuses nobody. */
function noteFailure(error: unknown): void {
  logError('limiter_failed', error);
}

/** How long whoever guesses too often has to wait at most. */
const GUESS_WINDOW_SECONDS = 60;

/** The refusal of a network from which too many passwords were tried, else null: far fewer are let through than requests. */
export async function overGuesses(c: AppContext): Promise<Failure | null> {
  const { success } = await c.env.GUESS_RATE_LIMIT.limit({ key: visitorOf(c) });
  if (success) return null;
  return {
    code: 'rate_limited',
    detail: 'Too many credentials were tried from here.',
    retryAfterSeconds: GUESS_WINDOW_SECONDS,
  };
}

/** The 429 answer when a client has asked too often, else null. */
export async function withinRate(c: AppContext, clientId: string): Promise<Response | null> {
  const limited = await overRate(c, clientId);
  return limited && problemResponse(c, limited, { requestId: c.get('requestId') });
}
