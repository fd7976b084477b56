import { provenClient } from '../clients/actions.ts';
import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';
import type { Database } from '../db/database.ts';
import { serveAsset } from '../http/assets.ts';
import type { AppContext } from '../http/context.ts';
import type { Api } from '../http/operation.ts';
import { statusOf } from '../http/problem.ts';
import { logNotice } from '../io/log.ts';
import { type Changed, dismiss, type Mender, replay } from '../outbox/actions.ts';
import { pokeAfterChange } from '../outbox/stub.ts';
import { type Form, formOf } from '../pages/forms.ts';
import { page } from '../pages/page.ts';
import { readOverview } from './overview.ts';
import { type Happened, OverviewPage } from './pages/overview.tsx';
import { SignInPage } from './pages/signIn.tsx';
import {
  endSession,
  hasEnded,
  isAdministrator,
  keepSession,
  newSession,
  OPS_PATH,
  readSession,
  type Session,
} from './session.ts';
import { opsSite, unreadableForm } from './site.tsx';

/** The operations page: what goes on, and what can be done about messages that a PMS did not take. */
export function registerOps(api: Api): void {
  // Before the guard: browsers may keep the style.
  api.get(`${OPS_PATH}/ops.css`, serveAsset);
  api.use(`${OPS_PATH}/*`, opsSite);
  api.get(OPS_PATH, (c) => showOverview(c));
  api.post(`${OPS_PATH}/sign-in`, (c) => signIn(c));
  api.post(`${OPS_PATH}/sign-out`, (c) => signOut(c));
  changes(api, 'replay', 'replayed', (database, form, by) =>
    replay(database, { messageId: form['messageId'] ?? '' }, by, Date.now()),
  );
  changes(api, 'replay-all', 'replayed', (database, form, by) =>
    replay(database, { property: form['property'] ?? '', status: 'Dead' }, by, Date.now()),
  );
  changes(api, 'dismiss', 'dismissed', (database, form, by) =>
    dismiss(database, form['messageId'] ?? '', by, Date.now()),
  );
  // What was left open after a form was sent, or mistyped.
  api.get(`${OPS_PATH}/*`, (c) => c.redirect(OPS_PATH, 303));
}

async function showOverview(c: AppContext): Promise<Response> {
  const session = await readSession(c);
  if (session === null) return page(c, 200, <SignInPage />);
  return overviewPage(c, session, happenedBefore(c));
}

async function overviewPage(
  c: AppContext,
  session: Session,
  happened: Happened | null,
  status = 200,
): Promise<Response> {
  const overview = await readOverview(c.get('database'), session.id, Date.now());
  if (overview === null) return page(c, 200, <SignInPage />);
  await keepSession(c, session);
  return page(
    c,
    status,
    <OverviewPage overview={overview} signedInAs={session.clientId} happened={happened} />,
  );
}

async function signIn(c: AppContext): Promise<Response> {
  const form = await formOf(c);
  if (!form.ok) return unreadableForm(c, form.error);
  const { clientId = '', clientSecret = '' } = form.value;
  const proof = { clientId, clientSecret };
  const proven = await provenClient(c.get('database'), c.get('config'), proof);
  const known = proven.ok ? proven.value.client.id : proven.error.clientId;
  const admitted = proven.ok && isAdministrator(proven.value);
  // Only a client's own id is told: what was typed as one may be a secret.
  const about = { requestId: c.get('requestId'), by: known ?? 'nobody known' };
  logNotice(admitted ? 'ops_signed_in' : 'ops_sign_in_refused', about);
  if (!admitted) {
    const refused = 'This client id and secret do not let you in.';
    return page(c, 401, <SignInPage refused={refused} />);
  }
  await keepSession(c, newSession(proven.value.client.id));
  return c.redirect(OPS_PATH, 303);
}

async function signOut(c: AppContext): Promise<Response> {
  const session = await readSession(c);
  if (session !== null) await endSession(c, session);
  return c.redirect(OPS_PATH, 303);
}

/** What a form can have done to messages, as the page's address tells it afterwards. */
const done = {
  replayed: (count: number) => `${messages(count)} will be sent again.`,
  dismissed: (count: number) => `${messages(count)} given up.`,
} as const;

type Done = keyof typeof done;

/** Registers a form that changes messages, and tells the dispatcher beside the answer. */
function changes(
  api: Api,
  name: string,
  doing: Done,
  change: (database: Database, form: Form, by: Mender) => Promise<Result<Changed, Failure>>,
): void {
  api.post(`${OPS_PATH}/outbox/${name}`, async (c) => {
    const session = await readSession(c);
    const ended = 'Your session has ended. Nothing was done: please sign in again.';
    if (session === null || (await hasEnded(c, session))) {
      return page(c, 401, <SignInPage refused={ended} />);
    }
    const form = await formOf(c);
    if (!form.ok) return unreadableForm(c, form.error);
    const by = { clientId: session.clientId, requestId: c.get('requestId') };
    const changed = await change(c.get('database'), form.value, by);
    if (!changed.ok) {
      const { code, detail } = changed.error;
      return overviewPage(c, session, { kind: 'bad', words: detail }, statusOf(code));
    }
    c.executionCtx.waitUntil(pokeAfterChange(c.env, c.get('crossings'), changed.value));
    await keepSession(c, session);
    return c.redirect(`${OPS_PATH}?${doing}=${changed.value.count}`, 303);
  });
}

/** What the form before has done. */
function happenedBefore(c: AppContext): Happened | null {
  for (const doing of Object.keys(done) as Done[]) {
    const count = c.req.query(doing);
    if (count !== undefined && /^\d{1,6}$/.test(count)) {
      return { kind: 'good', words: done[doing](Number(count)) };
    }
  }
  return null;
}

function messages(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`;
}
