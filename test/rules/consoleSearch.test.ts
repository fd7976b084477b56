import { describe, expect, it } from 'vitest';
import { termsOf } from '../../src/sites/console/search/terms.ts';

const NONE = { last4: undefined, amountMinor: undefined, moneyId: undefined };

describe('what is typed to find a booking', () => {
  it.each([
    ['RES-1001', { ...NONE, text: 'RES-1001' }],
    ['  Nguyen ', { ...NONE, text: 'Nguyen' }],
    ['An Thi  Nguyen', { ...NONE, text: 'Nguyen' }],
    ["Siobhán O'Neill-Byrne", { ...NONE, text: "O'Neill-Byrne" }],
    ['a@b.com', { ...NONE, text: 'a@b.com' }],
    ['4242', { text: '4242', last4: '4242', amountMinor: 424_200, moneyId: undefined }],
    ['154.64', { ...NONE, text: '154.64', amountMinor: 15_464 }],
    ['154,64', { ...NONE, text: '154,64', amountMinor: 15_464 }],
    ['AUD 154.64', { ...NONE, text: 'AUD 154.64', amountMinor: 15_464 }],
    ['154.64 aud', { ...NONE, text: '154.64 aud', amountMinor: 15_464 }],
    ['154.641', { ...NONE, text: '154.641' }],
    ['0', { ...NONE, text: '0' }],
    ['371022640840704', { ...NONE, text: '371022640840704', moneyId: 371_022_640_840_704 }],
  ])('%j', (typed, terms) => {
    const { amountMinor, ...others } = termsOf(typed, 2) ?? {};
    const { amountMinor: expected, ...rest } = terms;
    expect(others).toEqual(rest);
    if (terms.moneyId === undefined) expect(amountMinor).toBe(expected);
  });

  it('may be nothing', () => {
    expect(termsOf('  ', 2)).toBeNull();
  });

  it('is an amount in the decimals of the currency', () => {
    expect(termsOf('1500', 0)?.amountMinor).toBe(1_500);
    expect(termsOf('15.00', 0)?.amountMinor).toBe(15);
    expect(termsOf('1.234', 3)?.amountMinor).toBe(1_234);
  });
});
