import type { Failure } from '../../core/failure.ts';
import type { Result } from '../../core/result.ts';
import { serveAsset } from '../../http/assets.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { statusOf } from '../../http/problem.ts';
import type { Database } from '../../platform/db/database.ts';
import { logWarning } from '../../platform/log.ts';
import { type Changed, dismiss, type Operator, replay } from '../../pms/outbox/actions.ts';
import { notifyAfterChange } from '../../pms/outbox/stub.ts';
import { provenClient } from '../../records/clients/actions.ts';
import { type Form, formOf } from '../web/forms.ts';
import { page } from '../web/page.ts';
import { type ChangeResult, OverviewPage } from './pages/overview.tsx';
import { SignInPage } from './pages/signIn.tsx';
import { readOverview } from './readOverview.ts';
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

/** Registers the operations page and its forms, which replay or dismiss dead messages. */
export function registerOps(api: Api): void {
  // Before the guard, which forbids caching: browsers may cache the style sheet.
  api.get(`${OPS_PATH}/ops.css`, serveAsset);
  api.use(`${OPS_PATH}/*`, opsSite);
  api.get(OPS_PATH, (c) => showOverview(c));
  api.post(`${OPS_PATH}/sign-in`, (c) => signIn(c));
  api.post(`${OPS_PATH}/sign-out`, (c) => signOut(c));
  registerChange(api, 'replay', 'replayed', (database, form, by) =>
    replay(database, { messageId: form['messageId'] ?? '' }, by, Date.now()),
  );
  registerChange(api, 'replay-all', 'replayed', (database, form, by) =>
    replay(database, { property: form['property'] ?? '', status: 'Dead' }, by, Date.now()),
  );
  registerChange(api, 'dismiss', 'dismissed', (database, form, by) =>
    dismiss(database, form['messageId'] ?? '', by, Date.now()),
  );
  // After a form, the address bar may show its path; reloading it leads back to the page.
  api.get(`${OPS_PATH}/*`, (c) => c.redirect(OPS_PATH, 303));
}

async function showOverview(c: AppContext): Promise<Response> {
  const session = await readSession(c);
  if (session === null) return page(c, 200, <SignInPage />);
  return overviewPage(c, session, lastChangeOf(c));
}

async function overviewPage(
  c: AppContext,
  session: Session,
  result: ChangeResult | null,
  status = 200,
): Promise<Response> {
  const overview = await readOverview(c.get('database'), session.id, Date.now());
  if (overview === null) return page(c, 200, <SignInPage />);
  await keepSession(c, session);
  return page(
    c,
    status,
    <OverviewPage overview={overview} signedInAs={session.clientId} result={result} />,
  );
}

const SIGN_IN_REJECTED =
  'The client id or secret is wrong, or this client is not an administrator.';

async function signIn(c: AppContext): Promise<Response> {
  const form = await formOf(c);
  if (!form.ok) return unreadableForm(c, form.error);
  const { clientId = '', clientSecret = '' } = form.value;
  const proof = { clientId, clientSecret };
  const proven = await provenClient(c.get('database'), c.get('config'), proof);
  const known = proven.ok ? proven.value.client.id : proven.error.clientId;
  const admitted = proven.ok && isAdministrator(proven.value);
  // Log only the id of an existing client: someone may have typed a secret as the id.
  const about = { requestId: c.get('requestId'), by: known ?? 'unknown client' };
  logWarning(admitted ? 'ops_signed_in' : 'ops_sign_in_refused', about);
  if (!admitted) {
    return page(c, 401, <SignInPage error={SIGN_IN_REJECTED} />);
  }
  await keepSession(c, newSession(proven.value.client.id));
  return c.redirect(OPS_PATH, 303);
}

async function signOut(c: AppContext): Promise<Response> {
  const session = await readSession(c);
  if (session !== null) await endSession(c, session);
  return c.redirect(OPS_PATH, 303);
}

/** Confirms a change to messages; the redirect's query names the change and the count. */
const confirmations = {
  replayed: (count: number) => `${messages(count)} will be sent again.`,
  dismissed: (count: number) => `${messages(count)} dismissed.`,
} as const;

type Change = keyof typeof confirmations;

/** Registers a form that changes messages. It notifies the dispatcher after the answer. */
function registerChange(
  api: Api,
  name: string,
  kind: Change,
  change: (database: Database, form: Form, by: Operator) => Promise<Result<Changed, Failure>>,
): void {
  api.post(`${OPS_PATH}/outbox/${name}`, async (c) => {
    const session = await readSession(c);
    const ended = 'Your session has ended, so nothing was changed. Please sign in again.';
    if (session === null || (await hasEnded(c, session))) {
      return page(c, 401, <SignInPage error={ended} />);
    }
    const form = await formOf(c);
    if (!form.ok) return unreadableForm(c, form.error);
    const by = { clientId: session.clientId, requestId: c.get('requestId') };
    const changed = await change(c.get('database'), form.value, by);
    if (!changed.ok) {
      const { code, detail } = changed.error;
      return overviewPage(c, session, { kind: 'bad', text: detail }, statusOf(code));
    }
    c.executionCtx.waitUntil(notifyAfterChange(c.env, c.get('trace'), changed.value));
    await keepSession(c, session);
    return c.redirect(`${OPS_PATH}?${kind}=${changed.value.count}`, 303);
  });
}

/** What the last form did, as the redirect's query says. */
function lastChangeOf(c: AppContext): ChangeResult | null {
  for (const change of Object.keys(confirmations) as Change[]) {
    const count = c.req.query(change);
    if (count !== undefined && /^\d{1,6}$/.test(count)) {
      return { kind: 'good', text: confirmations[change](Number(count)) };
    }
  }
  return null;
}

function messages(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`;
}
