import { describe, expect, it } from 'vitest';
import { termsOf } from '../../src/desk/search.ts';

const NONE = { last4: undefined, amountsMinor: [], moneyId: undefined };

describe('what is typed to find a booking', () => {
  it.each([
    ['RES-1001', { ...NONE, text: 'RES-1001' }],
    ['  Nguyen ', { ...NONE, text: 'Nguyen' }],
    ['An Thi  Nguyen', { ...NONE, text: 'Nguyen' }],
    ["Siobhán O'Neill-Byrne", { ...NONE, text: "O'Neill-Byrne" }],
    ['a@b.com', { ...NONE, text: 'a@b.com' }],
    ['4242', { text: '4242', last4: '4242', amountsMinor: [424_200], moneyId: undefined }],
    ['154.64', { ...NONE, text: '154.64', amountsMinor: [15_464] }],
    ['154,64', { ...NONE, text: '154,64', amountsMinor: [15_464] }],
    ['AUD 154.64', { ...NONE, text: 'AUD 154.64', amountsMinor: [15_464] }],
    ['154.64 aud', { ...NONE, text: '154.64 aud', amountsMinor: [15_464] }],
    ['154.641', { ...NONE, text: '154.641', amountsMinor: [15_464_100] }],
    ['1,500', { ...NONE, text: '1,500', amountsMinor: [150_000] }],
    ['-12', { ...NONE, text: '-12' }],
    ['0', { ...NONE, text: '0' }],
    ['371022640840704', { ...NONE, text: '371022640840704', moneyId: 371_022_640_840_704 }],
  ])('%j', (typed, terms) => {
    expect(termsOf(typed, 'AUD')).toEqual(terms);
  });

  it('may be nothing', () => {
    expect(termsOf('  ', 'AUD')).toBeNull();
  });

  it('is an amount in the decimals of the currency', () => {
    expect(termsOf('1500', 'JPY')?.amountsMinor).toEqual([1_500]);
    expect(termsOf('15.00', 'JPY')?.amountsMinor).toEqual([15]);
    expect(termsOf('1.234', 'KWD')?.amountsMinor).toEqual([1_234, 1_234_000]);
  });
});
