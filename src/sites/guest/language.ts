import type { AppContext } from '../../http/context.ts';
import { type Reader, readerOf } from '../../platform/words/reader.ts';
import type { Language } from '../../platform/words/words.ts';

/** The language of a guest's pages. */
export function languageOf(_c: AppContext): Language {
  return 'en';
}

/** For whom a guest's page is written. */
export function readerOfGuest(c: AppContext): Reader {
  return readerOf(languageOf(c));
}
