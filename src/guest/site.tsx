import type { Failure } from '../core/failure.ts';
import type { ElementPageParts } from '../gateways/cardElement.ts';
import type { AppContext } from '../http/context.ts';
import { statusOf } from '../http/problem.ts';
import { formOf } from '../pages/forms.ts';
import { guardPages } from '../pages/guard.ts';
import { page, pagePolicy, tellRetryAfter } from '../pages/page.ts';
import { MessagePage } from './pages/layout.tsx';
import { keepVisit } from './visit.ts';

/** Where guests' pages are. */
export const GUEST_PATH = '/guest/v1/';

/** What every page of a guest has, and what no other site may send to it. */
export const guestSite = guardPages({
  name: 'guest',
  policy: pagePolicy("script-src 'self'"),
  limited: failurePage,
  foreign: (c) =>
    messagePage(
      c,
      403,
      'This did not come from our page',
      'Nothing was done. Please open the link from your message again.',
    ),
});

/** Lets the page that is shown have the acquirer's own form in it, and nothing more. */
export function allowElement(c: AppContext, parts: ElementPageParts): void {
  const { connectSources, frameSources, scriptSources } = parts;
  const policy = pagePolicy(
    `script-src 'self' ${scriptSources}`,
    `frame-src ${frameSources}`,
    `connect-src ${connectSources}`,
  );
  c.header('Content-Security-Policy', policy);
}

/** Reads a form; an answer that says what is wrong when it is none. */
export async function readForm(c: AppContext): Promise<Record<string, string> | Response> {
  const form = await formOf(c);
  return form.ok ? form.value : unreadable(c, form.error);
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
  tellRetryAfter(c, seconds);
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
