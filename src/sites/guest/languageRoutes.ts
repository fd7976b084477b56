import { matchLanguage } from '../../core/words/matching.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { keepLanguage } from './language.ts';
import { LANGUAGE_PATH } from './pages/languages.tsx';
import { GUEST_PATH, readForm } from './site.tsx';

/** Registers the form by which guests choose the language of their pages. */
export function registerLanguage(api: Api): void {
  api.post(LANGUAGE_PATH, (c) => choose(c));
}

async function choose(c: AppContext): Promise<Response> {
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
