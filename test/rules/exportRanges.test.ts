import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ifRangeMatches, selectRange } from '../../src/api/exports/rules/negotiation.ts';

const part = (offset: number, length: number) => ({ kind: 'part', offset, length });
const WHOLE = { kind: 'whole' };
const NONE = { kind: 'unsatisfiable' };

describe('a Range of a file of 100 bytes', () => {
  it.each([
    [undefined, WHOLE],
    ['', WHOLE],
    ['bytes=0-0', part(0, 1)],
    ['bytes=0-9', part(0, 10)],
    ['bytes=90-', part(90, 10)],
    ['bytes=99-99', part(99, 1)],
    ['bytes=0-', part(0, 100)],
    ['bytes=0-99', part(0, 100)],
    ['bytes=50-1000', part(50, 50)],
    ['bytes=-1', part(99, 1)],
    ['bytes=-100', part(0, 100)],
    ['bytes=-1000', part(0, 100)],
    ['Bytes=1-2', part(1, 2)],
    [' bytes=1-2 ', part(1, 2)],
    ['bytes=100-', NONE],
    ['bytes=100-200', NONE],
    ['bytes=-0', NONE],
    ['bytes=5-4', WHOLE],
    ['bytes=-', WHOLE],
    ['bytes=', WHOLE],
    ['bytes=a-b', WHOLE],
    ['bytes=1-2,4-5', WHOLE],
    ['bytes=1.5-2', WHOLE],
    ['bytes=+1-2', WHOLE],
    ['lines=0-1', WHOLE],
    ['kilobytes=0-1', WHOLE],
    ['bytes=0-1x', WHOLE],
    ['bytes=-1-2', WHOLE],
    ['bytes 0-1', WHOLE],
    ['bytes=9999999999999999-', WHOLE],
  ])('%s', (header, selection) => {
    expect(selectRange(header, 100)).toEqual(selection);
  });

  it.each(['bytes=0-', 'bytes=0-0', 'bytes=-1', 'bytes=-0'])(
    '%s of an empty file is none',
    (header) => {
      expect(selectRange(header, 0)).toEqual(NONE);
    },
  );

  it('always lies within the file, and is what an array would be sliced to', () => {
    const number = fc.nat({ max: 120 });
    fc.assert(
      fc.property(number, number, number, (first, last, size) => {
        const bytes = Array.from({ length: size }, (_, index) => index);
        const selected = selectRange(`bytes=${first}-${last}`, size);
        const right = bytes.slice(first, last + 1);
        if (last < first) expect(selected).toEqual(WHOLE);
        else if (right.length === 0) expect(selected).toEqual(NONE);
        else expect(selected).toEqual(part(right[0] ?? 0, right.length));
      }),
    );
  });
});

describe('If-Range', () => {
  it.each([
    [undefined, true],
    ['"a"', true],
    ['"b"', false],
    ['W/"a"', false],
    ['Sat, 21 Nov 2026 06:28:37 GMT', false],
  ])('%s', (ifRange, stands) => {
    expect(ifRangeMatches(ifRange, '"a"')).toBe(stands);
  });
});
