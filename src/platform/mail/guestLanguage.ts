import type { PropertyRow } from '../db/propertyTables.ts';
import { matchLanguage } from '../words/matching.ts';
import type { Language } from '../words/words.ts';

/** The language of a property's mails to guests: the first of its languages that mails are written in, else English. */
export function mailLanguage({ guestMails }: Pick<PropertyRow, 'guestMails'>): Language {
  return matchLanguage(guestMails?.languages ?? []) ?? 'en';
}
