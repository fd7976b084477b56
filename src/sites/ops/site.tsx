import type { Failure } from '../../core/failure.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import { guardPages } from '../web/guard.ts';
import { page, pagePolicy, setRetryAfter } from '../web/page.ts';
import { OpsMessagePage } from './pages/layout.tsx';
import { OPS_PATH } from './session.ts';

/** Whether a path belongs to the operations page. */
export function isOpsPath(path: string): boolean {
  return path === OPS_PATH || path.startsWith(`${OPS_PATH}/`);
}

/** Guards the operations page: headers, rate limit, and no forms from other sites. */
export const opsSite = guardPages({
  name: 'ops',
  policy: pagePolicy(),
  limited: opsFailurePage,
  foreign: (c) =>
    messagePage(c, 403, 'This form was not sent from this page', 'Nothing was changed.'),
});

/** The page for a failure that the administrator did not cause. */
export function opsFailurePage(c: AppContext, failure: Failure): Promise<Response> {
  setRetryAfter(c, failure.retryAfterSeconds);
  const text = `${failure.detail} (Request id: ${c.get('requestId')})`;
  return messagePage(c, statusOf(failure.code), 'Something went wrong', text);
}

/** The page for a body that is not a form. */
export function unreadableForm(c: AppContext, status: 400 | 413 | 415): Promise<Response> {
  return messagePage(c, status, 'We could not read the form', 'Nothing was changed.');
}

function messagePage(
  c: AppContext,
  status: number,
  heading: string,
  text: string,
): Promise<Response> {
  return page(c, status, <OpsMessagePage heading={heading} text={text} />);
}
