import type { Failure } from '../../core/failure.ts';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { guardPages } from '../web/guard.ts';
import { messagePages } from '../web/messagePages.ts';
import { page, pagePolicy } from '../web/page.ts';
import { ConsoleMessagePage } from './pages/layout.tsx';
import { AccessOnlyPage, SignInPage } from './pages/signIn.tsx';
import { CONSOLE_PATH } from './paths.ts';

const { console: copy } = words;

/** Whether a path belongs to the console. */
export function isConsolePath(path: string): boolean {
  return path === CONSOLE_PATH || path.startsWith(`${CONSOLE_PATH}/`);
}

const pages = messagePages((heading, text) => <ConsoleMessagePage heading={heading} text={text} />);

/** The page for a failure that the person did not cause. */
export const consoleFailurePage = pages.failed;

/** The page for a body that is not a form. */
export const unreadableForm = pages.unreadable;

/** Guards the console: headers, rate limit, and no forms from other sites. */
export const consoleSite = guardPages({
  name: 'console',
  policy: pagePolicy(),
  limited: pages.failed,
  foreign: pages.foreign,
});

/** The page for what a person may not see. To people who do not work for the property, it does not exist. */
export function refusedPage(c: AppContext, { code, detail }: Failure): Promise<Response> {
  return code === 'not_permitted'
    ? pages.message(c, 403, copy.notYourRole, detail)
    : notFoundPage(c);
}

/** A page with a heading and one paragraph. */
export const messagePage = pages.message;

/** The page for who is not signed in. `error` says why the last attempt failed. */
export function signInPage(c: AppContext, status: 200 | 401 | 422, error?: string) {
  if (c.get('config').access?.isOnlyWay) return page(c, status, <AccessOnlyPage />);
  return page(c, status, <SignInPage {...(error !== undefined && { error })} />);
}

/** The page for an address that leads nowhere, or to something that this person does not reach. */
export function notFoundPage(c: AppContext): Promise<Response> {
  return pages.message(c, 404, copy.notFound, copy.notFoundText);
}
