import { describe, expect, it } from 'vitest';
import { pdfOf } from '../../src/core/pdf/pdf.ts';
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
