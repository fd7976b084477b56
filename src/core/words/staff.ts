import en from '../../../locales/staff/en.json' with { type: 'json' };
import { matchLanguage } from './matching.ts';
import { type Catalogue, messagesIn } from './words.ts';

export const staffMessages = messagesIn('/words/staff', en);

export const staffLanguages = ['en', 'de'] as const;

export type StaffLanguage = (typeof staffLanguages)[number];

/** All that staff read in a language, on pages and in mails. */
export type StaffWords = Catalogue<typeof en>;

export function staffWordsOf(language: StaffLanguage): StaffWords {
  return staffMessages.of(language);
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

/** Why a guest disputes a payment, in plain words; a reason that nobody has words for stands for itself. */
export function disputeReason({ disputes }: StaffWords, reason: string): string {
  return wordFor(disputes.reasons, reason) ?? reason.replaceAll('_', ' ');
}
