import type { GetICUArgs } from '@schummar/icu-type-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import en from '../../../locales/en.json' with { type: 'json' };
import { getOrInsertComputed } from '../getOrInsertComputed.ts';
import { lazy } from '../lazy.ts';
import { holdsMessages, type Part, treeOf } from './parts.ts';

/** What a message is told: texts are ready to be shown, in the reader's form. */
type Arguments<Message extends string> = GetICUArgs<
  Message,
  { ICUArgument: string; ICUNumberArgument: number }
>;

/** A message as its reader sees it; a function, if it is told anything. */
type Worded<Message extends string> = keyof Arguments<Message> extends never
  ? string
  : (values: Arguments<Message>) => string;

/** Messages as their reader sees them. */
export type Catalogue<Messages> = {
  readonly [Name in keyof Messages]: Messages[Name] extends string
    ? Worded<Messages[Name]>
    : Catalogue<Messages[Name]>;
};

/** All that guests read in a language, on pages and in mails. Every language has the messages of English. */
export type Words = Catalogue<typeof en>;

/** What each language calls itself. */
const ownNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
  'zh-Hans': '简体中文',
  ja: '日本語',
  ko: '한국어',
  id: 'Bahasa Indonesia',
} as const;

export type Language = keyof typeof ownNames;

export const languages = Object.keys(ownNames) as readonly Language[];

export function ownNameOf(language: Language): string {
  return ownNames[language];
}

/** The messages of some readers. English is built in; other languages are learnt from files when somebody reads them. */
export interface Messages<Words, English = unknown> {
  readonly english: English;
  /** Where the files of the other languages are, a path of static assets. */
  readonly folder: string;
  readonly knows: (language: Language) => boolean;
  /** Learns a language from what its file holds. */
  readonly learn: (language: Language, file: unknown) => void;
  /** A language's messages; those of English if it was not learnt. */
  readonly of: (language: Language) => Words;
}

export function messagesIn<English extends { readonly locale: string }>(
  folder: string,
  english: English,
): Messages<Catalogue<English>, English> {
  const files = new Map<Language, English>([['en', english]]);
  const catalogues = new Map<English, Catalogue<English>>();
  return {
    english,
    folder,
    knows: (language) => files.has(language),
    learn: (language, file) => void files.set(language, file as English),
    of: (language) => {
      const file = files.get(language) ?? english;
      const make = () => worded(file, file.locale) as Catalogue<English>;
      return getOrInsertComputed(catalogues, file, make);
    },
  };
}

export const guestMessages = messagesIn('/words/guest', en);

export function wordsOf(language: Language): Words {
  return guestMessages.of(language);
}

/**
 * Makes functions of messages with arguments: each is parsed when it is first needed, unless it is a list of its parts
 * already (`scripts/messages.ts`).
 */
function worded(message: unknown, locale: string): unknown {
  if (holdsMessages(message)) {
    return Object.fromEntries(
      Object.entries(message).map(([name, inner]) => [name, worded(inner, locale)]),
    );
  }
  const text = message as string | readonly Part[];
  if (typeof text === 'string' && !text.includes('{')) return text;
  const parsed = lazy(() => {
    const tree = typeof text === 'string' ? text : treeOf(text);
    return new IntlMessageFormat(tree, locale, undefined, { ignoreTag: true });
  });
  return (values: Record<string, string | number>) => parsed().format(values);
}
