import { matchLanguage } from '../../../core/words/matching.ts';
import { matchStaffLanguage, type StaffLanguage } from '../../../core/words/staff.ts';
import type { Language } from '../../../core/words/words.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';

/** The language of a property's mails to guests: the first of its languages that mails are written in, else English. */
export function mailLanguage({ guestMails }: Pick<PropertyRow, 'guestMails'>): Language {
  return matchLanguage(guestMails?.languages ?? []) ?? 'en';
}

/** The language of mails to a property itself: the first of its languages in which staff have words, else English. */
export function ownMailLanguage({ guestMails }: Pick<PropertyRow, 'guestMails'>): StaffLanguage {
  return matchStaffLanguage(guestMails?.languages ?? []);
}
