import { getCookie, setCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import { matchLanguage } from '../../core/words/matching.ts';
import { type Reader, readerOf } from '../../core/words/reader.ts';
import type { Language } from '../../core/words/words.ts';
import type { AppContext } from '../../http/context.ts';

const COOKIE = 'language';

/** How long a guest's choice is kept: the longest that browsers keep a cookie. */
const KEPT_SECONDS = 400 * 24 * 60 * 60;

/** The language of a guest's pages: what the guest chose, else the first that the browser asks for, else English. */
function languageOf(c: AppContext): Language {
  const chosen = getCookie(c, COOKIE);
  const accepted = parseAccept(c.req.header('Accept-Language') ?? '')
    .filter(({ q }) => q > 0)
    .map(({ type }) => type);
  return matchLanguage(chosen === undefined ? accepted : [chosen, ...accepted]) ?? 'en';
}

export function keepLanguage(c: AppContext, language: Language): void {
  setCookie(c, COOKIE, language, {
    path: '/guest/',
    maxAge: KEPT_SECONDS,
    sameSite: 'Lax',
    httpOnly: true,
    secure: !c.get('config').local,
  });
}

/** For whom a guest's page is written. */
export function readerOfGuest(c: AppContext): Reader {
  return readerOf(languageOf(c));
}
