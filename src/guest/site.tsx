import type { MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Failure } from '../core/failure.ts';
import type { ElementPageParts } from '../gateways/cardElement.ts';
import { readBody } from '../http/body.ts';
import type { AppContext, AppEnv } from '../http/context.ts';
import { statusOf } from '../http/problem.ts';
import { overRate } from '../http/rate.ts';
import { MessagePage } from './pages/layout.tsx';
import { keepVisit } from './visit.ts';

/** Where guests' pages are. */
export const GUEST_PATH = '/guest/v1/';

/** Everything that a page needs comes from this service, nothing else runs, and nobody shows it in a frame. */
const PAGE_POLICY = policy('');

/** The policy of a page, with what its acquirer's form needs besides. */
function policy(scriptSources: string, further = ''): string {
  return `default-src 'none'; script-src 'self'${scriptSources};${further} style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}

/** The largest form: a card's, with room to spare. */
const FORM_LIMIT_BYTES = 16 * 1024;

const sameSite = csrf();

/** What every page of a guest has, and what no other site may send to it. */
export const guestSite: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('Content-Security-Policy', PAGE_POLICY);
  c.header('Cache-Control', 'no-store');
  const limited = await overRate(c, `guest:${c.req.header('CF-Connecting-IP') ?? 'local'}`);
  if (limited) return failurePage(c, limited);
  try {
    return await sameSite(c, next);
  } catch (error) {
    if (!(error instanceof HTTPException)) throw error;
    return messagePage(
      c,
      403,
      'This did not come from our page',
      'Nothing was done. Please open the link from your message again.',
    );
  }
};

/** Lets the page that is shown have the acquirer's own form in it, and nothing more. */
export function allowElement(c: AppContext, parts: ElementPageParts): void {
  const { connectSources, frameSources, scriptSources } = parts;
  const further = ` frame-src ${frameSources}; connect-src ${connectSources};`;
  c.header('Content-Security-Policy', policy(` ${scriptSources}`, further));
}

/** Reads a form; an answer that says what is wrong when it is none. */
export async function readForm(c: AppContext): Promise<Record<string, string> | Response> {
  const form = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
  if (!form.test(c.req.header('Content-Type') ?? '')) return unreadable(c, 415);
  const body = await readBody(c, FORM_LIMIT_BYTES);
  if (body.kind !== 'text') return unreadable(c, body.kind === 'too-large' ? 413 : 400);
  return Object.fromEntries(new URLSearchParams(body.text));
}

function unreadable(c: AppContext, status: 400 | 413 | 415): Promise<Response> {
  return messagePage(
    c,
    status,
    'The form could not be read',
    'Nothing was done. Please try again.',
  );
}

/** A link that this service did not make, or whose visit is over. */
export function unknownLink(c: AppContext): Promise<Response> {
  return messagePage(
    c,
    404,
    'We do not know this link',
    'Please open the whole link from your message again. If that does not help, ask the property for a new one.',
  );
}

/** Begins the visit of whoever has opened a link that still works; `ticket` is null for one that is not ours. */
export async function beginVisit(
  c: AppContext,
  ticket: { readonly expiresAtMs: number } | null,
  home: string,
): Promise<Response> {
  if (ticket === null) return unknownLink(c);
  if (ticket.expiresAtMs <= Date.now()) return expiredLink(c);
  await keepVisit(c, home, ticket);
  return c.redirect(home, 303);
}

/** A visit that was idle for too long, or whose browser keeps no cookie. */
export function visitOver(c: AppContext): Promise<Response> {
  return messagePage(
    c,
    401,
    'Your visit has ended',
    'For your safety, this page closes after half an hour without use. Please open the link from your message again. Your browser must accept cookies for it.',
  );
}

/** A link whose time is over, or that was taken back. */
export function expiredLink(c: AppContext): Promise<Response> {
  return messagePage(
    c,
    410,
    'This link has expired',
    'Please ask the property to send you a new one. Nothing that you paid is lost.',
  );
}

/** What went wrong without the guest's doing. */
export function failurePage(c: AppContext, failure: Failure): Promise<Response> {
  const seconds = failure.retryAfterSeconds;
  if (seconds !== undefined) c.header('Retry-After', String(seconds));
  const [heading, words] =
    seconds === undefined
      ? ['Something went wrong here', 'Please try again later, or contact the property.']
      : ['Just a moment', 'There is much to do right now. Please try again shortly.'];
  return messagePage(c, statusOf(failure.code), heading, `${words} (${c.get('requestId')})`);
}

/** A page that only says something. */
export function messagePage(
  c: AppContext,
  status: number,
  heading: string,
  words: string,
): Promise<Response> {
  return page(
    c,
    status,
    <MessagePage heading={heading}>
      <p>{words}</p>
    </MessagePage>,
  );
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
