import { type Child, createContext, useContext } from 'hono/jsx';
import type { Failure } from '../../core/failure.ts';
import { staffLanguages } from '../../core/words/staff.ts';
import { ownNameOf } from '../../core/words/words.ts';
import type { BookingFile } from '../../desk/bookingFile.ts';
import { type Counts, countOfFailed, MOST_COUNTED } from '../../desk/counts.ts';
import { days } from '../../desk/format.ts';
import type { Span } from '../../desk/reports/store.ts';
import { guestOf, words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { askForPasskey } from '../../records/staff/passkeys.ts';
import { hasRight, isOperator, type Person, type Right } from '../../records/staff/rules.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { type Form, Hidden, InputField, TextField } from '../web/forms.tsx';
import { Notice, Tabs } from '../web/page.tsx';
import { withoutCards } from '../web/repeatable.ts';
import { hadSession } from '../web/staffSession.ts';
import { consoleSite, nextPage, opsSite, staffSiteOf } from '../web/staffSite.tsx';
import { PasskeyForm, passkeyWork } from './passkeys.tsx';
import {
  ACCOUNT_PATH,
  CONSOLE_PATH,
  LANGUAGE_PATH,
  listPath,
  OPS_PATH,
  PASSKEY_PATH,
  pathOf,
} from './paths.ts';

const { console: copy } = words;

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
  /** The days that it is of. A sheet of paper has no address and no form that would tell. */
  readonly span?: Span;
}

/** A page about a property, as a person of the staff sees it. */
export function framed(
  viewed: Viewed,
  { title, here, file, span, typed = '' }: Titled,
  content: Child,
) {
  const { counts, person, property } = viewed;
  const view = { ...viewed, ...(file && { file }) };
  return consoleSite.framed(
    {
      title,
      of: copy.of({ property: property.name }),
      signedInAs: nameOf(person),
      find: <Find property={property.id} typed={typed} />,
      navigation: <Navigation counts={counts} person={person} shown={property} here={here ?? ''} />,
    },
    <>
      <p class="paper">
        <bdi>{property.name}</bdi>
        {span && `, ${days(span.from, span.to)}`}
      </p>
      <ViewContext.Provider value={view}>{content}</ViewContext.Provider>
    </>,
  );
}

/** A page about all properties, as somebody sees it who works for several; `here` as in {@link Titled}. */
export function framedOfAll(
  person: Person,
  { title, here = '' }: Pick<Titled, 'title' | 'here'>,
  content: Child,
) {
  const navigation = <Navigation person={person} shown={null} here={here} />;
  const site = here === CONSOLE_PATH ? consoleSite : opsSite;
  return site.framed({ title, signedInAs: nameOf(person), navigation }, content);
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
          placeholder={search.example}
          aria-keyshortcuts="/"
        />
        <button type="submit">{search.find}</button>
      </form>
    </search>
  );
}

/** Links between the pages of one theme, each by the last part of its path. */
export function Ways(
  listed: Readonly<{ name: string; ways: Readonly<Record<string, string>>; current?: string }>,
) {
  const { name, ways, current } = listed;
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

export function nameOf({ isClient, name, role }: Person) {
  if (isClient)
    return (
      <>
        {words.ops.signedInAs} <bdi>{name}</bdi>
      </>
    );
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

/** The pages that administrators have of all properties. */
const pagesOfAll = ['failed', 'coming', 'disputes', 'differences', 'disbursements'] as const;

function Navigation(
  viewed: Pick<Viewed, 'counts' | 'person'> & Readonly<{ shown: PropertyRow | null; here: string }>,
) {
  const { counts, person, shown, here } = viewed;
  const ofOne = (Object.keys(places) as (keyof typeof places)[]).filter((page) =>
    hasRight(person.role, places[page]),
  );
  const above = [
    ...(person.propertyId === null ? [{ name: copy.all, href: CONSOLE_PATH }] : []),
    ...(isOperator(person) ? [{ name: words.ops.title, href: OPS_PATH }] : []),
  ];
  const pages = shown ? ofOne : isOperator(person) ? pagesOfAll : [];
  const counted: Partial<Record<string, number>> = counts
    ? { ...counts, failed: countOfFailed(counts) }
    : {};
  const tabs = [
    ...above.map((tab) => ({ ...tab, isCurrent: tab.href === here })),
    ...pages.map((page) => ({
      name: copy.tabs[page],
      count: countCopy(counted[page]),
      href: listPath(shown, page),
      isCurrent: page === here,
    })),
  ];
  return <Tabs name={shown?.name ?? copy.all} tabs={tabs} />;
}

/** How many need somebody; nothing for none. */
export function countCopy(number = 0): string | undefined {
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
  readonly next?: string | undefined;
  /** What was written on a page whose session had ended. */
  readonly written?: string | undefined;
}

/**
 * The page for who is not signed in; signing in leads back to the page that was asked for. On the operations page,
 * administrators may sign in by a client's secret, too. Where people come in by Cloudflare Access only, it says so; behind
 * that, nobody sees it.
 */
export async function signInPage(c: AppContext, status: 200 | 401 | 422, notes: SignInNotes = {}) {
  const { signIn } = words;
  const site = staffSiteOf(c) ?? consoleSite;
  const isOps = site === opsSite;
  const home = isOps ? OPS_PATH : CONSOLE_PATH;
  const { pathname, search } = new URL(c.req.url);
  const { error, next = c.req.method === 'GET' ? pathname + search : home, written } = notes;
  const fields = { next: nextPage(next, home) };
  const isByAccess = c.get('config').access?.isOnlyWay;
  const work = isOps || isByAccess ? null : passkeyWork(c);
  const question = work && (await askForPasskey(work, Date.now()));
  return site.show(
    c,
    status,
    { title: signIn.title },
    <>
      {error && <Notice kind="bad" text={error} />}
      {!error && hadSession(c) && <Notice kind="info" text={signIn.ended} />}
      {written && (
        <TextField
          id="written"
          label={signIn.written}
          rows={5}
          text={withoutCards(written)}
          readonly
        />
      )}
      {isOps && <ClientForm fields={fields} />}
      {isByAccess ? (
        <p>{signIn.accessOnly}</p>
      ) : (
        <form method="post" action={`${CONSOLE_PATH}/sign-in`} class="card">
          <p>{signIn.intro}</p>
          <Hidden fields={fields} />
          <InputField
            id="email"
            label={signIn.email}
            type="email"
            autocomplete="username"
            required
          />
          <button type="submit">{signIn.send}</button>
        </form>
      )}
      {question && (
        <PasskeyForm action={PASSKEY_PATH} fields={fields} question={question} use="use" />
      )}
      {!isByAccess && <Languages {...fields} />}
    </>,
  );
}

/** The form by which an administrator's client signs in. */
function ClientForm({ fields }: { readonly fields: Form }) {
  const { clientId, clientSecret } = words.ops.signIn;
  return (
    <form method="post" action={`${OPS_PATH}/sign-in`} class="card">
      <Hidden fields={fields} />
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
      <button type="submit">{words.signIn.title}</button>
    </form>
  );
}
