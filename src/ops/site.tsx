import type { Failure } from '../core/failure.ts';
import type { AppContext } from '../http/context.ts';
import { statusOf } from '../http/problem.ts';
import { guardPages } from '../pages/guard.ts';
import { page, pagePolicy, tellRetryAfter } from '../pages/page.ts';
import { OpsMessagePage } from './pages/layout.tsx';
import { OPS_PATH } from './session.ts';

/** Whether a path is one of the operations page. */
export function isOpsPath(path: string): boolean {
  return path === OPS_PATH || path.startsWith(`${OPS_PATH}/`);
}

/** What every page of operations has, and what no other site may send to it. */
export const opsSite = guardPages({
  name: 'ops',
  policy: pagePolicy(),
  limited: opsFailurePage,
  foreign: (c) => messagePage(c, 403, 'This did not come from this page', 'Nothing was done.'),
});

/** What went wrong without the administrator's doing. */
export function opsFailurePage(c: AppContext, failure: Failure): Promise<Response> {
  tellRetryAfter(c, failure.retryAfterSeconds);
  const words = `${failure.detail} (${c.get('requestId')})`;
  return messagePage(c, statusOf(failure.code), 'Something went wrong here', words);
}

/** A form that could not be read. */
export function unreadableForm(c: AppContext, status: 400 | 413 | 415): Promise<Response> {
  return messagePage(c, status, 'The form could not be read', 'Nothing was done.');
}

function messagePage(
  c: AppContext,
  status: number,
  heading: string,
  words: string,
): Promise<Response> {
  return page(c, status, <OpsMessagePage heading={heading} words={words} />);
}
