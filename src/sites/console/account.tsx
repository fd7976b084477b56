import { staffLanguageOf } from '../../core/words/staff.ts';
import { type AtProperty, endStaffSession, readSignIns } from '../../desk/sessions.ts';
import { words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { logWarning } from '../../platform/log.ts';
import { chooseLanguage } from '../../records/staff/actions.ts';
import { addPasskey, askToMakePasskey, removePasskey } from '../../records/staff/passkeys.ts';
import type { PasskeyRow, SessionRow } from '../../schema/staffTables.ts';
import { ButtonForm, type Form, formOf } from '../web/forms.tsx';
import { keepLanguage } from '../web/language.ts';
import { LinkLine, Notice } from '../web/page.tsx';
import { consoleSite, nextPage } from '../web/staffSite.tsx';
import { type Column, TableSection } from '../web/table.tsx';
import { more, zonedTime } from './lists/columns.tsx';
import { PasskeyForm, passkeyAnswer, passkeyWork } from './passkeys.tsx';
import { ACCOUNT_PATH, CONSOLE_PATH, LANGUAGE_PATH, OPS_PATH } from './paths.ts';
import { readSignedIn } from './signIn.tsx';
import { Languages, nameOf, notFoundPage, signInPage } from './site.tsx';

const { account: copy } = words;

/** Registers the page about one's own sessions and passkeys, and its forms (interface: Staff). */
export function registerAccount(api: Api): void {
  api.get(ACCOUNT_PATH, async (c) => {
    const signedIn = await readSignedIn(c, '');
    if (signedIn === null) return signInPage(c, 200);
    return signedIn.person.isClient ? notFoundPage(c) : accountPage(c, signedIn);
  });
  api.post(LANGUAGE_PATH, (c) => chooseOwn(c));
  registerOwnForm(api, 'end', endOne);
  registerOwnForm(api, 'add-passkey', add);
  registerOwnForm(api, 'remove-passkey', async (c, { person }, form) => {
    const which = { id: form['id'] ?? '', userId: person.id };
    await removePasskey(c.get('database'), which, Date.now());
    logWarning('console_passkey_removed', { requestId: c.get('requestId'), by: person.id });
    return c.redirect(ACCOUNT_PATH, 303);
  });
}

function registerOwnForm(
  api: Api,
  name: string,
  run: (c: AppContext, signedIn: AtProperty, form: Form) => Promise<Response>,
): void {
  api.post(`${ACCOUNT_PATH}/${name}`, async (c) => {
    const form = await formOf(c);
    if (!form.ok) return consoleSite.unreadable(c, form.error);
    const signedIn = await readSignedIn(c, '');
    if (signedIn?.person.isClient) return notFoundPage(c);
    if (signedIn) return run(c, signedIn, form.value);
    return signInPage(c, 401, { error: words.console.ended, next: ACCOUNT_PATH });
  });
}

/** Keeps the language that somebody chose: in their browser, and with them if they are signed in. */
async function chooseOwn(c: AppContext): Promise<Response> {
  const form = await formOf(c);
  if (!form.ok) return consoleSite.unreadable(c, form.error);
  const language = staffLanguageOf(form.value['language'] ?? '');
  const signedIn = language && (await readSignedIn(c, ''));
  for (const path of [CONSOLE_PATH, OPS_PATH]) if (language) keepLanguage(c, language, path);
  if (signedIn) {
    await chooseLanguage(c.get('database'), signedIn.person.id, language, Date.now());
  }
  return c.redirect(nextPage(form.value['next']), 303);
}

async function endOne(c: AppContext, { person }: AtProperty, form: Form): Promise<Response> {
  const which = { id: form['id'] ?? '', userId: person.id };
  await endStaffSession(c.get('database'), which, Date.now());
  return c.redirect(ACCOUNT_PATH, 303);
}

async function add(c: AppContext, signedIn: AtProperty, form: Form): Promise<Response> {
  const { person } = signedIn;
  const work = passkeyWork(c);
  if (work === null) return c.redirect(ACCOUNT_PATH, 303);
  const added = await addPasskey(work, person, passkeyAnswer(c, form));
  const about = { requestId: c.get('requestId'), by: person.id };
  if (added.ok) {
    logWarning('console_passkey_added', about);
    return c.redirect(ACCOUNT_PATH, 303);
  }
  logWarning('console_passkey_refused', { ...about, why: added.error.detail });
  return accountPage(c, signedIn, 422);
}

async function accountPage(c: AppContext, signedIn: AtProperty, status: 200 | 422 = 200) {
  const { person, session: here } = signedIn;
  const nowMs = Date.now();
  const { passkeys, sessions } = await readSignIns(c.get('database'), person, nowMs);
  const work = passkeyWork(c);
  const question = work && (await askToMakePasskey(work, person, passkeys, nowMs));
  return consoleSite.show(
    c,
    status,
    { title: copy.title, signedInAs: nameOf(person) },
    <>
      <LinkLine href={CONSOLE_PATH} text={words.console.back} />
      {status === 422 && <Notice kind="bad" text={words.passkeys.refused} />}
      <TableSection
        {...copy.sessions}
        id="sessions"
        rows={sessions}
        columns={sessionColumns(here?.id ?? null)}
      />
      <TableSection {...copy.passkeys} id="passkeys" rows={passkeys} columns={passkeyColumns()}>
        <p class="soft">{copy.passkeys.intro}</p>
        {question && (
          <PasskeyForm action={`${ACCOUNT_PATH}/add-passkey`} question={question} use="make" />
        )}
      </TableSection>
      <Languages next={ACCOUNT_PATH} />
    </>,
  );
}

function sessionColumns(hereId: string | null): Column<SessionRow>[] {
  return [
    {
      name: copy.device,
      cell: ({ device, id }) => (
        <>
          <bdi>{device}</bdi> {id === hereId && copy.here}
        </>
      ),
    },
    zonedTime(copy.seen, ({ seenAtMs }) => seenAtMs),
    more(zonedTime<SessionRow>(copy.started, ({ startedAtMs }) => startedAtMs)),
    {
      name: words.columns.actions,
      cell: ({ device, id }) => (
        <ButtonForm action={`${ACCOUNT_PATH}/end`} fields={{ id }} text={copy.end} of={device} />
      ),
    },
  ];
}

function passkeyColumns(): Column<PasskeyRow>[] {
  return [
    { name: copy.madeOn, cell: ({ device }) => <bdi>{device}</bdi> },
    more(zonedTime<PasskeyRow>(copy.made, ({ createdAtMs }) => createdAtMs)),
    zonedTime(copy.used, ({ lastUsedAtMs }) => lastUsedAtMs),
    {
      name: words.columns.actions,
      cell: ({ device, id }) => (
        <ButtonForm
          action={`${ACCOUNT_PATH}/remove-passkey`}
          fields={{ id }}
          text={copy.remove}
          of={device}
        />
      ),
    },
  ];
}
