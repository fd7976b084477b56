import type { Child } from 'hono/jsx';
import { z } from 'zod';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { clientStanding } from '../../records/clients/clientCache.ts';
import { inGoodStanding } from '../../records/clients/rules.ts';
import type { ClientRecord } from '../../records/clients/store.ts';
import { OPS_PATH } from '../console/paths.ts';
import { InputField } from '../web/forms.tsx';
import { Notice } from '../web/page.tsx';
import { staffSite } from '../web/staffSite.tsx';

const { ops: copy } = words;

const sessionShape = z.object({ id: z.string(), clientId: z.string(), untilMs: z.int() });

export type Session = Readonly<z.infer<typeof sessionShape>>;

export const opsSite = staffSite({
  name: 'ops',
  title: copy.site,
  back: copy.back,
  sameSite: 'Strict',
  session: sessionShape,
});

/** A page as an administrator who is signed in sees it. */
export function framed({ clientId }: Session, title: string, content: Child) {
  const signedInAs = (
    <>
      {copy.signedInAs} <bdi>{clientId}</bdi>
    </>
  );
  return opsSite.framed({ title, signedInAs }, content);
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
  return opsSite.show(
    c,
    status,
    { title },
    <>
      {error && <Notice kind="bad" text={error} />}
      <form method="post" action={`${OPS_PATH}/sign-in`} class="card">
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
