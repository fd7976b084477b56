import type { Child } from 'hono/jsx';
import type { z } from 'zod';
import type { Failure } from '../../core/failure.ts';
import { matchStaffLanguage, staffMessages } from '../../core/words/staff.ts';
import { failureCopy } from '../../desk/refusals.ts';
import type { EndingSession } from '../../desk/sessions.ts';
import { inLanguage, words } from '../../desk/words.ts';
import { serveAsset } from '../../http/assets.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { statusOf } from '../../http/problem.ts';
import { learnForPage } from '../../platform/assets.ts';
import type { Database } from '../../platform/db/database.ts';
import { formOf } from './forms.tsx';
import { guardPages } from './guard.ts';
import { wantedLanguages } from './language.ts';
import { Head, LinkLine, page, pagePolicy, setRetryAfter } from './page.tsx';
import {
  dropSealed,
  hasCookie,
  keepSealed,
  readSealed,
  type SealedCookie,
} from './sealedCookie.ts';
import { wantsCsv } from './table.tsx';

interface SiteFacts<Session> {
  /** The path of the site, without its slash. */
  readonly name: 'ops' | 'console';
  /** What it is called, in the window's title, and the words of the link to its first page. */
  readonly copy: { readonly site: string; readonly back: string };
  readonly sameSite: SealedCookie['sameSite'];
  readonly session: z.ZodType<Session>;
  /** How long a session lasts without use. */
  readonly lifeMs: number;
  /** How long after its end browsers remember that there was one. */
  readonly rememberedMs?: number;
  /** Ends a session for good, whether or not it is good for anything. */
  readonly end: (database: Database, session: Session, nowMs: number) => Promise<void>;
}

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

/** Makes a site for administrators or people of the staff: its frame, its sessions, its guard, and its messages. */
export function staffSite<Session extends EndingSession>({
  name,
  copy: own,
  sameSite,
  session: shape,
  lifeMs,
  rememberedMs = 0,
  end,
}: SiteFacts<Session>) {
  const path = `/${name}`;
  const sealed = `${name}-session` as const;
  const cookie: SealedCookie = {
    name,
    path,
    sameSite,
    purpose: sealed,
    context: sealed,
    lifeMs,
    rememberedMs,
  };
  const holds = (address: string) => address === path || address.startsWith(`${path}/`);

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

  /** Signs out for good, whether or not the session is good for anything. One round trip. */
  const signOut = async (c: AppContext) => {
    const form = await formOf(c);
    if (!form.ok) return unreadable(c, form.error);
    const session = await readSealed(c, cookie, shape);
    if (session !== null) await end(c.get('database'), session, Date.now());
    dropSealed(c, cookie);
    return c.redirect(path, 303);
  };

  return {
    framed,
    show,
    message,
    failed,
    unreadable,
    holds,
    /** The page that a form or a link names to go on with; the site's first page for anything else. */
    nextPage: (named = ''): string => {
      const here = 'http://here';
      if (named.length > LONGEST_NEXT || !URL.canParse(named, here)) return path;
      const { origin, pathname, search } = new URL(named, here);
      return origin === here && holds(pathname) ? pathname + search : path;
    },
    /** Whether the browser had a session here lately. */
    hadSession: (c: AppContext) => hasCookie(c, cookie),
    keepSession: (c: AppContext, session: Session) => keepSealed(c, cookie, session),
    /** The session of a request; null without one, or after its longest time. Whether it was ended, D1 says. */
    readSession: async (c: AppContext): Promise<Session | null> => {
      const session = await readSealed(c, cookie, shape);
      return session !== null && session.untilMs > Date.now() ? session : null;
    },
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
