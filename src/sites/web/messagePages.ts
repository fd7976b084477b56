import type { HtmlEscapedString } from 'hono/utils/html';
import type { Failure } from '../../core/failure.ts';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import { page, setRetryAfter } from './page.ts';

const { messages: copy } = words;

/** How a site shows a heading and one paragraph. */
type Show = (heading: string, text: string) => HtmlEscapedString | Promise<HtmlEscapedString>;

/** Makes the pages of a site for staff when a request cannot be served. */
export function messagePages(show: Show) {
  const message = (c: AppContext, status: number, heading: string, text: string) =>
    page(c, status, show(heading, text));
  return {
    message,
    /** For a failure that the person did not cause. */
    failed: (c: AppContext, failure: Failure) => {
      setRetryAfter(c, failure.retryAfterSeconds);
      const text = copy.failedText({ detail: failure.detail, id: c.get('requestId') });
      return message(c, statusOf(failure.code), copy.failed, text);
    },
    /** For a body that is not a form. */
    unreadable: (c: AppContext, status: 400 | 413 | 415) =>
      message(c, status, copy.unreadable, copy.nothing),
    /** For a form that came from another site. */
    foreign: (c: AppContext) => message(c, 403, copy.foreign, copy.nothing),
  };
}
