/** The fonts of a PDF. None is embedded: every reader has the first two, and those for Chinese, Japanese and Korean. */
export const FONTS = {
  plain: '/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding',
  bold: '/Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding',
  japanese: cidFont('HeiseiKakuGo-W5', 'UniJIS-UTF16-H', 'Japan1', 6),
  chinese: cidFont('STSong-Light', 'UniGB-UTF16-H', 'GB1', 5),
  korean: cidFont('HYGoThic-Medium', 'UniKS-UTF16-H', 'Korea1', 2),
} as const;

export type FontName = keyof typeof FONTS;

/** A font of a character collection of Adobe, by the predefined map from UTF-16 (ISO 32000-1, 9.7.5.2). */
function cidFont(name: string, map: string, collection: string, supplement: number): string {
  const system = `<< /Registry (Adobe) /Ordering (${collection}) /Supplement ${supplement} >>`;
  const descriptor = `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [-200 -200 1200 1000] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 80 >>`;
  const descendant = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /CIDSystemInfo ${system} /FontDescriptor ${descriptor} /DW 1000 >>`;
  return `/Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${map} /DescendantFonts [${descendant}]`;
}

/** What Windows-1252 has at 0x80 to 0x9f; a space where it has nothing. */
const UPPER = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** The byte of a character in Windows-1252; null for one that it does not have. */
export function winAnsi(character: string): number | null {
  const code = character.codePointAt(0) ?? 0;
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff)) return code;
  const upper = character === ' ' ? -1 : UPPER.indexOf(character);
  return upper < 0 ? null : 0x80 + upper;
}

/** The widths of Helvetica from the space to the tilde, in thousandths of its size. */
const WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
  611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
  667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
  222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/** About how wide a character is, in thousandths of the font's size: lines are broken by it. */
export function widthOf(character: string): number {
  const byte = winAnsi(character);
  if (byte === null) return 1_000;
  return WIDTHS[byte - 0x20] ?? 667;
}
