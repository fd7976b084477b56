import type { Child } from 'hono/jsx';
import type { Failure } from '../../core/failure.ts';
import { matchStaffLanguage, staffMessages } from '../../core/words/staff.ts';
import { failureCopy } from '../../desk/refusals.ts';
import { inLanguage, words } from '../../desk/words.ts';
import { serveAsset } from '../../http/assets.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { statusOf } from '../../http/problem.ts';
import { learnForPage } from '../../platform/assets.ts';
import { formOf } from './forms.tsx';
import { guardPages } from './guard.ts';
import { wantedLanguages } from './language.ts';
import { Head, LinkLine, page, pagePolicy, setRetryAfter } from './page.tsx';
import { dropSession, type SiteName, siteNameOf } from './staffSession.ts';
import { wantsCsv } from './table.tsx';

/** The longest address of a page that a sign-in leads back to. */
const LONGEST_NEXT = 2_000;

/** What a page of a site has around its content. */
interface Frame {
  readonly title: string;
  /** What the window's title says besides; the site, unless this says something else. */
  readonly of?: string | undefined;
  readonly signedInAs?: Child;
  readonly navigation?: Child;
  /** What its header has besides: a field to find something. */
  readonly find?: Child;
}

const { messages: copy } = words;

/** A site for people of the staff or administrators: its frame, its guard and its messages. */
function staffSite(name: SiteName) {
  const own = words[name];
  const path = `/${name}`;

  const framed = (
    { title, of = own.site, signedInAs, navigation, find }: Frame,
    content: Child,
  ) => (
    <html lang={words.language}>
      <Head title={`${title} – ${of}`} style={`${path}/${name}.css`}>
        <script src={`${path}/${name}.js`} defer></script>
      </Head>
      <body>
        <header>
          <h1>{title}</h1>
          {find}
          {signedInAs && (
            <form method="post" action={`${path}/sign-out`} class="actions">
              <span>{signedInAs}</span>
              <button type="submit">{words.console.signOut}</button>
            </form>
          )}
        </header>
        {navigation}
        <main>{content}</main>
      </body>
    </html>
  );
  const show = (c: AppContext, status: number, frame: Frame, content: Child) =>
    page(c, status, framed(frame, content));
  const message = (c: AppContext, status: number, title: string, text: string) =>
    show(
      c,
      status,
      { title },
      <>
        <p>{text}</p>
        <LinkLine href={path} text={own.back} />
      </>,
    );
  /** For a failure that the person did not cause. */
  const failed = (c: AppContext, failure: Failure) => {
    setRetryAfter(c, failure.retryAfterSeconds);
    const text = copy.failedText({ detail: failureCopy(failure), id: c.get('requestId') });
    return message(c, statusOf(failure.code), copy.failed, text);
  };
  /** For a body that is not a form. */
  const unreadable = (c: AppContext, status: 400 | 413 | 415) =>
    message(c, status, copy.unreadable, copy.nothing);

  const signOut = async (c: AppContext) => {
    const form = await formOf(c);
    if (!form.ok) return unreadable(c, form.error);
    await dropSession(c);
    return c.redirect(path, 303);
  };

  return {
    framed,
    show,
    message,
    failed,
    unreadable,
    /** Registers what goes before the site's pages, and how people sign out. */
    register: (api: Api) => {
      api.use(`${path}/*`, async (c, next) => {
        const language = matchStaffLanguage(wantedLanguages(c));
        await learnForPage(c.env, staffMessages, language);
        return inLanguage(language, wantsCsv(c), next);
      });
      // Before the guard, which forbids caching: browsers may cache the style sheet and the script.
      for (const kind of ['css', 'js']) api.get(`${path}/${name}.${kind}`, serveAsset);
      api.use(
        `${path}/*`,
        guardPages({
          name,
          policy: pagePolicy(["script-src 'self'"]),
          limited: failed,
          foreign: (c) => message(c, 403, copy.foreign, copy.nothing),
        }),
      );
      api.post(`${path}/sign-out`, signOut);
    },
  };
}

export const consoleSite = staffSite('console');
export const opsSite = staffSite('ops');

/** The site of staff that a request is of; null for none. */
export function staffSiteOf(c: AppContext) {
  const name = siteNameOf(c.req.path);
  return name && { console: consoleSite, ops: opsSite }[name];
}

/** The page of a site of staff that a form or a link names to go on with; `home` for anything else. */
export function nextPage(named = '', home = '/console'): string {
  const here = 'http://here';
  if (named.length > LONGEST_NEXT || !URL.canParse(named, here)) return home;
  const { origin, pathname, search } = new URL(named, here);
  const isPlain = origin === here && named.startsWith(pathname);
  return isPlain && siteNameOf(pathname) ? pathname + search : home;
}
