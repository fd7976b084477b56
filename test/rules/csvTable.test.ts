import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvCell, type CsvColumn, CsvLink, csvText } from '../../src/sites/web/table.tsx';

type Row = readonly [CsvCell, CsvCell];

const columns: readonly CsvColumn<Row>[] = [
  { name: 'Booking', fileName: 'Booking, or none', text: ([first]) => first },
  { name: 'On the page alone' },
  { name: 'Amount', text: ([, second]) => second },
];

/** Reads CSV as RFC 4180 has it; throws where something is left over. */
function read(text: string): string[][] {
  const rows: string[][] = [[]];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
  let end = 0;
  for (const [all, cell = '', after] of text.matchAll(field)) {
    end += all.length;
    rows.at(-1)?.push(cell.replace(/^"([\s\S]*)"$/, '$1').replaceAll('""', '"'));
    if (after !== ',') rows.push([]);
  }
  expect([end, rows.pop()]).toEqual([text.length, []]);
  return rows;
}

/** A component, which its text is made of. */
interface Printed {
  toString(): string;
}

describe('a table as CSV', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('"', ',', ';', '|', '\t', '\r', '\n', '=', '-', '1', '.', 'é'),
    }),
    fc.integer(),
    fc.constant(null),
  );

  it('gives every reader the texts of the table, and runs no formula', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
        const text = csvText(columns, rows);
        expect(text.charAt(0)).toBe('\uFEFF');
        const [header, ...lines] = read(text.slice(1));
        expect(header).toEqual(['Booking, or none', 'Amount']);
        const cells = rows.flat().map((one) => String(one ?? ''));
        for (const [index, line] of lines.flat().entries()) {
          expect(line.replaceAll("'", '')).toBe(cells[index]?.replaceAll("'", ''));
          if (/^-?\d+(?:\.\d+)?$/.test(line)) continue;
          for (const part of line.split(/[;|\t]/)) expect(part).toMatch(/^(?:[^=+\-@＝＋－＠]|$)/);
          expect(line).not.toMatch(/^[\t\r\n]/);
        }
        expect(lines.map(({ length }) => length)).toEqual(rows.map(() => 2));
      }),
    );
  });

  it.each([
    ['plain', '"plain"'],
    ["x;=cmd|'/C calc'!A1;y", `"x;'=cmd|'/C calc'!A1;y"`],
    ['a|@b\t＝c\n-d', `"a|'@b\t'＝c\n'-d"`],
    ['a;-1', `"a;'-1"`],
    ['a=b - c', '"a=b - c"'],
    ['a, b', '"a, b"'],
    ['say "hi"', '"say ""hi"""'],
    ['=1+1', `"'=1+1"`],
    ['+61 8 1234', `"'+61 8 1234"`],
    ['-SUM(A1),1', '"\'-SUM(A1),1"'],
    ['@home', `"'@home"`],
    ['-12.50', '-12.50'],
    [-3, '-3'],
    [null, ''],
    ['東京', '"東京"'],
  ] as const)('writes %j as %s', (value, expected) => {
    expect(csvText([{ name: 'One', text: (one: CsvCell) => one }], [value])).toBe(
      `\uFEFF"One"\r\n${expected}\r\n`,
    );
  });

  it('is at the page’s own address', () => {
    const link = (path: string) => (CsvLink({ path }) as Printed).toString();
    expect(link('/console/report')).toContain('href="/console/report?format=csv"');
    expect(link('/console/report?property=demo')).toContain(
      'href="/console/report?property=demo&amp;format=csv"',
    );
  });
});
