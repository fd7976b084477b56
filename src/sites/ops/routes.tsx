import { fieldFailure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { readOverview, readToDismiss } from '../../desk/operations/overview.ts';
import { failureCopy } from '../../desk/refusals.ts';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { description } from '../../http/fields.ts';
import type { Api } from '../../http/operation.ts';
import { statusOf } from '../../http/problem.ts';
import { logWarning } from '../../platform/log.ts';
import { changeMessages, type Operator } from '../../pms/outbox/actions.ts';
import { notifyAfterChange } from '../../pms/outbox/stub.ts';
import { acceptException } from '../../reconciliation/actions.ts';
import { provenClient } from '../../records/clients/actions.ts';
import { isAdministrator } from '../../records/clients/rules.ts';
import { LIVES } from '../../records/keyring/lives.ts';
import { isOperator, type Person } from '../../records/staff/rules.ts';
import { failedPage } from '../console/lists/attention.tsx';
import { differencesPage } from '../console/lists/differences.tsx';
import { answerLists } from '../console/lists/list.tsx';
import { comingPage, disputesPage } from '../console/lists/payments.tsx';
import { payoutsPage } from '../console/lists/payouts.tsx';
import { OPS_PATH } from '../console/paths.ts';
import { readSignedIn } from '../console/signIn.tsx';
import { framedOfAll, signInPage } from '../console/site.tsx';
import { type Form, formOf } from '../web/forms.tsx';
import { page, type Said } from '../web/page.tsx';
import { keepSession } from '../web/staffSession.ts';
import { consoleSite, nextPage, opsSite } from '../web/staffSite.tsx';
import { Dismissal } from './outbox.tsx';
import { OverviewParts } from './overview.tsx';

const { ops: copy } = words;

/** Registers the operations page and its forms: dead messages are replayed or dismissed, differences accepted. */
export function registerOps(api: Api): void {
  opsSite.register(api);
  registerPage(api, OPS_PATH, (c, person) => overviewPage(c, person, lastChangeOf(c)));
  api.post(`${OPS_PATH}/sign-in`, (c) => signIn(c));
  registerChange(api, 'replay', 'replayed', ({ messageId = '' }) => ({ messageId }));
  registerChange(api, 'replay-all', 'replayed', ({ property = '' }) => ({
    property,
    status: 'Dead',
  }));
  registerChange(api, 'dismiss', 'dismissed', ({ messageId = '' }) => ({ messageId }));
  registerPage(api, `${OPS_PATH}/outbox/dismiss`, askToDismiss);
  registerForm(api, 'reconciliation/accept', accept);
  // The lists that the console has for a property, here of all properties.
  for (const list of [failedPage, comingPage, disputesPage, differencesPage, payoutsPage]) {
    registerPage(api, `${OPS_PATH}/${list.path}`, (c, person) =>
      answerLists(c, list, { shown: null, nowMs: Date.now() }, (content) =>
        framedOfAll(person, { title: list.copy.title, here: list.path }, content),
      ),
    );
  }
  // After a form, the address bar may show its path; reloading it leads back to the page.
  api.get(`${OPS_PATH}/*`, (c) => c.redirect(OPS_PATH, 303));
}

/** Registers a page for administrators of the service. */
function registerPage(
  api: Api,
  path: string,
  show: (c: AppContext, person: Person) => Promise<Response>,
): void {
  api.get(path, async (c) => {
    const signedIn = await readSignedIn(c, '');
    if (signedIn === null) return signInPage(c, 200);
    return isOperator(signedIn.person) ? show(c, signedIn.person) : notYours(c);
  });
}

function notYours(c: AppContext): Promise<Response> {
  return consoleSite.message(c, 403, words.console.notYourRole, copy.notYours);
}

async function overviewPage(
  c: AppContext,
  person: Person,
  result: Said | null,
  status = 200,
): Promise<Response> {
  const overview = await readOverview(c.get('database'), Date.now());
  const content = <OverviewParts overview={overview} result={result} />;
  return page(c, status, framedOfAll(person, { title: copy.title, here: OPS_PATH }, content));
}

/** Asks before a dead message is dismissed. Any other message leads back to the overview. */
async function askToDismiss(c: AppContext, person: Person): Promise<Response> {
  const message = await readToDismiss(c.get('database'), c.req.query('messageId') ?? '');
  if (message?.status !== 'Dead') return c.redirect(OPS_PATH, 303);
  const { title } = copy.dismiss;
  return page(c, 200, framedOfAll(person, { title }, <Dismissal message={message} />));
}

async function signIn(c: AppContext): Promise<Response> {
  const form = await formOf(c);
  if (!form.ok) return opsSite.unreadable(c, form.error);
  const { clientId = '', clientSecret = '', next } = form.value;
  const proof = { clientId, clientSecret };
  const proven = await provenClient(c.get('database'), c.get('config'), proof);
  const known = proven.ok ? proven.value.client.id : proven.error.clientId;
  const admitted = proven.ok && isAdministrator(proven.value);
  // Log only the id of an existing client: someone may have typed a secret as the id.
  const about = { requestId: c.get('requestId'), by: known ?? 'unknown client' };
  logWarning(admitted ? 'ops_signed_in' : 'ops_sign_in_refused', about);
  if (!admitted) return signInPage(c, 401, { error: copy.signIn.rejected, next });
  const session = { id: crypto.randomUUID(), untilMs: Date.now() + LIVES.shift };
  await keepSession(c, { ...session, clientId: proven.value.client.id });
  return c.redirect(nextPage(next, OPS_PATH), 303);
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
  kind: 'replayed' | 'dismissed',
  whichOf: (form: Form) => Parameters<typeof changeMessages>[1],
): void {
  const to = kind === 'replayed' ? 'Pending' : 'Dismissed';
  registerForm(api, `outbox/${name}`, async (c, form, by) => {
    const changed = await changeMessages(c.get('database'), whichOf(form), to, by, Date.now());
    if (!changed.ok) return changed;
    c.executionCtx.waitUntil(notifyAfterChange(c.env, c.get('trace'), changed.value));
    return ok({ kind, count: changed.value.count });
  });
}

/** Accepts a difference from the acquirer's record, with the reason that was typed. */
async function accept(c: AppContext, form: Form, by: Operator): Promise<Result<Done>> {
  const reason = description.min(1).safeParse((form['reason'] ?? '').trim());
  if (!reason.success) {
    const message = copy.noReason;
    const failed = fieldFailure([{ field: 'reason', code: 'invalid_value', message }]);
    return err({ ...failed, detail: message });
  }
  const id = form['exceptionId'] ?? '';
  const work = { database: c.get('database'), env: c.env, trace: c.get('trace') };
  const accepted = await acceptException(work, id, reason.data, by, Date.now());
  return accepted.ok ? ok({ kind: 'accepted', count: 1 }) : accepted;
}

/** Registers a form of the page. Only an administrator who is signed in can send it. */
function registerForm(
  api: Api,
  name: string,
  act: (c: AppContext, form: Form, by: Operator) => Promise<Result<Done>>,
): void {
  api.post(`${OPS_PATH}/${name}`, async (c) => {
    const signedIn = await readSignedIn(c, '');
    if (signedIn === null) return signInPage(c, 401, { error: copy.signIn.ended });
    const { person } = signedIn;
    if (!isOperator(person)) return notYours(c);
    const form = await formOf(c);
    if (!form.ok) return opsSite.unreadable(c, form.error);
    const name = person.isClient ? {} : { name: person.name };
    const by = { clientId: person.id, ...name, requestId: c.get('requestId') };
    const done = await act(c, form.value, by);
    if (!done.ok) {
      const text = failureCopy(done.error);
      return overviewPage(c, person, { kind: 'bad', text }, statusOf(done.error.code));
    }
    return c.redirect(`${OPS_PATH}?${done.value.kind}=${done.value.count}`, 303);
  });
}

/** What the last form did, as the redirect's query says. */
function lastChangeOf(c: AppContext): Said | null {
  for (const change of Object.keys(copy.done) as Change[]) {
    const count = c.req.query(change);
    if (count === undefined || !/^\d{1,6}$/.test(count)) continue;
    const text =
      change === 'accepted' ? copy.done.accepted : copy.done[change]({ count: Number(count) });
    return { kind: 'good', text };
  }
  return null;
}
