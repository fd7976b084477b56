import { describe, expect, it } from 'vitest';
import { foldedTogether, foldedWords, fromItsEnd } from '../../src/core/foldedWords.ts';

describe('words as people find them', () => {
  it.each([
    ['Ana  Nguyễn', ['ana', 'nguyen']],
    ["O'Brien d’Arcy", ['obrien', 'darcy']],
    ['Jean-Luc, MÜLLER', ['jean', 'luc', 'muller']],
    [
      'Straße Øster Łódź Æon Œuvre Đorđe Ðað Þór ışık',
      ['strasse', 'oster', 'lodz', 'aeon', 'oeuvre', 'dorde', 'dad', 'thor', 'isik'],
    ],
    ['山田 太郎', ['山田', '太郎']],
    ['HAF-3002/2', ['haf', '3002', '2']],
    ['´`ʼ', []],
    ['', []],
  ])('%s', (text, words) => {
    expect(foldedWords(text)).toEqual(words);
  });

  it.each([
    ['Jean-Luc Picard', ['jeanluc', 'picard']],
    ['guest@hotel.com,other;third/fourth', ['guesthotelcom', 'other', 'third', 'fourth']],
    [' — - ', []],
  ])('parted by spaces alone: %s', (text, words) => {
    expect(foldedTogether(text)).toEqual(words);
  });

  it('are found by their end, character by character', () => {
    expect(fromItsEnd('4242')).toBe('~2424');
    expect(fromItsEnd('ab𝒄')).toBe('~𝒄ba');
  });
});
