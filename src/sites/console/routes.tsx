import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { page } from '../web/page.ts';
import { PropertiesPage } from './pages/properties.tsx';
import { SignInPage } from './pages/signIn.tsx';
import { CONSOLE_PATH, keepSession, readSignedIn } from './session.ts';
import { registerConsoleSignIn } from './signInRoutes.tsx';
import { selectReached } from './store.ts';

/** How many properties the first page lists. */
const MOST_PROPERTIES = 200;

/** Registers the console, the pages for the staff of properties (interface: Console). */
export function registerConsole(api: Api): void {
  registerConsoleSignIn(api);
  api.get(CONSOLE_PATH, (c) => showProperties(c));
}

async function showProperties(c: AppContext): Promise<Response> {
  const signedIn = await readSignedIn(c);
  if (signedIn === null) return page(c, 200, <SignInPage />);
  const { person } = signedIn;
  const database = c.get('database');
  const [properties] = await database.batch('d1.console.read', [
    selectReached(database.queries, person, MOST_PROPERTIES),
  ]);
  await keepSession(c, signedIn);
  return page(c, 200, <PropertiesPage person={person} properties={properties} />);
}
