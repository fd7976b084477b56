import type { Language } from '../../words/words.ts';
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

/** The words of mails to guests: every language has the same members as English. */
type GuestMailTexts = typeof en;

const texts: Readonly<Record<Language, GuestMailTexts>> = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  'zh-Hans': zhHans,
  ja,
  ko,
  id,
};

/** The words of mails to guests in a language. */
export function guestMailTexts(language: Language): GuestMailTexts {
  return texts[language];
}
