import { en } from './en.ts';

/** The catalogue of a language: every language has the same members as English. */
export type Words = typeof en;

/** The languages that pages are written in, by their tags. */
const catalogues = { en } satisfies Record<string, Words>;

/** A language that pages are written in. */
export type Language = keyof typeof catalogues;

/** The words of a language. */
export function wordsOf(language: Language): Words {
  return catalogues[language];
}
