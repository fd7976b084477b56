import { type Failure, fieldFailure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { readOverview, readToDismiss } from '../../desk/operations/overview.ts';
import { failureCopy } from '../../desk/refusals.ts';
import { hasEnded } from '../../desk/sessions.ts';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { description } from '../../http/fields.ts';
import type { Api } from '../../http/operation.ts';
import { statusOf } from '../../http/problem.ts';
import type { Database } from '../../platform/db/database.ts';
import { logWarning } from '../../platform/log.ts';
import { type Changed, changeMessages, type Operator } from '../../pms/outbox/actions.ts';
import { notifyAfterChange } from '../../pms/outbox/stub.ts';
import { acceptException } from '../../reconciliation/actions.ts';
import { provenClient } from '../../records/clients/actions.ts';
import { differencesPage } from '../console/lists/differences.tsx';
import { answerLists, type StaffPage } from '../console/lists/list.tsx';
import { comingPage, disputesPage, failedPage } from '../console/lists/payments.tsx';
import { payoutsPage } from '../console/lists/payouts.tsx';
import { OPS_PATH } from '../console/paths.ts';
import { type Form, formOf } from '../web/forms.tsx';
import { LinkLine, page } from '../web/page.tsx';
import { Dismissal } from './outbox.tsx';
import { type ChangeResult, OverviewParts } from './overview.tsx';
import {
  framed,
  isAdministrator,
  newSession,
  opsSite,
  readSession,
  type Session,
  signedInAs,
  signInPage,
} from './site.tsx';

const { ops: copy } = words;

/** Registers the operations page and its forms: dead messages are replayed or dismissed, differences accepted. */
export function registerOps(api: Api): void {
  opsSite.register(api);
  api.get(OPS_PATH, async (c) => {
    const session = await readSession(c);
    return session === null ? signInPage(c) : overviewPage(c, session, lastChangeOf(c));
  });
  api.post(`${OPS_PATH}/sign-in`, (c) => signIn(c));
  registerChange(api, 'replay', 'replayed', (database, form, by) =>
    changeMessages(database, { messageId: form['messageId'] ?? '' }, 'Pending', by, Date.now()),
  );
  registerChange(api, 'replay-all', 'replayed', (database, form, by) =>
    changeMessages(
      database,
      { property: form['property'] ?? '', status: 'Dead' },
      'Pending',
      by,
      Date.now(),
    ),
  );
  registerChange(api, 'dismiss', 'dismissed', (database, form, by) =>
    changeMessages(database, { messageId: form['messageId'] ?? '' }, 'Dismissed', by, Date.now()),
  );
  api.get(`${OPS_PATH}/outbox/dismiss`, (c) => askToDismiss(c));
  registerForm(api, 'reconciliation/accept', accept);
  // The lists that the console has for a property, here of all properties.
  for (const list of [failedPage, comingPage, disputesPage, differencesPage, payoutsPage]) {
    api.get(`${OPS_PATH}/${list.path}`, (c) => showList(c, list));
  }
  // After a form, the address bar may show its path; reloading it leads back to the page.
  api.get(`${OPS_PATH}/*`, (c) => c.redirect(OPS_PATH, 303));
}

async function showList(c: AppContext, list: StaffPage): Promise<Response> {
  const session = await readSession(c);
  if (session === null || (await hasEnded(c.get('database'), session))) return signInPage(c);
  await opsSite.keepSession(c, session);
  return answerLists(c, list, { shown: null, nowMs: Date.now() }, (content) =>
    framed(
      session,
      list.copy.title,
      <>
        <LinkLine href={OPS_PATH} text={copy.back} />
        {content}
      </>,
    ),
  );
}

async function overviewPage(
  c: AppContext,
  session: Session,
  result: ChangeResult | null,
  status = 200,
): Promise<Response> {
  const overview = await readOverview(c.get('database'), session.id, Date.now());
  if (overview === null) return signInPage(c);
  await opsSite.keepSession(c, session);
  return opsSite.show(
    c,
    status,
    { title: copy.title, signedInAs: signedInAs(session) },
    <OverviewParts overview={overview} result={result} />,
  );
}

/** Asks before a dead message is dismissed. Any other message leads back to the overview. */
async function askToDismiss(c: AppContext): Promise<Response> {
  const session = await readSession(c);
  const asked = c.req.query('messageId') ?? '';
  const found = session && (await readToDismiss(c.get('database'), session.id, asked));
  if (!session || !found) return signInPage(c);
  const [message] = found;
  if (message?.status !== 'Dead') return c.redirect(OPS_PATH, 303);
  await opsSite.keepSession(c, session);
  return page(c, 200, framed(session, copy.dismiss.title, <Dismissal message={message} />));
}

async function signIn(c: AppContext): Promise<Response> {
  const form = await formOf(c);
  if (!form.ok) return opsSite.unreadable(c, form.error);
  const { clientId = '', clientSecret = '' } = form.value;
  const proof = { clientId, clientSecret };
  const proven = await provenClient(c.get('database'), c.get('config'), proof);
  const known = proven.ok ? proven.value.client.id : proven.error.clientId;
  const admitted = proven.ok && isAdministrator(proven.value);
  // Log only the id of an existing client: someone may have typed a secret as the id.
  const about = { requestId: c.get('requestId'), by: known ?? 'unknown client' };
  logWarning(admitted ? 'ops_signed_in' : 'ops_sign_in_refused', about);
  if (!admitted) return signInPage(c, 401, copy.signIn.rejected);
  await opsSite.keepSession(c, newSession(proven.value.client.id));
  return c.redirect(opsSite.nextPage(form.value['next']), 303);
}

/** What forms do; the redirect's query names it, and its count. */
type Change = keyof typeof copy.done;

/** What a form did: how much of which change. */
interface Done {
  readonly kind: Change;
  readonly count: number;
}

/** Registers a form that changes messages. It notifies the dispatcher after the answer. */
function registerChange(
  api: Api,
  name: string,
  kind: Change,
  change: (database: Database, form: Form, by: Operator) => Promise<Result<Changed, Failure>>,
): void {
  registerForm(api, `outbox/${name}`, async (c, form, by) => {
    const changed = await change(c.get('database'), form, by);
    if (!changed.ok) return changed;
    c.executionCtx.waitUntil(notifyAfterChange(c.env, c.get('trace'), changed.value));
    return ok({ kind, count: changed.value.count });
  });
}

/** Accepts a difference from the acquirer's record, with the reason that was typed. */
async function accept(c: AppContext, form: Form, by: Operator): Promise<Result<Done, Failure>> {
  const reason = description.min(1).safeParse((form['reason'] ?? '').trim());
  if (!reason.success) {
    const message = copy.noReason;
    const failed = fieldFailure([{ field: 'reason', code: 'invalid_value', message }]);
    return err({ ...failed, detail: message });
  }
  const id = form['exceptionId'] ?? '';
  const accepted = await acceptException(c.get('database'), id, reason.data, by, Date.now());
  return accepted.ok ? ok({ kind: 'accepted', count: 1 }) : accepted;
}

/** Registers a form of the page. Only an administrator who is signed in can send it. */
function registerForm(
  api: Api,
  name: string,
  act: (c: AppContext, form: Form, by: Operator) => Promise<Result<Done, Failure>>,
): void {
  api.post(`${OPS_PATH}/${name}`, async (c) => {
    const session = await readSession(c);
    if (session === null || (await hasEnded(c.get('database'), session))) {
      return signInPage(c, 401, copy.signIn.ended);
    }
    const form = await formOf(c);
    if (!form.ok) return opsSite.unreadable(c, form.error);
    const by = { clientId: session.clientId, requestId: c.get('requestId') };
    const done = await act(c, form.value, by);
    if (!done.ok) {
      const text = failureCopy(done.error);
      return overviewPage(c, session, { kind: 'bad', text }, statusOf(done.error.code));
    }
    await opsSite.keepSession(c, session);
    return c.redirect(`${OPS_PATH}?${done.value.kind}=${done.value.count}`, 303);
  });
}

/** What the last form did, as the redirect's query says. */
function lastChangeOf(c: AppContext): ChangeResult | null {
  for (const change of Object.keys(copy.done) as Change[]) {
    const count = c.req.query(change);
    if (count === undefined || !/^\d{1,6}$/.test(count)) continue;
    const text =
      change === 'accepted' ? copy.done.accepted : copy.done[change]({ count: Number(count) });
    return { kind: 'good', text };
  }
  return null;
}
