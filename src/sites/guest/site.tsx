import type { Failure } from '../../core/failure.ts';
import type { ElementPageParts } from '../../gateways/cardElement.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import { formOf } from '../web/forms.ts';
import { guardPages } from '../web/guard.ts';
import { page, pagePolicy, setRetryAfter } from '../web/page.ts';
import { MessagePage } from './pages/layout.tsx';
import { keepSession } from './session.ts';

/** The path of all guest pages. */
export const GUEST_PATH = '/guest/v1/';

/** Guards every guest page: headers, rate limit, and no forms from other sites. */
export const guestSite = guardPages({
  name: 'guest',
  policy: pagePolicy("script-src 'self'"),
  limited: failurePage,
  foreign: (c) =>
    messagePage(
      c,
      403,
      'This form was not sent from our page',
      'Nothing was changed or charged. Please open the link from your message again.',
    ),
});

/** Extends the policy of this page so that it can load the acquirer's own form, and nothing more. */
export function allowElement(c: AppContext, parts: ElementPageParts): void {
  const { connectSources, frameSources, scriptSources } = parts;
  const policy = pagePolicy(
    `script-src 'self' ${scriptSources}`,
    `frame-src ${frameSources}`,
    `connect-src ${connectSources}`,
  );
  c.header('Content-Security-Policy', policy);
}

/** Reads a form. Returns an error page if the body is not a form. */
export async function readForm(c: AppContext): Promise<Record<string, string> | Response> {
  const form = await formOf(c);
  return form.ok ? form.value : unreadable(c, form.error);
}

function unreadable(c: AppContext, status: 400 | 413 | 415): Promise<Response> {
  return messagePage(
    c,
    status,
    'We could not read the form',
    'Nothing was changed or charged. Please try again.',
  );
}

/** The page for a link that this service did not create, or whose booking does not exist. */
export function unknownLink(c: AppContext): Promise<Response> {
  return messagePage(
    c,
    404,
    'This link does not work',
    'Please open the complete link from your message again. If that does not help, ask the property for a new link.',
  );
}

/** Starts the session of a link that has not expired; `claims` is null if this service did not create the link. */
export async function startSession(
  c: AppContext,
  claims: { readonly expiresAtMs: number } | null,
  home: string,
): Promise<Response> {
  if (claims === null) return unknownLink(c);
  if (claims.expiresAtMs <= Date.now()) return expiredLink(c);
  await keepSession(c, home, claims);
  return c.redirect(home, 303);
}

/** The page after a session was idle for too long, or if the browser keeps no cookie. */
export function sessionExpired(c: AppContext): Promise<Response> {
  return messagePage(
    c,
    401,
    'Your session has ended',
    'For your safety, this page closes after 30 minutes without use. ' +
      'Please open the link from your message again. Your browser must allow cookies.',
  );
}

/** The page for an expired or revoked link. */
export function expiredLink(c: AppContext): Promise<Response> {
  return messagePage(
    c,
    410,
    'This link has expired',
    'Please ask the property for a new link. Payments that you have made are safe.',
  );
}

/** The page for a failure that the guest did not cause. */
export function failurePage(c: AppContext, failure: Failure): Promise<Response> {
  setRetryAfter(c, failure.retryAfterSeconds);
  const [heading, text] = failureCopy(failure);
  return messagePage(
    c,
    statusOf(failure.code),
    heading,
    `${text} (Error reference: ${c.get('requestId')})`,
  );
}

function failureCopy({ code, retryAfterSeconds }: Failure): readonly [string, string] {
  if (code === 'outcome_unknown') {
    return [
      'We could not confirm what happened',
      'Please open the link from your message again and check whether it worked before you try once more.',
    ];
  }
  return retryAfterSeconds === undefined
    ? ['Something went wrong', 'Please try again later or contact the property.']
    : ['Please wait a moment', 'We are busy right now. Please try again shortly.'];
}

/** A page with a heading and one paragraph. */
export function messagePage(
  c: AppContext,
  status: number,
  heading: string,
  text: string,
): Promise<Response> {
  return page(
    c,
    status,
    <MessagePage heading={heading}>
      <p>{text}</p>
    </MessagePage>,
  );
}
