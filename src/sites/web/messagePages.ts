import type { HtmlEscapedString } from 'hono/utils/html';
import type { Failure } from '../../core/failure.ts';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import { page, setRetryAfter } from './page.ts';

const { messages: copy } = words;

/** How a site shows a heading and one paragraph. */
type Show = (heading: string, text: string) => HtmlEscapedString | Promise<HtmlEscapedString>;

/** The pages of a site for people on staff when a request cannot be served. */
interface MessagePages {
  readonly message: (
    c: AppContext,
    status: number,
    heading: string,
    text: string,
  ) => Promise<Response>;
  /** For a failure that the person did not cause. */
  readonly failed: (c: AppContext, failure: Failure) => Promise<Response>;
  /** For a body that is not a form. */
  readonly unreadable: (c: AppContext, status: 400 | 413 | 415) => Promise<Response>;
  /** For a form that came from another site. */
  readonly foreign: (c: AppContext) => Promise<Response>;
}

/** Makes the message pages of a site. */
export function messagePages(show: Show): MessagePages {
  const message: MessagePages['message'] = (c, status, heading, text) =>
    page(c, status, show(heading, text));
  return {
    message,
    failed: (c, failure) => {
      setRetryAfter(c, failure.retryAfterSeconds);
      const text = copy.failedText({ detail: failure.detail, id: c.get('requestId') });
      return message(c, statusOf(failure.code), copy.failed, text);
    },
    unreadable: (c, status) => message(c, status, copy.unreadable, copy.nothing),
    foreign: (c) => message(c, 403, copy.foreign, copy.nothing),
  };
}
