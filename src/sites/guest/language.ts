import type { Next } from 'hono';
import { matchLanguage } from '../../core/words/matching.ts';
import { type Reader, readerOf } from '../../core/words/reader.ts';
import { guestMessages, type Language } from '../../core/words/words.ts';
import type { AppContext } from '../../http/context.ts';
import { learnForPage } from '../../platform/assets.ts';
import { wantedLanguages } from '../web/language.ts';

/** The first language that a guest wants, else English. */
function languageOf(c: AppContext): Language {
  return matchLanguage(wantedLanguages(c)) ?? 'en';
}

/** Makes ready what {@link readerOfGuest} gives. */
export async function withReader(c: AppContext, next: Next): Promise<void> {
  await learnForPage(c.env, guestMessages, languageOf(c));
  await next();
}

/** For whom a guest's page is written. */
export function readerOfGuest(c: AppContext): Reader {
  return readerOf(languageOf(c));
}
