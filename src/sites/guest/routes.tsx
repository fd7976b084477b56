import { matchLanguage } from '../../core/words/matching.ts';
import { serveAsset } from '../../http/assets.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { registerBookingPages } from './bookingPages.tsx';
import { keepLanguage } from './language.ts';
import { LANGUAGE_PATH } from './pages/languages.tsx';
import { registerRequestPages } from './requestPages.tsx';
import { themeOf } from './rules/theme.ts';
import { GUEST_PATH, guestSite, readForm } from './site.tsx';

const DAY_SECONDS = 24 * 60 * 60;

/** The style sheet of a property's colour. It depends on nothing else, so everybody may keep it. */
function theme(c: AppContext): Response | Promise<Response> {
  const style = themeOf(c.req.param('colour') ?? '');
  if (style === null) return c.notFound();
  return c.body(style, 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': `public, max-age=${DAY_SECONDS}`,
  });
}

/** Keeps the language that a guest chose for their pages. */
async function chooseLanguage(c: AppContext): Promise<Response> {
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const language = matchLanguage([form['language'] ?? '']);
  if (language !== null) keepLanguage(c, language);
  return c.redirect(guestPathOf(form['back'] ?? ''), 303);
}

/** The address of a guest's page; the first one where it is none of ours. */
function guestPathOf(back: string): string {
  const base = 'https://guest.invalid';
  const url = URL.canParse(back, base) ? new URL(back, base) : null;
  const isOwn = url?.origin === base && url.pathname.startsWith(GUEST_PATH);
  return isOwn ? `${url.pathname}${url.search}` : GUEST_PATH;
}

/** Registers the guest's pages: the payment page, the page that takes a requested card, and their assets. */
export function registerGuestPages(api: Api): void {
  api.use(`${GUEST_PATH}*`, guestSite);
  registerBookingPages(api);
  registerRequestPages(api);
  api.post(LANGUAGE_PATH, (c) => chooseLanguage(c));
  api.get('/guest/theme/:colour', theme);
  api.get('/guest/:file', serveAsset);
}
