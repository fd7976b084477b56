/** Letters that no decomposition leads to the ones that people type for them. */
const ALIKE: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** The words of a text, by spaces and signs, as people find them: without case, accents and apostrophes. */
export function foldedWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’‘`´ʼ]/gu, '')
    .replaceAll(/[ßøłæœđðþı]/g, (letter) => ALIKE[letter] ?? letter);
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of a text by spaces alone, folded: `Jean-Luc` is one. */
export function foldedTogether(text: string): string[] {
  return text
    .split(/[\s,;/]+/)
    .map((part) => foldedWords(part).join(''))
    .filter((word) => word !== '');
}

/** A word that is found by its end: it is stored, and looked up, from its last character on, behind a sign of its own. */
export function fromItsEnd(word: string): string {
  return `~${Array.from(word).toReversed().join('')}`;
}
