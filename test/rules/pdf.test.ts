import * as fc from 'fast-check';
import { getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../src/core/pdf/fonts.ts';
import { type PdfDocument, pdfOf } from '../../src/core/pdf/pdf.ts';
import { isJapanese, printable, runsOf } from '../../src/core/pdf/runs.ts';

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const documentOf = (...paragraphs: string[]) =>
  textOf(pdfOf({ title: 'Evidence', sections: [{ heading: 'Guest', paragraphs }] }).bytes);

describe('a PDF', () => {
  it('says where each of its objects begins, and how long its streams are', () => {
    const pdf = documentOf(...Array.from({ length: 200 }, (_, line) => `Line ${line}`));
    expect(pdf.startsWith('%PDF-1.7\n')).toBe(true);
    const rows = [...pdf.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
    expect(rows.length).toBeGreaterThan(10);
    for (const [index, offset] of rows.entries()) {
      expect(pdf.slice(offset).startsWith(`${index + 1} 0 obj\n`)).toBe(true);
    }
    const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
    expect(pdf.slice(start).startsWith('xref\n')).toBe(true);
    const streams = [...pdf.matchAll(/\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g)];
    expect(streams.length).toBeGreaterThan(1);
    for (const [, length, stream = ''] of streams) expect(stream.length).toBe(Number(length));
  });

  it('escapes what strings are written with', () => {
    expect(documentOf('a (b) \\ c')).toContain('(a \\(b\\) \\\\ c) Tj');
  });

  it('breaks lines that are too long for the page, with and without spaces', () => {
    const longest = (pdf: string) =>
      Math.max(...[...pdf.matchAll(/\((.*)\) Tj/g)].map(([, line = '']) => line.length));
    expect(longest(documentOf('word '.repeat(200)))).toBeLessThan(150);
    expect(longest(documentOf('x'.repeat(900)))).toBeLessThan(150);
    expect([...documentOf('漢'.repeat(200)).matchAll(/<(.*)> Tj/g)].length).toBeGreaterThan(3);
  });
});

/** A4 in points, without the margins. */
const SHEET = { left: 50, right: 545, bottom: 50, top: 792 };

/** A line as a reader finds it: where it begins, where it ends, and its height, in points. */
interface ReadLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly right: number;
}

/** Reads a PDF with PDF.js: what it is called, and the lines of each page. It has no fonts for Chinese, Japanese and Korean. */
async function readPdf(pdf: PdfDocument) {
  const { bytes, pages: number } = pdfOf(pdf);
  const document = await getDocumentProxy(bytes);
  const { info } = await document.getMetadata();
  const numbers = Array.from({ length: document.numPages }, (_, at) => at + 1);
  const pages = await Promise.all(
    numbers.map(async (at): Promise<ReadLine[]> => {
      const page = await document.getPage(at);
      expect(page.view).toEqual([0, 0, 595, 842]);
      const { items } = await page.getTextContent();
      return items.flatMap((item) => {
        if (!('str' in item) || item.str === '') return [];
        const [, , , , x, y] = item.transform as number[];
        const { height: size, str: text, width } = item;
        return [{ text, x: x ?? 0, y: y ?? 0, size, right: (x ?? 0) + width }];
      });
    }),
  );
  expect(document.numPages).toBe(number);
  return { title: (info as { Title?: string }).Title, pages };
}

describe('a PDF in a reader', () => {
  it('has its title, and each line in its size and place', async () => {
    const title = 'Evidence – 李 (a)';
    const sections = [
      { heading: 'Guest', paragraphs: ['Café “5” €\nsecond line', 'another'] },
      { heading: 'Stay', paragraphs: ['', 'last ~ \\ ÿ'] },
    ];
    const { pages, title: shown } = await readPdf({ title, sections });
    expect(shown).toBe(title);
    const [lines = []] = pages;
    const [first, ...others] = lines.filter(({ text }) => !/[李(]|^ $/.test(text));
    expect(first).toMatchObject({ x: 50, size: 18 });
    const placed = others.map(({ size, text, x, y }) => [text, x, size, Number(y.toFixed(1))]);
    // From the top: the title's line, then each with the space above its paragraph.
    expect(placed).toEqual([
      ['Guest', 50, 14, 734.8],
      ['Café “5” €', 50, 12, 715.6],
      ['second line', 50, 12, 699.4],
      ['another', 50, 12, 680.2],
      ['Stay', 50, 14, 647.3],
      ['last ~ \\ ÿ', 50, 12, 608.9],
    ]);
  });

  it('has all its words in order, on lines that end within the margin, and as late as they can', async () => {
    // About accented letters, the service knows only that they are narrower.
    const letters = fc.constantFrom('a', 'b', 'c', 'W', 'M', 'i', 'l', '.');
    const word = fc.string({ unit: letters, minLength: 1, maxLength: 90 });
    const paragraph = fc.array(word, { minLength: 1, maxLength: 40 }).map((all) => all.join(' '));
    const property = fc.asyncProperty(fc.array(paragraph, { minLength: 9 }), async (paragraphs) => {
      const sections = [{ heading: 'H', paragraphs }];
      const { pages } = await readPdf({ title: 'T', sections });
      const lines = pages.flat().filter(({ size }) => size === 12);
      for (const text of paragraphs) isWrapped(text, lines);
      expect(lines).toEqual([]);
    });
    await fc.assert(property, { numRuns: 3, endOnFailure: true });
  });

  it('begins a page only where the next line has no room, and wastes none', async () => {
    const sections = Array.from({ length: 40 }, (_, at) => ({
      heading: `Heading ${at}`,
      paragraphs: Array.from({ length: at % 5 }, (_one, line) => `Line ${at}.${line}`),
    }));
    const { pages } = await readPdf({ title: 'Evidence', sections });
    expect(pages.length).toBeGreaterThan(2);
    const heightOf = ({ size }: ReadLine) => size * 1.35 + (size === 14 ? 14 : 3);
    const lines = pages.flatMap((page, at) => page.map((line) => ({ line, at })));
    for (const [row, { at, line }] of lines.entries()) {
      expect(line.y).toBeGreaterThanOrEqual(SHEET.bottom);
      const before = lines[row - 1];
      if (before === undefined) continue;
      const isNewPage = before.at < at;
      const room = before.line.y - heightOf(line);
      expect(room < SHEET.bottom).toBe(isNewPage);
      expect(line.y).toBeCloseTo(isNewPage ? SHEET.top - heightOf(line) : room, 1);
    }
  });

  it('has signs of Japanese and Korean as UTF-16 in the fonts of their scripts, in headings too', () => {
    const pdf = textOf(
      pdfOf({ title: '李', sections: [{ heading: '김', paragraphs: ['さ a'] }] }).bytes,
    );
    expect(pdf).toContain('/Title <feff674e>');
    expect(pdf).toContain('/japanese 18 Tf <674e> Tj');
    expect(pdf).toContain('/korean 14 Tf <ae40> Tj');
    expect(pdf).toContain('/japanese 12 Tf <3055> Tj /plain 12 Tf ( a) Tj');
    for (const name of ['plain', 'bold', 'japanese', 'chinese', 'korean']) {
      const [, number] = new RegExp(`/${name} (\\d+) 0 R`).exec(pdf) ?? [];
      expect(pdf).toMatch(new RegExp(`\\n${number} 0 obj\\n<< /Type /Font `));
    }
  });
});

/** Takes the lines of a paragraph, which are its text, broken where the next word or character has no room. */
function isWrapped(text: string, lines: ReadLine[]): void {
  for (let rest = text; rest !== ''; ) {
    const line = lines.shift();
    if (!line) throw new Error(`lines are missing: ${rest}`);
    expect(rest.startsWith(line.text)).toBe(true);
    expect(line.right).toBeLessThanOrEqual(SHEET.right);
    rest = rest.slice(line.text.length);
    const [next = ''] = /^(?: [^ ]+|.)?/.exec(rest) ?? [];
    if (next !== '') expect(line.right + pointsOf(next)).toBeGreaterThan(SHEET.right);
    rest = rest.trimStart();
  }
}

/** About how wide a text of 12 points is. */
function pointsOf(text: string): number {
  return Array.from(text).reduce((sum, one) => sum + (widthOf(one) * 12) / 1_000, 0);
}

describe('a text of a PDF', () => {
  it.each([
    ['Nguyễn Văn', 'Nguyen Van'],
    ['Ångström – “Café” €5', 'Ångström – “Café” €5'],
    ['\u2068Demo\u2069 Property', 'Demo Property'],
    ['山田 太郎', '山田 太郎'],
    ['김철수', '김철수'],
    ['Иван', 'Иван'],
    ['ไทย', '???'],
  ])('%s is printed as %s', (text, printed) => {
    expect(printable(text)).toBe(printed);
  });

  it('is in the font of its script', () => {
    expect(runsOf('Mr 李 (김) さん', 'plain', false).map(({ font }) => font)).toEqual([
      'plain',
      'japanese',
      'plain',
      'korean',
      'plain',
      'japanese',
    ]);
    expect(runsOf('李', 'bold', false)).toEqual([{ font: 'chinese', text: '李' }]);
    expect(runsOf('李', 'bold', true)).toEqual([{ font: 'japanese', text: '李' }]);
    expect([isJapanese('李さん'), isJapanese('李')]).toEqual([true, false]);
  });
});
