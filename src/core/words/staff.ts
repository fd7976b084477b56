import de from '../../../locales/staff/de.json' with { type: 'json' };
import en from '../../../locales/staff/en.json' with { type: 'json' };
import { getOrInsertComputed } from '../getOrInsertComputed.ts';
import { matchLanguage } from './matching.ts';
import { type Catalogue, worded } from './words.ts';

/** Texts under the names of others. */
type Translated<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends string ? string : Translated<Texts[Name]>;
};

/** All that staff read, as it is written: in every language what there is in English. */
export const staffMessages = { en, de } satisfies Readonly<Record<string, Translated<typeof en>>>;

export type StaffLanguage = keyof typeof staffMessages;

export const staffLanguages = Object.keys(staffMessages) as readonly StaffLanguage[];

/** All that staff read in a language, on pages and in mails. */
export type StaffWords = Catalogue<typeof en>;

const catalogues = new Map<StaffLanguage, StaffWords>();

export function staffWordsOf(language: StaffLanguage): StaffWords {
  const all = staffMessages[language];
  return getOrInsertComputed(catalogues, language, () => worded(all, all.locale) as StaffWords);
}

/** A language by its name; null for one in which staff have no words. */
export function staffLanguageOf(name: string | null): StaffLanguage | null {
  return staffLanguages.find((language) => language === name) ?? null;
}

/** The first language of these tags in which staff have words, else English. */
export function matchStaffLanguage(tags: readonly string[]): StaffLanguage {
  const known = tags.map((tag) => staffLanguageOf(matchLanguage([tag])));
  return known.find((language) => language !== null) ?? 'en';
}

/** The word for something that others name; undefined if there is none. */
export function wordFor(all: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** Why a card was declined, in plain words; a code that nobody has words for stands for itself. */
export function declineReason({ declines }: StaffWords, declineCode: string | null): string {
  const code = declineCode ?? 'generic_decline';
  return wordFor(declines, code) ?? code.replaceAll('_', ' ');
}
