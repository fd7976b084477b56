import type { Context } from 'hono';
import { distinctRemoteAddr, expandIPv6 } from 'hono/utils/ipaddr';
import type { Failure } from '../core/failure.ts';
import { logError } from '../platform/log.ts';
import type { AppContext } from './context.ts';
import { problemResponse } from './problem.ts';

/** The period of `CLIENT_RATE_LIMIT`, as wrangler.toml sets it. */
const WINDOW_SECONDS = 10;

/** The period of `GUESS_RATE_LIMIT`, as wrangler.toml sets it. */
const GUESS_WINDOW_SECONDS = 60;

/** The value of the `RateLimit-Policy` header, which every answer has. */
export function ratePolicy(c: AppContext): string {
  return `"client";q=${c.env.RATE_LIMIT_PER_10_SECONDS};w=${WINDOW_SECONDS}`;
}

/** Counts a request of a client. Returns a failure if there were too many (interface: Rate limits), else null. */
export async function checkRate(c: AppContext, clientId: string): Promise<Failure | null> {
  if (await isWithinLimit(c.env.CLIENT_RATE_LIMIT, clientId)) return null;
  return {
    code: 'rate_limited',
    detail: `Send at most ${c.env.RATE_LIMIT_PER_10_SECONDS} requests in ${WINDOW_SECONDS} seconds.`,
    retryAfterSeconds: WINDOW_SECONDS,
  };
}

/** Counts a network's authentication attempt. Returns a failure if there were too many, else null. */
export async function checkGuesses(c: AppContext): Promise<Failure | null> {
  if (await isWithinLimit(c.env.GUESS_RATE_LIMIT, clientNetwork(c))) return null;
  return {
    code: 'rate_limited',
    detail: 'Too many authentication attempts from this network.',
    retryAfterSeconds: GUESS_WINDOW_SECONDS,
  };
}

/** Counts a request of a client. Returns the problem to answer if there were too many, else null. */
export async function enforceRate(c: AppContext, clientId: string): Promise<Response | null> {
  const limited = await checkRate(c, clientId);
  return limited && problemResponse(c, limited);
}

/** Counts one request under a key. If the limiter fails, the request may pass: the service must not go down with it. */
async function isWithinLimit(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    const { success } = await limiter.limit({ key });
    return success;
  } catch (error) {
    logError('limiter_failed', error);
    return true;
  }
}

/** The network part of an IPv6 address: 64 bits, in groups of 16. A visitor with one address controls all of them. */
const NETWORK_GROUPS = 4;

/** The rate limits' key for requests without credentials: the client's network, as Cloudflare reports it. */
export function clientNetwork(c: Context): string {
  const address = c.req.header('CF-Connecting-IP');
  if (address === undefined) return 'local';
  if (distinctRemoteAddr(address) !== 'IPv6') return address;
  return expandIPv6(address).split(':').slice(0, NETWORK_GROUPS).join(':');
}
