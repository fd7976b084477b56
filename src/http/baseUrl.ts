import type { AppContext } from './context.ts';

/**
 * The public base URL of links: `PUBLIC_BASE_URL`, which a deployment has, or in local mode the request's own origin. No
 * slash at the end.
 */
export function publicBaseUrl(c: AppContext): string {
  return (c.env.PUBLIC_BASE_URL || new URL(c.req.url).origin).replace(/\/+$/, '');
}
