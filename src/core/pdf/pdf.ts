import { FONTS, type FontName, widthOf, winAnsi } from './fonts.ts';
import { isJapanese, printable, type Run, runsOf } from './runs.ts';

/** A document of text: a title, and sections of paragraphs. */
export interface PdfDocument {
  readonly title: string;
  readonly sections: readonly {
    readonly heading: string;
    readonly paragraphs: readonly string[];
  }[];
}

/** A4 in points, and the margin on each side. */
const PAGE = { width: 595, height: 842, margin: 50 } as const;

/** How text is set: its size, the space above it, and its font. Banks may read a fax of it, and ask for 12 points. */
const STYLES = {
  title: { size: 18, above: 0, font: 'bold' },
  heading: { size: 14, above: 14, font: 'bold' },
  paragraph: { size: 12, above: 3, font: 'plain' },
} as const;

type Style = keyof typeof STYLES;

const LEADING = 1.35;

interface Line {
  readonly style: Style;
  readonly text: string;
  /** Whether it is the first of its paragraph. */
  readonly isFirst: boolean;
}

/** A PDF, and how many pages it has. */
export interface Pdf {
  readonly bytes: Uint8Array;
  readonly pages: number;
}

/** Makes a PDF of text. It embeds no fonts: see {@link FONTS}. */
export function pdfOf({ sections, title }: PdfDocument): Pdf {
  const lines = [
    ...linesOf('title', title),
    ...sections.flatMap(({ heading, paragraphs }) => [
      ...linesOf('heading', heading),
      ...paragraphs.flatMap((paragraph) => linesOf('paragraph', paragraph)),
    ]),
  ];
  const inJapanese = isJapanese(lines.map(({ text }) => text).join(''));
  const contents = pagesOf(lines).map((page) => contentOf(page, inJapanese));
  return { bytes: fileOf(title, contents), pages: contents.length };
}

function linesOf(style: Style, text: string): Line[] {
  const wrapped = text.split('\n').flatMap((part) => wrap(printable(part), STYLES[style].size));
  return wrapped.map((one, index) => ({ style, text: one, isFirst: index === 0 }));
}

/** A character of a script that is written without spaces: a line may end after each. */
const BREAKABLE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|\s+/gu;

/** Breaks a text into lines that fit the page. A word that is longer than a line is broken. */
function wrap(text: string, size: number): string[] {
  const most = ((PAGE.width - 2 * PAGE.margin) * 1_000) / size;
  const lines: string[] = [];
  let line = '';
  let width = 0;
  const end = () => {
    lines.push(line.trimEnd());
    line = '';
    width = 0;
  };
  for (const word of text.match(BREAKABLE) ?? ['']) {
    const ofWord = Array.from(word).reduce((sum, one) => sum + widthOf(one), 0);
    if (line !== '' && width + ofWord > most) end();
    for (const character of line === '' ? word.trimStart() : word) {
      if (width + widthOf(character) > most) end();
      line += character;
      width += widthOf(character);
    }
  }
  end();
  return lines;
}

interface Placed extends Line {
  /** From the bottom of the page, in points. */
  readonly y: number;
}

function pagesOf(lines: readonly Line[]): Placed[][] {
  const pages: Placed[][] = [[]];
  let y = PAGE.height - PAGE.margin;
  for (const line of lines) {
    const { above, size } = STYLES[line.style];
    const height = size * LEADING + (line.isFirst ? above : 0);
    if (y - height < PAGE.margin) {
      pages.push([]);
      y = PAGE.height - PAGE.margin;
    }
    y -= height;
    pages.at(-1)?.push({ ...line, y });
  }
  return pages;
}

function contentOf(lines: readonly Placed[], inJapanese: boolean): string {
  const shown = lines.map(({ style, text, y }) => {
    const { font, size } = STYLES[style];
    const runs = runsOf(text, font, inJapanese).map(
      (run) => `/${run.font} ${size} Tf ${shownText(run)}`,
    );
    return `1 0 0 1 ${PAGE.margin} ${y.toFixed(2)} Tm ${runs.join(' ')}`;
  });
  return `BT\n${shown.join('\n')}\nET`;
}

function shownText({ font, text }: Run): string {
  return font === 'plain' || font === 'bold' ? `${literal(text)} Tj` : `<${utf16(text)}> Tj`;
}

/** A text in Windows-1252, as PDF writes strings. */
function literal(text: string): string {
  const bytes = Array.from(text, (character) => winAnsi(character) ?? 0x3f);
  const written = bytes.map((byte) => {
    if (byte === 0x28 || byte === 0x29 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `(${written.join('')})`;
}

function utf16(text: string): string {
  return Array.from({ length: text.length }, (_unit, index) =>
    text.charCodeAt(index).toString(16).padStart(4, '0'),
  ).join('');
}

/** The file: its objects, where each begins, and the trailer (ISO 32000-1, 7.5). All of it is ASCII. */
function fileOf(title: string, contents: readonly string[]): Uint8Array {
  const fontNames = Object.keys(FONTS) as FontName[];
  const firstFont = 4;
  const firstPage = firstFont + fontNames.length;
  const pageNumbers = contents.map((_content, index) => firstPage + 2 * index);
  const fonts = fontNames.map((name, index) => `/${name} ${firstFont + index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>',
    `<< /Type /Pages /Kids [${pageNumbers.map((one) => `${one} 0 R`).join(' ')}] /Count ${contents.length} >>`,
    `<< /Title <feff${utf16(title)}> >>`,
    ...fontNames.map((name) => `<< ${FONTS[name]} >>`),
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << ${fonts} >> >> /Contents ${firstPage + 2 * index + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return new TextEncoder().encode(text);
}
