import type { MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import type { Failure } from '../../core/failure.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import { checkRate, clientNetwork } from '../../http/rate.ts';

/** A group of pages, and the pages that it shows when the guard rejects a request. */
export interface PageSite {
  /** The prefix of the rate limit's keys; each client network has its own limit. */
  readonly name: 'guest' | 'ops' | 'bank' | 'console';
  readonly policy: string;
  readonly limited: (c: AppContext, failure: Failure) => Promise<Response>;
  readonly foreign: (c: AppContext) => Promise<Response>;
}

const sameSite = csrf();

/** Sets the security headers of a site's pages, limits the rate, and rejects forms from other sites. */
export function guardPages(site: PageSite): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.header('Content-Security-Policy', site.policy);
    c.header('Cache-Control', 'no-store');
    const limited = await checkRate(c, `${site.name}:${clientNetwork(c)}`);
    if (limited) return site.limited(c, limited);
    try {
      return await sameSite(c, next);
    } catch (error) {
      if (!(error instanceof HTTPException)) throw error;
      return site.foreign(c);
    }
  };
}
