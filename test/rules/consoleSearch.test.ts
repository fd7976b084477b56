import { describe, expect, it } from 'vitest';
import { asCharged, termsOf } from '../../src/desk/search.ts';

const NONE = { last4: undefined, amountsMinor: [], moneyId: undefined };

/** A text that is neither an address nor a number. */
const text = (text: string, ...words: string[]) => ({
  ...NONE,
  text,
  words: words.map((folded) => expect.objectContaining({ folded }) as { folded: string }),
  email: text.includes(' ') ? undefined : text,
});

describe('what is typed to find a booking', () => {
  it.each([
    ['RES-1001', text('RES-1001', 'res1001')],
    ['  Nguyen ', text('Nguyen', 'nguyen')],
    ['An Thi  Nguyen', text('An Thi Nguyen', 'an', 'thi', 'nguyen')],
    ["Siobhán O'Neill-Byrne", text("Siobhán O'Neill-Byrne", 'siobhan', 'oneillbyrne')],
    ['Ångström, Søren', text('Ångström, Søren', 'angstrom', 'soren')],
    ['a@b.com', { ...text('a@b.com'), words: [] }],
    ['4242', { ...text('4242', '4242'), last4: '4242', amountsMinor: [424_200] }],
    ['visa 4242', { ...text('visa 4242', 'visa', '4242'), last4: '4242' }],
    ['154.64', { ...text('154.64', '15464'), amountsMinor: [15_464] }],
    ['154,64', { ...text('154,64', '154', '64'), amountsMinor: [15_464] }],
    ['AUD 154.64', { ...text('AUD 154.64', 'aud', '15464'), amountsMinor: [15_464] }],
    ['154.64 aud', { ...text('154.64 aud', '15464', 'aud'), amountsMinor: [15_464] }],
    ['154.641', { ...text('154.641', '154641'), amountsMinor: [15_464_100] }],
    ['1,500', { ...text('1,500', '1', '500'), amountsMinor: [150_000] }],
    ['-12', text('-12', '12')],
    ['0', text('0', '0')],
    ['+49 171 234-5678', text('+49 171 234-5678', '491712345678')],
    [
      '371022640840704',
      { ...text('371022640840704', '371022640840704'), moneyId: 371_022_640_840_704 },
    ],
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

  it('may be an amount without fees: what cards are charged for it is looked for, too', () => {
    const fees = {
      cardFeeBasisPoints: 300,
      cardFeeByBrand: { amex: 0 },
      transactionFeeMinor: 0,
      feeRules: [],
    };
    expect(asCharged([15_000], fees)).toEqual([15_000, 15_464]);
    const added = { basisPoints: 100, method: 'add', transactionFeeMinor: 50 } as const;
    expect(asCharged([15_000], { ...fees, feeRules: [added] })).toEqual([15_000, 15_200, 15_464]);
    const many = Array.from({ length: 40 }, (_rule, basisPoints) => ({ ...added, basisPoints }));
    expect(asCharged([15_000, 99], { ...fees, feeRules: many })).toHaveLength(10);
    expect(asCharged([], fees)).toEqual([]);
  });
});
