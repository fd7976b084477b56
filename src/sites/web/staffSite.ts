import type { HtmlEscapedString } from 'hono/utils/html';
import type { Failure } from '../../core/failure.ts';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import { guardPages } from './guard.ts';
import { page, pagePolicy, setRetryAfter } from './page.tsx';

const { messages: copy } = words;

/** How a site shows a heading and one paragraph. */
type Show = (heading: string, text: string) => HtmlEscapedString | Promise<HtmlEscapedString>;

/** Makes a site for staff: its guard, and its pages for when a request cannot be served. */
export function staffSite(name: 'ops' | 'console', path: string, show: Show) {
  const message = (c: AppContext, status: number, heading: string, text: string) =>
    page(c, status, show(heading, text));
  /** For a failure that the person did not cause. */
  const failed = (c: AppContext, failure: Failure) => {
    setRetryAfter(c, failure.retryAfterSeconds);
    const text = copy.failedText({ detail: failure.detail, id: c.get('requestId') });
    return message(c, statusOf(failure.code), copy.failed, text);
  };
  return {
    message,
    failed,
    /** For a body that is not a form. */
    unreadable: (c: AppContext, status: 400 | 413 | 415) =>
      message(c, status, copy.unreadable, copy.nothing),
    holds: (address: string) => address === path || address.startsWith(`${path}/`),
    /** Sets headers, limits the rate, and refuses forms from other sites. */
    guard: guardPages({
      name,
      policy: pagePolicy(),
      limited: failed,
      foreign: (c) => message(c, 403, copy.foreign, copy.nothing),
    }),
  };
}
