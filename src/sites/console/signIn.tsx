import type { MiddlewareHandler } from 'hono';
import { failure } from '../../core/failure.ts';
import { type AtProperty, readPersonByEmail, readPersonOf } from '../../desk/sessions.ts';
import { words } from '../../desk/words.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import { email } from '../../http/fields.ts';
import type { Api } from '../../http/operation.ts';
import { checkGuesses } from '../../http/rate.ts';
import { logWarning } from '../../platform/log.ts';
import { canMail } from '../../platform/mail/send.ts';
import { sendSignInLink, signInByLink, userOfLink } from '../../records/staff/signIn.ts';
import { formOf } from '../web/forms.tsx';
import { LinkLine, Notice } from '../web/page.tsx';
import { newSession } from '../web/staffSite.tsx';
import { accessEmail } from './accessToken.ts';
import { CONSOLE_PATH } from './paths.ts';
import { consoleSite, signInPage } from './site.tsx';

const ENTER_PATH = `${CONSOLE_PATH}/enter`;

const { signIn: copy } = words;

/** Registers how people of the staff sign in and out (interface: Staff). */
export function registerConsoleSignIn(api: Api): void {
  consoleSite.register(api);
  api.use(`${CONSOLE_PATH}/sign-in`, byMail);
  api.use(`${ENTER_PATH}/:secret`, byMail);
  api.post(`${CONSOLE_PATH}/sign-in`, (c) => askForLink(c));
  api.get(`${ENTER_PATH}/:secret`, (c) => showLink(c, c.req.param('secret')));
  api.post(`${ENTER_PATH}/:secret`, (c) => enter(c, c.req.param('secret')));
}

/** Refuses links where Cloudflare Access is the only way in. */
const byMail: MiddlewareHandler<AppEnv> = async (c, next) =>
  c.get('config').access?.isOnlyWay ? signInPage(c, 401) : next();

async function askForLink(c: AppContext): Promise<Response> {
  const limited = await checkGuesses(c);
  if (limited) return consoleSite.failed(c, limited);
  const form = await formOf(c);
  if (!form.ok) return consoleSite.unreadable(c, form.error);
  const address = email.safeParse((form.value['email'] ?? '').trim());
  if (!address.success) {
    return signInPage(c, 422, copy.noAddress);
  }
  const requestId = c.get('requestId');
  if (!canMail(c.env, c.get('config'))) {
    logWarning('console_sign_in_not_configured', { requestId });
    return consoleSite.failed(c, failure('not_configured', copy.noMail));
  }
  const base = publicBaseUrl(c);
  const work = {
    env: c.env,
    config: c.get('config'),
    database: c.get('database'),
    trace: c.get('trace'),
    // People of the staff belong to no property's clock.
    nowMs: Date.now(),
    about: { requestId },
    addressOf: (secret: string) => `${base}${ENTER_PATH}/${secret}`,
  };
  // After the answer, so that its time does not tell whether there is such a person.
  c.executionCtx.waitUntil(sendSignInLink(work, address.data));
  return consoleSite.show(
    c,
    200,
    { title: copy.sentTitle },
    <>
      <Notice kind="info" text={copy.sent} />
      <p>{copy.once}</p>
      <LinkLine href={CONSOLE_PATH} text={copy.another} />
    </>,
  );
}

/** Asks for one press, because mail programs open links by themselves and would use this one up. */
async function showLink(c: AppContext, secret: string): Promise<Response> {
  const user = await userOfLink(c.get('database'), c.get('config'), secret, Date.now());
  if (user === null) return signInPage(c, 401, copy.refused);
  return consoleSite.show(
    c,
    200,
    { title: copy.title },
    <form method="post" action={`${ENTER_PATH}/${secret}`} class="card">
      <p>
        {copy.as} <bdi>{user.name}</bdi>?
      </p>
      <button type="submit">{copy.title}</button>
    </form>,
  );
}

async function enter(c: AppContext, secret: string): Promise<Response> {
  const entered = await signInByLink(c.get('database'), c.get('config'), secret, Date.now());
  const about = { requestId: c.get('requestId') };
  if (!entered.ok) {
    logWarning('console_sign_in_refused', about);
    return signInPage(c, 401, copy.refused);
  }
  logWarning('console_signed_in', { ...about, by: entered.value.id });
  const { id: userId, sessionRound: round } = entered.value;
  await consoleSite.keepSession(c, { ...newSession(), userId, round });
  return c.redirect(CONSOLE_PATH, 303);
}

/**
 * Who sent the request, as D1 has them now, with their session kept for another while: someone who is no longer active is
 * out at once. Null for anyone else. `propertyId` is the property that the request names; empty for none. One round trip.
 */
export async function readSignedIn(c: AppContext, propertyId: string): Promise<AtProperty | null> {
  const { access, local } = c.get('config');
  const database = c.get('database');
  const token = c.req.header('Cf-Access-Jwt-Assertion');
  if (access !== null && token !== undefined) {
    const address = await accessEmail(access, token);
    return address === null ? null : readPersonByEmail(database, address, propertyId, local);
  }
  const session = access?.isOnlyWay ? null : await consoleSite.readSession(c);
  const read = session && (await readPersonOf(database, session, propertyId, local));
  if (session && read) await consoleSite.keepSession(c, session);
  return read;
}
