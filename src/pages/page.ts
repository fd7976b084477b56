import type { HtmlEscapedString } from 'hono/utils/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppContext } from '../http/context.ts';

/**
 * The policy of a page: what it needs comes from this service, and nobody shows it in a frame. Nothing runs but what
 * `further` directives allow.
 */
export function pagePolicy(...further: readonly string[]): string {
  return [
    "default-src 'none'",
    ...further,
    "style-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Answers with a page. */
export async function page(
  c: AppContext,
  status: number,
  content: HtmlEscapedString | Promise<HtmlEscapedString>,
): Promise<Response> {
  return c.body(`<!doctype html>${await content}`, status as ContentfulStatusCode, {
    'Content-Type': 'text/html; charset=utf-8',
  });
}

/** Tells when something may be asked for again, where a failure says so. */
export function tellRetryAfter(c: AppContext, seconds: number | undefined): void {
  if (seconds !== undefined) c.header('Retry-After', String(seconds));
}
