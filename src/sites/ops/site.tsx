import type { Child } from 'hono/jsx';
import { z } from 'zod';
import { HOUR_MS } from '../../core/time.ts';
import { endForGood } from '../../desk/sessions.ts';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { clientStanding } from '../../records/clients/clientCache.ts';
import { inGoodStanding } from '../../records/clients/rules.ts';
import type { ClientRecord } from '../../records/clients/store.ts';
import { LIVES } from '../../records/keyring/lives.ts';
import { OPS_PATH } from '../console/paths.ts';
import { Hidden, InputField } from '../web/forms.tsx';
import { Notice } from '../web/page.tsx';
import { staffSite } from '../web/staffSite.tsx';

const { ops: copy } = words;

const sessionShape = z.object({ id: z.string(), clientId: z.string(), untilMs: z.int() });

export type Session = Readonly<z.infer<typeof sessionShape>>;

export const opsSite = staffSite({
  name: 'ops',
  copy,
  sameSite: 'Strict',
  session: sessionShape,
  lifeMs: LIVES.session,
  end: endForGood,
});

/** The longest time that an administrator stays signed in, even with constant use. */
const LONGEST_MS = 12 * HOUR_MS;

export function newSession(clientId: string): Session {
  return { id: crypto.randomUUID(), clientId, untilMs: Date.now() + LONGEST_MS };
}

export function signedInAs({ clientId }: Session): Child {
  return (
    <>
      {copy.signedInAs} <bdi>{clientId}</bdi>
    </>
  );
}

/** A page as an administrator who is signed in sees it. */
export function framed(session: Session, title: string, content: Child) {
  return opsSite.framed({ title, signedInAs: signedInAs(session) }, content);
}

/**
 * Reads the session from the request's cookie; null without one, or if it has expired or its client lost access. It
 * does not check whether the administrator has signed out: `hasEnded` and `readOverview` do.
 */
export async function readSession(c: AppContext): Promise<Session | null> {
  const session = await opsSite.readSession(c);
  if (session === null) return null;
  const standing = await clientStanding(c.get('database'), session.clientId, Date.now());
  const { local } = c.get('config');
  return standing && inGoodStanding(standing, local) && isAdministrator(standing) ? session : null;
}

export function isAdministrator({ client }: ClientRecord): boolean {
  return client.scopes.includes('admin');
}

/** The form to sign in. `error` says why the last attempt failed or the session ended. */
export function signInPage(c: AppContext, status: 200 | 401 = 200, error?: string) {
  const { clientId, clientSecret, title } = copy.signIn;
  const { pathname, search } = new URL(c.req.url);
  const next = c.req.method === 'GET' ? opsSite.nextPage(pathname + search) : OPS_PATH;
  return opsSite.show(
    c,
    status,
    { title },
    <>
      {error && <Notice kind="bad" text={error} />}
      <form method="post" action={`${OPS_PATH}/sign-in`} class="card">
        <Hidden fields={{ next }} />
        <InputField
          id="clientId"
          label={clientId}
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <InputField
          id="clientSecret"
          label={clientSecret}
          type="password"
          autocomplete="current-password"
          required
        />
        <button type="submit">{title}</button>
      </form>
    </>,
  );
}
