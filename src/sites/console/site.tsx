import { type Child, createContext, useContext } from 'hono/jsx';
import { z } from 'zod';
import type { Failure } from '../../core/failure.ts';
import { DAY_MS } from '../../core/time.ts';
import { staffLanguages } from '../../core/words/staff.ts';
import { ownNameOf } from '../../core/words/words.ts';
import type { BookingFile } from '../../desk/bookingFile.ts';
import { type Counts, MOST_COUNTED } from '../../desk/counts.ts';
import { endStaffSession } from '../../desk/sessions.ts';
import { guestOf, words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { LIVES } from '../../records/keyring/lives.ts';
import { askForPasskey } from '../../records/staff/passkeys.ts';
import { hasRight, type Person, type Right } from '../../records/staff/rules.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { Hidden, InputField } from '../web/forms.tsx';
import { Notice, Tabs } from '../web/page.tsx';
import { staffSite } from '../web/staffSite.tsx';
import { PasskeyForm, passkeyWork } from './passkeys.tsx';
import { ACCOUNT_PATH, CONSOLE_PATH, LANGUAGE_PATH, PASSKEY_PATH, pathOf } from './paths.ts';

const { console: copy } = words;

export const consoleSite = staffSite({
  name: 'console',
  copy,
  // People arrive by links in mails.
  sameSite: 'Lax',
  session: z.object({ id: z.string(), untilMs: z.int() }),
  lifeMs: LIVES.shift,
  rememberedMs: 14 * DAY_MS,
  end: endStaffSession,
});

/** Who looks at a page of which property. */
export interface Viewed {
  readonly person: Person;
  readonly property: PropertyRow;
  /** What needs somebody there, for the navigation. */
  readonly counts?: Counts | undefined;
}

export interface PropertyRequest extends Viewed {
  readonly c: AppContext;
  /** The booking's reference; empty if the request names none. */
  readonly reference: string;
}

const ViewContext = createContext<(Viewed & { readonly file?: BookingFile }) | null>(null);

/** Who looks at the page, and at which property. */
export function useViewed(): Viewed & { readonly file?: BookingFile } {
  const viewed = useContext(ViewContext);
  if (viewed === null) throw new Error('the page belongs to no property');
  return viewed;
}

export function useFile(): BookingFile {
  const { file } = useViewed();
  if (!file) throw new Error('the page is about no booking');
  return file;
}

/** What a page is called, and its place in the navigation: the last part of its path. */
interface Titled {
  readonly title: string;
  readonly here?: string;
  readonly typed?: string;
  readonly file?: BookingFile;
}

/** A page about a property, as a person of the staff sees it. */
export function framed(viewed: Viewed, { title, here, file, typed = '' }: Titled, content: Child) {
  const { counts, person, property } = viewed;
  const view = { ...viewed, ...(file && { file }) };
  return consoleSite.framed(
    {
      title,
      of: copy.of({ property: property.name }),
      signedInAs: nameOf(person),
      find: <Find property={property.id} typed={typed} />,
      navigation: (
        <Navigation counts={counts} person={person} property={property} here={here ?? ''} />
      ),
    },
    <ViewContext.Provider value={view}>{content}</ViewContext.Provider>,
  );
}

/** The field that finds a booking, in the header of every page of a property. */
function Find({ property, typed }: { readonly property: string; readonly typed: string }) {
  const { search } = words;
  return (
    <search>
      <form method="get" action={`${CONSOLE_PATH}/property`} class="actions find">
        <Hidden fields={{ property }} />
        <input
          name="q"
          type="search"
          value={typed}
          aria-label={search.label}
          aria-keyshortcuts="/"
        />
        <button type="submit">{search.find}</button>
      </form>
    </search>
  );
}

/** Links between the pages of one theme, each by the last part of its path. */
export function Ways({
  name,
  ways,
  current,
}: {
  readonly name: string;
  readonly ways: Readonly<Record<string, string>>;
  readonly current?: string;
}) {
  const { id: property } = useViewed().property;
  const tabs = Object.entries(ways).map(([way, text]) => ({
    name: text,
    href: pathOf(way, { property }),
    isCurrent: way === current,
  }));
  return <Tabs name={name} tabs={tabs} />;
}

/** What the pages of a booking are called: its guest, and its reference. */
export function bookingTitle({ state: { booking } }: BookingFile): string {
  return words.booking.title({ guest: guestOf(booking), reference: booking.reference });
}

export function nameOf({ name, role }: Person) {
  return (
    <a href={ACCOUNT_PATH}>
      <bdi>{name}</bdi> ({words.rights.roles[role]})
    </a>
  );
}

/** The pages of a property in the order of the navigation, by the last part of their path, and the rights that they take. */
const places = {
  property: 'see',
  failed: 'see',
  coming: 'see',
  virtual: 'see',
  disputes: 'see',
  differences: 'see',
  report: 'seeReports',
  disbursements: 'seeReports',
  staff: 'seeReports',
} as const satisfies Record<keyof typeof copy.tabs, Right>;

function Navigation({ counts, person, property, here }: Viewed & { readonly here: string }) {
  const pages = Object.keys(places) as (keyof typeof places)[];
  const own = pages
    .filter((page) => hasRight(person.role, places[page]))
    .map((page) => ({
      name: copy.tabs[page],
      count: countCopy(counts?.[page as keyof Counts]),
      href: pathOf(page, { property: property.id }),
      isCurrent: page === here,
    }));
  const all = { name: copy.all, href: CONSOLE_PATH, isCurrent: false };
  return <Tabs name={property.name} tabs={person.propertyId === null ? [all, ...own] : own} />;
}

function countCopy(number = 0): string | undefined {
  if (number === 0) return undefined;
  return number < MOST_COUNTED ? String(number) : `${MOST_COUNTED}+`;
}

/** The page for what a person may not see. To people who do not work for the property, it does not exist. */
export function refusedPage(c: AppContext, { code, detail }: Failure): Promise<Response> {
  return code === 'not_permitted'
    ? consoleSite.message(c, 403, copy.notYourRole, detail)
    : notFoundPage(c);
}

/** The page for an address that leads nowhere, or to something that this person does not reach. */
export function notFoundPage(c: AppContext): Promise<Response> {
  return consoleSite.message(c, 404, copy.notFound, copy.notFoundText);
}

/** Buttons for the languages that the page is not in. It is kept in the browser, and for who is signed in. */
export function Languages({ next }: { readonly next: string }) {
  const others = staffLanguages.filter((language) => language !== words.language);
  return (
    <form method="post" action={LANGUAGE_PATH} class="actions">
      <Hidden fields={{ next }} />
      <span>
        {copy.language}: {words.ownName}
      </span>
      {others.map((language) => (
        <button type="submit" name="language" value={language} lang={language}>
          {ownNameOf(language)}
        </button>
      ))}
    </form>
  );
}

/** What a page to sign in says besides. */
interface SignInNotes {
  /** Why the last attempt failed. */
  readonly error?: string;
  /** The page to come back to, unless it is the one that was asked for. */
  readonly next?: string;
}

/**
 * The page for who is not signed in; signing in leads back to the page that was asked for. Where only Cloudflare Access
 * lets people in, it says so; behind that, nobody sees it.
 */
export async function signInPage(c: AppContext, status: 200 | 401 | 422, notes: SignInNotes = {}) {
  const { signIn } = words;
  const { pathname, search } = new URL(c.req.url);
  const { error, next = c.req.method === 'GET' ? pathname + search : CONSOLE_PATH } = notes;
  const fields = { next: consoleSite.nextPage(next) };
  if (c.get('config').access?.isOnlyWay) {
    return consoleSite.show(c, status, { title: signIn.title }, <p>{signIn.accessOnly}</p>);
  }
  const work = passkeyWork(c);
  const question = work && (await askForPasskey(work, Date.now()));
  return consoleSite.show(
    c,
    status,
    { title: signIn.title },
    <>
      {error && <Notice kind="bad" text={error} />}
      {!error && consoleSite.hadSession(c) && <Notice kind="info" text={signIn.ended} />}
      <form method="post" action={`${CONSOLE_PATH}/sign-in`} class="card">
        <p>{signIn.intro}</p>
        <Hidden fields={fields} />
        <InputField id="email" label={signIn.email} type="email" autocomplete="username" required />
        <button type="submit">{signIn.send}</button>
      </form>
      {question && (
        <PasskeyForm action={PASSKEY_PATH} fields={fields} question={question} use="use" />
      )}
      <Languages {...fields} />
    </>,
  );
}
