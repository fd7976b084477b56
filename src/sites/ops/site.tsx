import { OPS_PATH } from '../console/paths.ts';
import { guardPages } from '../web/guard.ts';
import { messagePages } from '../web/messagePages.ts';
import { pagePolicy } from '../web/page.ts';
import { OpsMessagePage } from './pages/layout.tsx';

/** Whether a path belongs to the operations page. */
export function isOpsPath(path: string): boolean {
  return path === OPS_PATH || path.startsWith(`${OPS_PATH}/`);
}

const pages = messagePages((heading, text) => <OpsMessagePage heading={heading} text={text} />);

/** The page for a failure that the administrator did not cause. */
export const opsFailurePage = pages.failed;

/** The page for a body that is not a form. */
export const unreadableForm = pages.unreadable;

/** Guards the operations page: headers, rate limit, and no forms from other sites. */
export const opsSite = guardPages({
  name: 'ops',
  policy: pagePolicy(),
  limited: pages.failed,
  foreign: pages.foreign,
});
