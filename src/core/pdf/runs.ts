import { type FontName, winAnsi } from './fonts.ts';

/** A piece of a line in one font. */
export interface Run {
  readonly font: FontName;
  readonly text: string;
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;

/** What the fonts for Chinese and Japanese have besides: their own signs and letters, Greek and Cyrillic. */
const IN_CID =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Greek}\p{Script=Cyrillic}\u3000-\u30ff\uff01-\uff5e]/u;

/**
 * A text in characters that the fonts have: letters with marks lose those that Windows-1252 lacks (`ễ` is `ê`, then `e`),
 * what directs or joins text is left out, and any other script is a question mark.
 */
export function printable(text: string): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .replaceAll(/\s/gu, ' ');
  return Array.from(plain, printed).join('');
}

function printed(character: string): string {
  if (winAnsi(character) !== null || HANGUL.test(character) || IN_CID.test(character)) {
    return character;
  }
  const [base = ''] = character.normalize('NFKD');
  return winAnsi(base) === null ? '?' : base;
}

/** The pieces of a line. What Helvetica lacks is in the font of its script: Han as the line or the document is written. */
export function runsOf(line: string, plain: 'plain' | 'bold', isJapanese: boolean): Run[] {
  const runs: { font: FontName; text: string }[] = [];
  for (const character of line) {
    const font = fontOf(character, plain, isJapanese || KANA.test(line));
    const last = runs.at(-1);
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character });
  }
  return runs;
}

function fontOf(character: string, plain: 'plain' | 'bold', isJapanese: boolean): FontName {
  if (winAnsi(character) !== null) return plain;
  if (HANGUL.test(character)) return 'korean';
  return isJapanese ? 'japanese' : 'chinese';
}

/** Whether a document is written in Japanese, by its syllables. */
export function isJapanese(text: string): boolean {
  return KANA.test(text);
}
