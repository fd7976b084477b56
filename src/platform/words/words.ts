import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { pt } from './pt.ts';
import { zhHans } from './zhHans.ts';

/** The catalogue of a language: every language has the same members as English. */
export type Words = typeof en;

/** The languages that pages are written in, by their tags. */
const catalogues = { en, de, fr, es, it, pt, 'zh-Hans': zhHans, ja, ko, id } satisfies Record<
  string,
  Words
>;

/** A language that pages are written in. */
export type Language = keyof typeof catalogues;

/** Every language that pages are written in. */
export const languages = Object.keys(catalogues) as readonly Language[];

/** The words of a language. */
export function wordsOf(language: Language): Words {
  return catalogues[language];
}
