/** The words of guests' pages and mails: every language has every text, with all that it tells, and none is left in English. */
import { describe, expect, it } from 'vitest';
import { guestMailTexts } from '../../src/platform/mail/words/guestTexts.ts';
import { matchLanguage } from '../../src/platform/words/matching.ts';
import { readerOf } from '../../src/platform/words/reader.ts';
import { type Language, languages, wordsOf } from '../../src/platform/words/words.ts';

/** Words that are the same in several languages. */
const SHARED = new Set(['E-mail', 'Website']);

/** A text of a catalogue, and its place. Arguments are written as `‹0›`, `‹1›`. */
type Text = readonly [place: string, text: string];

function textsOf(value: unknown, place = ''): Text[] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value === 'function') {
    const made: unknown = Reflect.apply(
      value,
      null,
      Array.from({ length: value.length }, (_, index) => `‹${index}›`),
    );
    return [[place, String(made)]];
  }
  return Object.entries(value ?? {}).flatMap(([name, of]) => textsOf(of, `${place}.${name}`));
}

const argumentsIn = (text: string) => [...new Set(text.match(/‹\d›/g))].toSorted();

/** A text without what it is told, without its punctuation, and without what all languages share. */
const bare = (text: string) => text.replaceAll(/‹\d›|[\s:.,()]/g, '');

/** All that guests read in a language: on pages and in mails. */
const allTexts = (language: Language) => [
  ...textsOf(wordsOf(language)),
  ...textsOf(guestMailTexts(language), 'mail'),
];

const english = allTexts('en');
const others = languages.filter((language) => language !== 'en');

describe.each(others)('the words in %s', (language) => {
  const texts = new Map(allTexts(language));

  it('are all there, with all that they tell', () => {
    for (const [place, text] of english) {
      const translated = texts.get(place) ?? '';
      // Japanese and Chinese need no word between a line and what follows it.
      expect([place, translated.trim() !== '' || text === '']).toEqual([place, true]);
      expect([place, argumentsIn(translated)]).toEqual([place, argumentsIn(text)]);
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

  it('name the language, and are written as it writes amounts, days and times', () => {
    const words = wordsOf(language);
    expect(words.language).toBe(language);
    expect(matchLanguage([words.locale])).toBe(language);
    expect(Intl.DateTimeFormat.supportedLocalesOf(words.locale)).toEqual([words.locale]);
    expect(readerOf(language).money(123_456, 'EUR')).toMatch(/EUR|1[.,\s\u202f\u00a0]?234[.,]56/);
  });
});

/** Texts that are right in a language although English has the same. */
const SAME_BY_CHANCE: Readonly<Partial<Record<Language, readonly string[]>>> = {
  es: ['.frame.errorTitle'],
};

describe('one and more', () => {
  it.each([
    ['en', 'Your stay starts tomorrow.', 'Your stay starts in 5 days.'],
    ['de', 'Ihr Aufenthalt beginnt morgen.', 'Ihr Aufenthalt beginnt in 5 Tagen.'],
    ['fr', 'Votre séjour commence demain.', 'Votre séjour commence dans 5 jours.'],
    ['ja', 'ご宿泊は明日からです。', 'ご宿泊まであと5日です。'],
  ] as const)('differ in %s', (language, one, more) => {
    const { ahead } = wordsOf(language).booking;
    expect([ahead(1), ahead(5)]).toEqual([one, more]);
    const { within } = wordsOf(language).bank;
    expect(within(1)).not.toBe(within(5));
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
