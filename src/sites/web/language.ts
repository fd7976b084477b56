import { getCookie, setCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import type { AppContext } from '../../http/context.ts';

const COOKIE = 'language';

/** How long a choice is kept: the longest that browsers keep a cookie. */
const KEPT_SECONDS = 400 * 24 * 60 * 60;

/** The tags of the languages that somebody wants pages in: first what they chose, then what their browser asks for. */
export function wantedLanguages(c: AppContext): string[] {
  const chosen = getCookie(c, COOKIE);
  const accepted = parseAccept(c.req.header('Accept-Language') ?? '')
    .filter(({ q }) => q > 0)
    .map(({ type }) => type);
  return chosen === undefined ? accepted : [chosen, ...accepted];
}

/** Keeps the language that somebody chose for the pages below a path. */
export function keepLanguage(c: AppContext, language: string, path: string): void {
  setCookie(c, COOKIE, language, {
    path,
    maxAge: KEPT_SECONDS,
    sameSite: 'Lax',
    httpOnly: true,
    secure: !c.get('config').local,
  });
}
