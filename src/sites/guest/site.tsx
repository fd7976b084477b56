import type { Child } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Failure } from '../../core/failure.ts';
import type { Words } from '../../core/words/words.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import { type Form, formOf } from '../web/forms.tsx';
import { guardPages } from '../web/guard.ts';
import { page, pagePolicy, setRetryAfter } from '../web/page.tsx';
import { keepSealed } from '../web/sealedCookie.ts';
import { readerOfGuest } from './language.ts';
import { ownAddress } from './ownAddress.ts';
import { Layout } from './pages/layout.tsx';
import { type Frame, PageContext, type ShownProperty } from './pages/reader.tsx';
import { type GuestContext, visitOf } from './session.ts';

export const GUEST_PATH = '/guest/v1/';

/** The policy of a page: it loads from elsewhere only the property's logo and the acquirer's own form. */
function policyOf({ property, element }: Frame = {}): string {
  const logoUrl = property?.branding?.logoUrl;
  const images = logoUrl === undefined ? [] : [new URL(logoUrl).origin];
  const further = element
    ? [
        `script-src 'self' ${element.scriptSources}`,
        `frame-src ${element.frameSources}`,
        `connect-src 'self' ${element.connectSources}`,
      ]
    : ["script-src 'self'", "connect-src 'self'"];
  return pagePolicy(further, images);
}

/** Guards every guest page: headers, rate limit, and no forms from other sites. */
export const guestSite = guardPages({
  name: 'guest',
  policy: policyOf(),
  limited: failurePage,
  foreign: (c) => messagePage(c, 403, 'foreignForm'),
});

/** Answers with a page that is written for the guest who asked for it. */
export function guestPage(
  c: AppContext,
  status: number,
  content: HtmlEscapedString | Promise<HtmlEscapedString>,
  frame: Frame = {},
): Promise<Response> {
  c.header('Content-Security-Policy', policyOf(frame));
  const ownIds = frame.guest?.folio.transactions.map(({ id }) => id);
  const shown = { ...frame, reader: readerOfGuest(c), address: ownAddress(c.req.url, ownIds) };
  return page(c, status, <PageContext.Provider value={shown}>{content}</PageContext.Provider>);
}

/** What a page about a booking has around it. */
export function frameOf(guest: GuestContext): Frame {
  return { property: guest.folio.state.property, guest };
}

/** Reads a form. Returns an error page if the body is not a form. */
export async function readForm(c: AppContext): Promise<Form | Response> {
  const form = await formOf(c);
  return form.ok ? form.value : messagePage(c, form.error, 'unreadable');
}

/**
 * Starts the session of a link that has not expired; `claims` is null if this service did not create the link.
 * `expired` is the page of one that has.
 */
export async function startSession<Claims extends { readonly expiresAtMs: number }>(
  c: AppContext,
  claims: Claims | null,
  home: string,
  expired: (claims: Claims) => Promise<Response>,
): Promise<Response> {
  if (claims === null) return messagePage(c, 404, 'unknownLink');
  if (claims.expiresAtMs <= Date.now()) return expired(claims);
  await keepSealed(c, visitOf(home), claims);
  return c.redirect(home, 303);
}

/** The page for a failure that the guest did not cause. */
export function failurePage(c: AppContext, failure: Failure): Promise<Response> {
  setRetryAfter(c, failure.retryAfterSeconds);
  const { messages } = readerOfGuest(c).words;
  const { heading, text } = messages[messageOf(failure)];
  const shown = { heading, text: messages.errorReference({ text, id: c.get('requestId') }) };
  return textPage(c, statusOf(failure.code), shown, null);
}

function messageOf({ code, retryAfterSeconds }: Failure): MessageName {
  if (code === 'outcome_unknown') return 'unknownOutcome';
  return retryAfterSeconds === undefined ? 'failed' : 'busy';
}

/** The messages that are a page of their own. */
export type MessageName = Exclude<keyof Words['messages'], 'errorReference' | 'sendNewLink'>;

/** A page with a heading and one paragraph; `property` is whose page it is, if that is known. */
export function messagePage(
  c: AppContext,
  status: number,
  name: MessageName,
  property: ShownProperty | null = null,
): Promise<Response> {
  return textPage(c, status, readerOfGuest(c).words.messages[name], property);
}

/** A page with a heading and a paragraph, and what is below them. */
export function textPage(
  c: AppContext,
  status: number,
  { heading, text }: { readonly heading: string; readonly text: string },
  property: ShownProperty | null,
  further?: Child,
): Promise<Response> {
  return guestPage(
    c,
    status,
    <Layout heading={heading} isMessage>
      <p>{text}</p>
      {further}
    </Layout>,
    { property },
  );
}
