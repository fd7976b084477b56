import type { HtmlEscapedString } from 'hono/utils/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppContext } from '../../http/context.ts';

/**
 * The `Content-Security-Policy` of a page: it loads only this service's styles, and no site may show it in a frame.
 * Only `further` directives allow scripts and other sources.
 */
export function pagePolicy(...further: readonly string[]): string {
  return pagePolicyWithImages([], further);
}

/** The same of a page that shows pictures of these origins. */
export function pagePolicyWithImages(
  images: readonly string[],
  further: readonly string[],
): string {
  return [
    "default-src 'none'",
    ...further,
    "style-src 'self'",
    ['img-src data:', ...images].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Answers with an HTML page. */
export async function page(
  c: AppContext,
  status: number,
  content: HtmlEscapedString | Promise<HtmlEscapedString>,
): Promise<Response> {
  return c.body(`<!doctype html>${await content}`, status as ContentfulStatusCode, {
    'Content-Type': 'text/html; charset=utf-8',
  });
}

/** Sets `Retry-After` if the failure says when to try again. */
export function setRetryAfter(c: AppContext, seconds: number | undefined): void {
  if (seconds !== undefined) c.header('Retry-After', String(seconds));
}
