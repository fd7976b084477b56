import { describe, expect, it } from 'vitest';
import { START } from '../../src/exports/rules/pages.ts';
import {
  idsAfterFew,
  idsAfterFull,
  MOST_ROWS,
  windowAfter,
} from '../../src/exports/rules/windows.ts';

describe('the ids that a page of an export looks at', () => {
  it('are as many as its rows, from the beginning on', () => {
    expect(windowAfter(START)).toEqual({ customerId: 0, applicationId: 0, ids: MOST_ROWS });
  });

  it('follow the position of the last page', () => {
    expect(windowAfter([3, 7, 550])).toEqual({ customerId: 3, applicationId: 7, ids: 550 });
  });

  it.each([
    [0, 2],
    [10, 11],
    [500, 550],
    [18_000, 19_800],
    [19_000, 20_000],
  ])('are after a full page that spanned %i of them %i', (spanned, ids) => {
    expect(idsAfterFull(spanned)).toBe(ids);
  });

  it.each([
    [500, 1_000],
    [10_000, 20_000],
    [15_000, 20_000],
  ])('are after a page of %i that was not full %i', (before, ids) => {
    expect(idsAfterFew({ customerId: 0, applicationId: 0, ids: before })).toBe(ids);
  });
});
