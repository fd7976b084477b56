/** The words of guests' pages and mails, and of the staff's pages: every language has every text, with all that it tells, and none is left in English. */
import { readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { declineWords } from '../../src/core/words/declines.ts';
import { matchLanguage } from '../../src/core/words/matching.ts';
import { readerOf } from '../../src/core/words/reader.ts';
import { staffLanguages } from '../../src/core/words/staff.ts';
import {
  type Language,
  languages,
  messagesIn,
  ownNameOf,
  wordsOf,
} from '../../src/core/words/words.ts';
import { inLanguage, speak, words } from '../../src/desk/words.ts';
import { learnAll } from '../support/languages.ts';

learnAll();

/** Words that are the same in several languages. */
const SHARED = new Set(['E-mail', 'Website', 'Limit', 'Mails', 'Name', 'PMS', 'Person', 'Status']);

/** A text of a language’s file, and its place. */
type Text = readonly [place: string, text: string];

function textsOf(value: unknown, place = ''): Text[] {
  if (typeof value === 'string') return [[place, value]];
  return Object.entries(value ?? {}).flatMap(([name, of]) => textsOf(of, `${place}.${name}`));
}

/** A text with numbers for what it is told, in the forms for one and for more. */
function filled(text: string, count: number): string {
  const values = Object.fromEntries(argumentsIn(text).map((name) => [name, count]));
  return String(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).format(values));
}

const argumentsIn = (text: string) =>
  [
    ...new Set(
      [...text.matchAll(/\{(?<name>\w+)(?:\}|, (?:number|plural))/g)].map(
        ({ groups }) => groups?.['name'] ?? '',
      ),
    ),
  ].toSorted();

/** A text without what it is told and without its punctuation. */
const bare = (text: string) => text.replaceAll(/\{\w+\}|[\s:.,()/]/g, '');

/** All that guests (`locales`) or staff (`locales/staff`) read in a language. */
const allTexts = (folder: string, language: Language) =>
  textsOf(JSON.parse(readFileSync(`${folder}/${language}.json`, 'utf8')));

const translations = [
  ...languages.map((language) => ['locales', language] as const),
  ...staffLanguages.map((language) => ['locales/staff', language] as const),
].filter(([, language]) => language !== 'en');

describe.each(translations)('the words of %s in %s', (folder, language) => {
  const english = allTexts(folder, 'en');
  const texts = new Map(allTexts(folder, language));

  it('are all there, with all that they tell', () => {
    for (const [place, text] of english) {
      const translated = texts.get(place) ?? '';
      // Japanese and Chinese need no word between a line and what follows it.
      expect([place, translated.trim() !== '' || text === '']).toEqual([place, true]);
      expect([place, argumentsIn(translated)]).toEqual([place, argumentsIn(text)]);
      expect(filled(translated, 1)).not.toContain('{');
      expect(filled(translated, 5)).not.toContain('{');
    }
    expect(texts.size).toBe(english.length);
  });

  it('are none of them English by accident', () => {
    const left = english.filter(
      ([place, text]) =>
        texts.get(place) === text && bare(text) !== '' && !SHARED.has(text) && place !== '.locale',
    );
    expect(left.filter(([place]) => !SAME_BY_CHANCE[language]?.includes(place))).toEqual([]);
  });
});

describe.each(languages)('the words in %s', (language) => {
  it('name the language, and are written as it writes amounts, days and times', () => {
    const words = wordsOf(language);
    expect(words.language).toBe(language);
    expect(words.ownName).toBe(ownNameOf(language));
    expect(matchLanguage([words.locale])).toBe(language);
    expect(Intl.DateTimeFormat.supportedLocalesOf(words.locale)).toEqual([words.locale]);
    expect(readerOf(language).money(123_456, 'EUR')).toMatch(/EUR|1[.,\s\u202f\u00a0]?234[.,]56/);
  });
});

/** Texts that are right in a language although English has the same. */
const SAME_BY_CHANCE: Readonly<Partial<Record<Language, readonly string[]>>> = {
  es: ['.frame.errorTitle'],
  de: ['.list.in', '.ops.endpoints.http'],
};

describe('one and more', () => {
  it.each([
    ['en', 'Your stay starts tomorrow.', 'Your stay starts in 5 days.'],
    ['de', 'Ihr Aufenthalt beginnt morgen.', 'Ihr Aufenthalt beginnt in 5 Tagen.'],
    ['fr', 'Votre séjour commence demain.', 'Votre séjour commence dans 5 jours.'],
    ['ja', 'ご宿泊は明日からです。', 'ご宿泊まであと5日です。'],
  ] as const)('differ in %s', (language, one, more) => {
    const { ahead } = wordsOf(language).booking;
    expect([ahead({ days: 1 }), ahead({ days: 5 })]).toEqual([one, more]);
    const { within } = wordsOf(language).bank;
    expect(within({ minutes: 1 })).not.toBe(within({ minutes: 5 }));
  });
});

describe('the messages of a reader', () => {
  const file = { locale: 'en', bold: '<b>{name}</b>', plain: 'Plain' } as const;

  it('are English until their language is learnt, and tell what they are told as it is', () => {
    const one = messagesIn('/words/one', file);
    const english = one.of('de');
    expect([one.knows('en'), one.knows('de'), english.plain]).toEqual([true, false, 'Plain']);
    expect(english.bold({ name: '<i>' })).toBe('<b><i></b>');
    one.learn('de', { locale: 'de', bold: '<b>{name}!</b>', plain: 'Schlicht' });
    expect([one.knows('de'), one.of('de').plain]).toEqual([true, 'Schlicht']);
    expect(one.of('de').bold({ name: 'Anna' })).toBe('<b>Anna!</b>');
    expect([one.of('en'), one.of('fr')]).toEqual([english, english]);
  });
});

describe('a declined card', () => {
  const { declines } = wordsOf('en');

  it.each([
    ['insufficient_funds', declines.insufficient_funds],
    ['never_heard_of', declines.other],
    ['toString', declines.other],
    [null, declines.other],
  ])('is explained by its code %s, where it is known', (code, words) => {
    expect(declineWords(wordsOf('en'), code)).toBe(words);
    expect(words).toEqual(expect.any(String));
  });
});

describe('the language of a request of staff', () => {
  const { tabs } = words.console;
  const title = () => [tabs.property, Object.values(tabs)[0], words.figure.fees({ amount: '1' })];
  const german = ['Heute', 'Heute', '1 Gebühren.'];
  const english = ['Today', 'Today', '1 fees.'];

  it('is that of its own, whatever else is answered meanwhile', async () => {
    const later = (language: 'en' | 'de') =>
      inLanguage(language, false, async () => {
        await Promise.resolve();
        return title();
      });
    expect(await Promise.all([later('de'), later('en'), later('de')])).toEqual([
      german,
      english,
      german,
    ]);
    expect(title()).toEqual(english);
  });

  it('is what its person chose, but files are in English', () => {
    const chosen = (isFile: boolean) =>
      inLanguage('en', isFile, () => {
        speak('de');
        speak(null);
        return title();
      });
    expect([chosen(false), chosen(true)]).toEqual([german, english]);
  });
});

describe('the language of a tag', () => {
  it.each([
    ['de-AT', 'de'],
    ['DE', 'de'],
    ['pt-PT', 'pt'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['in', 'id'],
    ['ja-JP-u-ca-japanese', 'ja'],
    ['zh-TW', null],
    ['sr-Latn', null],
    ['*', null],
    ['not a tag', null],
    ['', null],
  ])('%s is %s', (tag, language) => expect(matchLanguage([tag])).toBe(language));

  it('is the first that there is', () => {
    expect(matchLanguage(['zh-TW', 'sv', 'ko-KR', 'de'])).toBe('ko');
    expect(matchLanguage([])).toBeNull();
  });
});
