import type { MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import type { Failure } from '../core/failure.ts';
import type { AppContext, AppEnv } from '../http/context.ts';
import { overRate } from '../http/rate.ts';
import { visitorOf } from '../http/visitor.ts';

/** Pages that belong together, and what they say to those who are not let through. */
export interface PageSite {
  /** What its visitors are counted under, each by address. */
  readonly name: 'guest' | 'ops';
  /** The `Content-Security-Policy` of its pages. */
  readonly policy: string;
  /** Says that too much was asked for. */
  readonly limited: (c: AppContext, failure: Failure) => Promise<Response>;
  /** Says that a form came from another site. */
  readonly foreign: (c: AppContext) => Promise<Response>;
}

const sameSite = csrf();

/** What every page of a site has, and what no other site may send to it. */
export function guardPages(site: PageSite): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.header('Content-Security-Policy', site.policy);
    c.header('Cache-Control', 'no-store');
    const limited = await overRate(c, `${site.name}:${visitorOf(c)}`);
    if (limited) return site.limited(c, limited);
    try {
      return await sameSite(c, next);
    } catch (error) {
      if (!(error instanceof HTTPException)) throw error;
      return site.foreign(c);
    }
  };
}
