import { matchLanguage } from '../../core/words/matching.ts';
import { type Reader, readerOf } from '../../core/words/reader.ts';
import type { AppContext } from '../../http/context.ts';
import { wantedLanguages } from '../web/language.ts';

/** For whom a guest's page is written: in the first language that they want, else in English. */
export function readerOfGuest(c: AppContext): Reader {
  return readerOf(matchLanguage(wantedLanguages(c)) ?? 'en');
}
