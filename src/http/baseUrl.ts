import type { AppContext } from './context.ts';

/** The public base URL of guest links: `PUBLIC_BASE_URL`, or the request's own origin. No slash at the end. */
export function publicBaseUrl(c: AppContext): string {
  return (c.env.PUBLIC_BASE_URL || new URL(c.req.url).origin).replace(/\/+$/, '');
}
