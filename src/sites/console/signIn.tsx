import type { MiddlewareHandler } from 'hono';
import { failure } from '../../core/failure.ts';
import { pick } from '../../core/pick.ts';
import { staffMessages } from '../../core/words/staff.ts';
import {
  type AtProperty,
  noteSeen,
  readClientOf,
  readPersonByEmail,
  readPersonOf,
} from '../../desk/sessions.ts';
import { inLanguage, languageNow, speak, words } from '../../desk/words.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import { email } from '../../http/fields.ts';
import type { Api } from '../../http/operation.ts';
import { checkGuesses } from '../../http/rate.ts';
import { learnForPage } from '../../platform/assets.ts';
import { logWarning } from '../../platform/log.ts';
import { canMail } from '../../platform/mail/send.ts';
import { accessEmail } from '../../records/staff/accessToken.ts';
import { signInByPasskey } from '../../records/staff/passkeys.ts';
import { deviceNamed } from '../../records/staff/rules.ts';
import { sendSignInLink, signInByLink, userOfLink } from '../../records/staff/signIn.ts';
import type { SessionRow, UserRow } from '../../schema/staffTables.ts';
import { formOf } from '../web/forms.tsx';
import { LinkLine, Notice } from '../web/page.tsx';
import { endSession, keepSession, readSession } from '../web/staffSession.ts';
import { consoleSite, nextPage, opsSite, staffSiteOf } from '../web/staffSite.tsx';
import { passkeyAnswer, passkeyWork } from './passkeys.tsx';
import { CONSOLE_PATH, PASSKEY_PATH } from './paths.ts';
import { signInPage } from './site.tsx';

const ENTER_PATH = `${CONSOLE_PATH}/enter`;

const { signIn: copy } = words;

/** Registers how people of the staff sign in and out (interface: Staff). */
export function registerConsoleSignIn(api: Api): void {
  consoleSite.register(api);
  api.use(`${CONSOLE_PATH}/sign-in`, withoutAccess);
  api.use(PASSKEY_PATH, withoutAccess);
  api.use(`${ENTER_PATH}/:secret`, withoutAccess);
  api.post(`${CONSOLE_PATH}/sign-in`, (c) => askForLink(c));
  api.post(PASSKEY_PATH, (c) => enterByPasskey(c));
  api.get(`${ENTER_PATH}/:secret`, (c) => showLink(c, c.req.param('secret')));
  api.post(`${ENTER_PATH}/:secret`, (c) => enter(c, c.req.param('secret')));
}

/** Refuses links and passkeys where Cloudflare Access is the only way in. */
const withoutAccess: MiddlewareHandler<AppEnv> = async (c, next) =>
  c.get('config').access?.isOnlyWay ? signInPage(c, 401) : next();

async function askForLink(c: AppContext): Promise<Response> {
  const limited = await checkGuesses(c);
  if (limited) return consoleSite.failed(c, limited);
  const form = await formOf(c);
  if (!form.ok) return consoleSite.unreadable(c, form.error);
  const next = nextPage(form.value['next']);
  const address = email.safeParse((form.value['email'] ?? '').trim());
  if (!address.success) return signInPage(c, 422, { error: copy.noAddress, next });
  const requestId = c.get('requestId');
  if (!canMail(c.env, c.get('config'))) {
    logWarning('console_sign_in_not_configured', { requestId });
    return consoleSite.failed(c, failure('not_configured', copy.noMail));
  }
  mailSignInLink(c, address.data, next);
  return consoleSite.show(
    c,
    200,
    { title: copy.sentTitle },
    <>
      <Notice kind="info" text={copy.sent({ email: address.data })} />
      <p>{copy.once}</p>
      {c.get('config').local && <LinkLine href="/dev/mailbox" text={copy.mailbox} />}
      <LinkLine href={next} text={copy.another} />
    </>,
  );
}

/** Mails someone a link to sign in, if they may; after the answer, so that its time does not tell whether they may. */
function mailSignInLink(c: AppContext, address: string, next = CONSOLE_PATH): void {
  const { mail } = copy;
  mailLink(c, address, next, ({ name }) => ({
    opening: mail.opening({ name }),
    closing: mail.closing,
  }));
}

/** Mails someone who was added to a property's staff their first link. */
export function mailInvitation(
  c: AppContext,
  address: string,
  by: { readonly by: string; readonly property: string },
): void {
  const { mail } = copy;
  const url = publicBaseUrl(c) + CONSOLE_PATH;
  mailLink(c, address, CONSOLE_PATH, ({ name }) => ({
    opening: mail.invited({ ...by, name }),
    closing: mail.later({ url }),
  }));
}

/** The texts of a mail with a link, in the language of the mail. */
type Texts = (user: UserRow) => { readonly opening: string; readonly closing: string };

function mailLink(c: AppContext, address: string, next: string, texts: Texts): void {
  const base = publicBaseUrl(c);
  const work = {
    env: c.env,
    ...pick(c.var, 'config', 'database', 'trace'),
    // People of the staff belong to no property's clock.
    nowMs: Date.now(),
    about: { requestId: c.get('requestId') },
    addressOf: (secret: string) => `${base}${enterPath(secret, next)}`,
    mailOf: (user: UserRow, url: string) => signInMail(c, user, url, texts),
  };
  if (canMail(c.env, work.config)) c.executionCtx.waitUntil(sendSignInLink(work, address));
}

/** The mail with a link, in the language that its person chose, else in that of who asks for it. */
async function signInMail(c: AppContext, user: UserRow, url: string, texts: Texts) {
  const language = user.language ?? languageNow();
  await learnForPage(c.env, staffMessages, language);
  return inLanguage(language, false, () => {
    const { closing, opening } = texts(user);
    const content = {
      language,
      subject: copy.mail.subject,
      heading: copy.title,
      opening: [opening],
      action: { label: copy.title, url },
      closing: [closing],
    };
    return { from: words.ops.site, content };
  });
}

/** Asks for one press, because mail programs open links by themselves and would use this one up. */
async function showLink(c: AppContext, secret: string): Promise<Response> {
  const user = await userOfLink(c.get('database'), c.get('config'), secret, Date.now());
  const next = nextPage(c.req.query('next'));
  if (user === null) return signInPage(c, 401, { error: copy.refused, next });
  return consoleSite.show(
    c,
    200,
    { title: copy.title },
    <form method="post" action={enterPath(secret, next)} class="card">
      <p>
        {copy.as} <bdi>{user.name}</bdi>?
      </p>
      <button type="submit">{copy.title}</button>
    </form>,
  );
}

async function enter(c: AppContext, secret: string): Promise<Response> {
  const next = nextPage(c.req.query('next'));
  const device = deviceNamed(c.req.header('User-Agent') ?? '');
  const proof = { secret, device, nowMs: Date.now() };
  const entered = await signInByLink(c.get('database'), c.get('config'), proof);
  if (!entered.ok) {
    logWarning('console_sign_in_refused', { requestId: c.get('requestId') });
    return signInPage(c, 401, { error: copy.refused, next });
  }
  return goIn(c, entered.value, next);
}

async function enterByPasskey(c: AppContext): Promise<Response> {
  const limited = await checkGuesses(c);
  if (limited) return consoleSite.failed(c, limited);
  const form = await formOf(c);
  if (!form.ok) return consoleSite.unreadable(c, form.error);
  const next = nextPage(form.value['next']);
  const work = passkeyWork(c);
  if (work === null) return signInPage(c, 401, { next });
  const entered = await signInByPasskey(work, passkeyAnswer(c, form.value));
  if (entered.ok) return goIn(c, entered.value, next);
  const about = { requestId: c.get('requestId'), why: entered.error.detail };
  logWarning('console_passkey_refused', about);
  return signInPage(c, 401, { error: words.passkeys.refused, next });
}

/** Gives the browser its session in place of any that it had, and leads to the page that was asked for. */
async function goIn(c: AppContext, session: SessionRow, next: string): Promise<Response> {
  const earlier = await readSession(c);
  if (earlier) await endSession(c, earlier);
  logWarning('console_signed_in', { requestId: c.get('requestId'), by: session.userId });
  await keepSession(c, { id: session.id, untilMs: session.untilMs });
  return c.redirect(next, 303);
}

/** The address where a link is pressed, with the page that it leads to. */
function enterPath(secret: string, next: string): string {
  const query = next === CONSOLE_PATH ? '' : `?${new URLSearchParams({ next }).toString()}`;
  return `${ENTER_PATH}/${secret}${query}`;
}

/**
 * Who sent the request, as D1 has them now: someone who is no longer active is out at once. Null for anyone else.
 * `propertyId` is the property that the request names; empty for none. From here on
 * the request is answered in their language. One round trip.
 */
export async function readSignedIn(c: AppContext, propertyId: string): Promise<AtProperty | null> {
  const read = await readWho(c, propertyId);
  const language = read?.person.language ?? null;
  if (language !== null) await learnForPage(c.env, staffMessages, language);
  speak(language);
  return read;
}

async function readWho(c: AppContext, propertyId: string): Promise<AtProperty | null> {
  const { access, local } = c.get('config');
  const database = c.get('database');
  const token = access === null ? undefined : c.req.header('Cf-Access-Jwt-Assertion');
  const session = await readSession(c);
  // At the operations page a client's secret is a way in, whomever Access vouches for.
  const isOpen = staffSiteOf(c) === opsSite || (token === undefined && !access?.isOnlyWay);
  if (session?.clientId !== undefined && isOpen) {
    const { clientId, id } = session;
    const read = await readClientOf(database, { id, clientId }, propertyId, local);
    if (read) await keepSession(c, session);
    return read;
  }
  if (access !== null && token !== undefined) {
    const address = await accessEmail(access, token);
    return address === null ? null : readPersonByEmail(database, address, propertyId, local);
  }
  if (session === null || access?.isOnlyWay) return null;
  const read = await readPersonOf(database, session, propertyId, local);
  if (read?.session) c.executionCtx.waitUntil(noteSeen(database, read.session, Date.now()));
  return read;
}
