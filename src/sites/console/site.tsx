import type { Failure } from '../../core/failure.ts';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { page } from '../web/page.tsx';
import { staffSite } from '../web/staffSite.ts';
import { ConsoleMessagePage } from './pages/layout.tsx';
import { AccessOnlyPage, SignInPage } from './pages/signIn.tsx';
import { CONSOLE_PATH } from './paths.ts';

const { console: copy } = words;

export const consoleSite = staffSite('console', CONSOLE_PATH, (heading, text) => (
  <ConsoleMessagePage heading={heading} text={text} />
));

/** The page for what a person may not see. To people who do not work for the property, it does not exist. */
export function refusedPage(c: AppContext, { code, detail }: Failure): Promise<Response> {
  return code === 'not_permitted'
    ? consoleSite.message(c, 403, copy.notYourRole, detail)
    : notFoundPage(c);
}

/** The page for who is not signed in. `error` says why the last attempt failed. */
export function signInPage(c: AppContext, status: 200 | 401 | 422, error?: string) {
  if (c.get('config').access?.isOnlyWay) return page(c, status, <AccessOnlyPage />);
  return page(c, status, <SignInPage {...(error !== undefined && { error })} />);
}

/** The page for an address that leads nowhere, or to something that this person does not reach. */
export function notFoundPage(c: AppContext): Promise<Response> {
  return consoleSite.message(c, 404, copy.notFound, copy.notFoundText);
}
