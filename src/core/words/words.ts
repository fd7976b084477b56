import type { GetICUArgs } from '@schummar/icu-type-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import de from '../../../locales/de.json' with { type: 'json' };
import en from '../../../locales/en.json' with { type: 'json' };
import es from '../../../locales/es.json' with { type: 'json' };
import fr from '../../../locales/fr.json' with { type: 'json' };
import id from '../../../locales/id.json' with { type: 'json' };
import it from '../../../locales/it.json' with { type: 'json' };
import ja from '../../../locales/ja.json' with { type: 'json' };
import ko from '../../../locales/ko.json' with { type: 'json' };
import pt from '../../../locales/pt.json' with { type: 'json' };
import zhHans from '../../../locales/zh-Hans.json' with { type: 'json' };
import { getOrInsertComputed } from '../getOrInsertComputed.ts';

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

const messages = { en, de, fr, es, it, pt, 'zh-Hans': zhHans, ja, ko, id };

export type Language = keyof typeof messages;

export const languages = Object.keys(messages) as readonly Language[];

const catalogues = new Map<Language, Words>();

export function wordsOf(language: Language): Words {
  const all = messages[language];
  return getOrInsertComputed(catalogues, language, () => worded(all, all.locale) as Words);
}

/** Makes functions of messages with arguments: each is parsed when it is first needed. */
export function worded(message: unknown, locale: string): unknown {
  if (typeof message !== 'string') {
    return Object.fromEntries(
      Object.entries(message ?? {}).map(([name, inner]) => [name, worded(inner, locale)]),
    );
  }
  if (!message.includes('{')) return message;
  let parsed: IntlMessageFormat | null = null;
  return (values: Record<string, string | number>) => {
    parsed ??= new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
    return parsed.format(values);
  };
}
