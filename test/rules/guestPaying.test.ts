import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalText } from '../../src/core/money.ts';
import { typedAmount } from '../../src/core/typedAmount.ts';
import { balanceOf } from '../../src/money/balance/balance.ts';
import { statementOf } from '../../src/money/balance/statement.ts';
import { paymentChoices, priceOfNewCard } from '../../src/money/guest/choices.ts';
import { contrast, rgbOf, themeOf } from '../../src/sites/guest/theme.ts';
import { propertyRow, transactionRow } from './rows.ts';

describe('a typed amount', () => {
  it.each([
    ['300,50', 30_050],
    ['300.50', 30_050],
    ['1.234,50', 123_450],
    ['1,234.50', 123_450],
    ['1 234,50', 123_450],
    ["1'234.50", 123_450],
    ['1.000', 100_000],
    ['1,000', 100_000],
    ['３００．５', 30_050],
    ['AUD 12', 1_200],
    ['€12', 1_200],
    ['12,', null],
    ['1,2,3', null],
    ['1.2.3', null],
    ['1,23,456.00', null],
    ['1.0001', null],
    ['1e3', null],
    ['', null],
  ])('%s is %s', (text, minor) => {
    expect(typedAmount(text, 'AUD')).toBe(minor);
  });

  it('is read as it was written, with either sign and between thousands, in every currency', () => {
    const signs = fc.constantFrom(['.', ','], [',', '.'], [',', ' '], ['.', ''], [',', '']);
    const currency = fc.constantFrom('AUD', 'JPY', 'KWD');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), currency, signs, (minor, code, sign) => {
        const [decimal = '.', group = ''] = sign;
        const [whole = '', decimals] = decimalText(minor, code).split('.');
        const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
        const text = decimals === undefined ? grouped : `${grouped}${decimal}${decimals}`;
        expect(typedAmount(text, code)).toBe(minor);
      }),
    );
  });
});

const charge = fc
  .record({
    brought: fc.nat(50_000),
    fee: fc.nat(3_000),
    refunded: fc.double({ min: 0, max: 1, noNaN: true }),
    disputed: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ brought, fee, refunded, disputed }) => {
    const takenMinor = brought + fee;
    const refundedMinor = Math.floor(takenMinor * refunded);
    // A bank may withdraw the whole charge, whatever was refunded.
    const disputedMinor = Math.floor(takenMinor * disputed);
    return { takenMinor, feeMinor: fee, refundedMinor, disputedMinor };
  });

describe('the lines of the guest’s page', () => {
  it('add up to what is due, or to what was paid too much', () => {
    const booking = fc.record({
      totalMinor: fc.integer({ min: 1, max: 100_000 }),
      sums: fc.array(charge, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(booking, ({ totalMinor, sums }) => {
        const rows = sums.map((_, id) => transactionRow({ id, status: 'Accepted' }));
        const totals = sums.map((one, transactionId) => ({ ...one, transactionId }));
        const balance = balanceOf(totalMinor, rows, totals);
        const lines = statementOf(totalMinor, rows, totals, balance);
        const { chargedMinor, disputedMinor, feesMinor, refundedMinor, stayMinor } = lines;
        expect(feesMinor).toBeGreaterThanOrEqual(0);
        expect((stayMinor ?? 0) + feesMinor - chargedMinor + refundedMinor + disputedMinor).toBe(
          lines.dueMinor - lines.overpaidMinor,
        );
      }),
    );
  });
});

describe('what the page proposes', () => {
  const pending = (requestedMinor: number) =>
    transactionRow({ status: 'Pending', pendingOperation: null, requestedMinor });
  const choicesOf = (dueMinor: number, scheduledMinor: number, firstNightMinor: number) => {
    const rows = scheduledMinor === 0 ? [] : [pending(scheduledMinor)];
    const choices = paymentChoices(balanceOf(dueMinor, rows, []), firstNightMinor);
    return choices.map(({ amountMinor, name }) => [name, amountMinor]);
  };

  it('is what is due and not scheduled, or the deposit; what is scheduled is only offered', () => {
    expect(choicesOf(600, 0, 200)).toEqual([
      ['rest', 600],
      ['deposit', 200],
    ]);
    expect(choicesOf(600, 400, 200)).toEqual([
      ['rest', 200],
      ['all', 600],
    ]);
    expect(choicesOf(600, 600, 200)).toEqual([['all', 600]]);
    expect(choicesOf(600, 100, 200)).toEqual([
      ['rest', 500],
      ['deposit', 100],
      ['all', 600],
    ]);
    expect(choicesOf(200, 0, 200)).toEqual([['rest', 200]]);
  });

  it('has a price before the card is known, where every card has the same', () => {
    const moment = { atMs: 0, stepMinor: 1 };
    const priceOf = (changes: Parameters<typeof propertyRow>[0], brand: string | null) => {
      const price = priceOfNewCard({ property: propertyRow(changes) }, brand, 10_000, moment);
      return price.ok ? (price.value?.amountMinor ?? null) : undefined;
    };
    expect(priceOf({ cardFeeBasisPoints: 300 }, null)).toBe(10_309);
    const byBrand = { cardFeeBasisPoints: 300, cardFeeByBrand: { amex: 500 } };
    expect(priceOf(byBrand, null)).toBe(null);
    expect(priceOf(byBrand, 'visa')).toBe(10_309);
    expect(priceOf(byBrand, 'amex')).toBe(10_526);
    const rule = { basisPoints: 100, method: 'add', transactionFeeMinor: 0 } as const;
    expect(priceOf({ feeRules: [rule] }, null)).toBe(10_100);
    expect(priceOf({ feeRules: [{ ...rule, funding: ['debit'] }] }, 'visa')).toBe(null);
    expect(priceOf({ country: 'AU', feeLaw: 'enforce' }, 'visa')).toBe(null);
  });
});

describe('a property’s colour', () => {
  it('is dark enough in light, and light enough in dark, to be read', () => {
    const colour = fc.integer({ min: 0, max: 0xffffff });
    fc.assert(
      fc.property(colour, (value) => {
        const style = themeOf(value.toString(16).padStart(6, '0')) ?? '';
        const accents = [...style.matchAll(/--accent: #(\w{6}); --on-accent: #(\w{6})/g)];
        const backgrounds = ['ffffff', 'e8f1fb', '1a1f25', '3a1616'];
        expect(accents).toHaveLength(2);
        for (const [at, [, accent = '', onAccent = '']] of accents.entries()) {
          const own = [onAccent, ...backgrounds.slice(at * 2, at * 2 + 2)];
          for (const other of own) {
            expect(contrast(rgbOf(accent), rgbOf(other))).toBeGreaterThanOrEqual(4.5);
          }
        }
      }),
    );
    expect(themeOf('red')).toBe(null);
  });
});
