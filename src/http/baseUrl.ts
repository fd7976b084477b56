import type { AppContext } from './context.ts';

/** Where guests reach this service: as configured, or as this request reached it. */
export function publicBaseUrl(c: AppContext): string {
  return (c.env.PUBLIC_BASE_URL ?? new URL(c.req.url).origin).replace(/\/+$/, '');
}
