import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, rgbOf } from '../../src/core/colours.ts';
import { balanceOfRows, statementOf } from '../../src/money/balance/rules/balance.ts';
import { priceOfNewCard } from '../../src/money/guest/rules/price.ts';
import { paymentChoices } from '../../src/money/guest/rules.ts';
import { themeOf } from '../../src/sites/guest/rules/theme.ts';
import { NO_PAYMENTS } from '../support/noPayments.ts';
import { bookedRow, propertyRow, transactionRow } from './rows.ts';

const charge = fc
  .record({
    brought: fc.nat(50_000),
    fee: fc.nat(3_000),
    refunded: fc.double({ min: 0, max: 1, noNaN: true }),
    waived: fc.double({ min: 0, max: 1, noNaN: true }),
    disputed: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ brought, fee, refunded, waived, disputed }) => {
    const takenMinor = brought + fee;
    const refundedMinor = Math.floor(takenMinor * refunded);
    // A bank may withdraw the whole charge, whatever was refunded.
    const disputedMinor = Math.floor(takenMinor * disputed);
    const waivedMinor = Math.floor(refundedMinor * waived);
    return { takenMinor, feeMinor: fee, refundedMinor, waivedMinor, disputedMinor };
  });

describe('the lines of the guest’s page', () => {
  it('add up to what is due, or to what was paid too much', () => {
    const booking = fc.record({
      totalMinor: fc.integer({ min: 1, max: 100_000 }),
      sums: fc.array(charge, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(booking, ({ totalMinor, sums }) => {
        const totals = sums.map((one, transactionId) => ({
          ...one,
          transactionId,
          purpose: 'Balance' as const,
        }));
        const lines = statementOf(totals, balanceOfRows(totalMinor, [], totals));
        expect(Math.min(lines.feesMinor, lines.waivedMinor)).toBeGreaterThanOrEqual(0);
        const { chargedMinor, disputedMinor, feesMinor, refundedMinor } = lines;
        const stayMinor = (lines.stayMinor ?? 0) - lines.waivedMinor;
        expect(stayMinor + feesMinor - chargedMinor + refundedMinor + disputedMinor).toBe(
          lines.dueMinor - lines.overpaidMinor,
        );
      }),
    );
  });
});

describe('what the page proposes', () => {
  const pending = (requestedMinor: number) =>
    transactionRow({ status: 'Pending', pendingOperation: null, requestedMinor });
  const choicesOf = (
    dueMinor: number,
    scheduledMinor: number,
    firstNightMinor: number,
    asked = { amountMinor: 0, schedules: [] as number[] },
  ) => {
    const rows = scheduledMinor === 0 ? [] : [pending(scheduledMinor)];
    const choices = paymentChoices(balanceOfRows(dueMinor, rows, []), firstNightMinor, asked);
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

  it('is first of all what the guest is asked for, once', () => {
    const declined = (amountMinor: number) => ({ amountMinor, schedules: [] });
    const toCome = (amountMinor: number) => ({ amountMinor, schedules: [7] });
    expect(choicesOf(600, 0, 0, declined(100))).toEqual([
      ['asked', 100],
      ['rest', 600],
    ]);
    expect(choicesOf(600, 500, 0, declined(100))).toEqual([
      ['asked', 100],
      ['all', 600],
    ]);
    expect(choicesOf(200, 100, 0, toCome(100))).toEqual([
      ['asked', 100],
      ['rest', 100],
      ['all', 200],
    ]);
    expect(choicesOf(100, 100, 0, toCome(100))).toEqual([['asked', 100]]);
    expect(choicesOf(60, 0, 0, declined(100))).toEqual([['asked', 60]]);
    expect(choicesOf(0, 0, 0, declined(100))).toEqual([]);
  });

  const payment = { requestedMinor: 10_000, purpose: 'Balance' } as const;
  const priceOf = (changes: Parameters<typeof propertyRow>[0], brand: string | null) => {
    const state = { property: propertyRow(changes), booking: bookedRow(), cards: [] };
    const facts = { state, totals: NO_PAYMENTS, nowMs: 0, stepMinor: 1 };
    const price = priceOfNewCard(payment, facts, brand);
    return price.ok ? (price.value?.amountMinor ?? null) : undefined;
  };

  it('has a price before the card is known, where every card has the same', () => {
    expect(priceOf({ cardFeeBasisPoints: 300 }, null)).toBe(10_309);
    const byBrand = { cardFeeBasisPoints: 300, cardFeeByBrand: { amex: 500 } };
    expect(priceOf(byBrand, null)).toBe(null);
    expect(priceOf(byBrand, 'visa')).toBe(10_309);
    expect(priceOf(byBrand, 'amex')).toBe(10_526);
    const rule = { basisPoints: 100, method: 'add', transactionFeeMinor: 0 } as const;
    expect(priceOf({ feeRules: [rule] }, null)).toBe(10_100);
    expect(priceOf({ feeRules: [{ ...rule, funding: ['debit'] }] }, 'visa')).toBe(null);
    const enforced = { cardFeeBasisPoints: 300, country: 'AU', feeLaw: 'enforce' } as const;
    expect(priceOf(enforced, 'visa')).toBe(null);
  });

  it('has no price before the card is known where a rule names a brand', () => {
    const rule = { basisPoints: 100, method: 'add', transactionFeeMinor: 0 } as const;
    const feeRules = [{ ...rule, brands: ['amex'] }];
    expect(priceOf({ feeRules }, null)).toBe(null);
    expect(priceOf({ feeRules }, 'visa')).toBe(10_000);
    expect(priceOf({ feeRules }, 'amex')).toBe(10_100);
  });

  it('depends on no rule that has not begun, or has ended', () => {
    const rule = { basisPoints: 100, method: 'add', transactionFeeMinor: 0 } as const;
    const later = { ...rule, funding: ['debit' as const], from: '1970-01-02T00:00:00Z' };
    expect(priceOf({ cardFeeBasisPoints: 300, feeRules: [later] }, 'visa')).toBe(10_309);
  });

  it('has no price where the acquirer cannot take the amount', () => {
    const state = { property: propertyRow(), booking: bookedRow(), cards: [] };
    const facts = { state, totals: NO_PAYMENTS, nowMs: 0, stepMinor: 10 };
    expect(priceOfNewCard({ ...payment, requestedMinor: 10_001 }, facts, null)).toMatchObject({
      ok: false,
      error: { code: 'amount_precision' },
    });
  });

  it('has its price at once where no card pays a fee, whatever the law says', () => {
    const free = { cardFeeBasisPoints: 0, transactionFeeMinor: 0, feeLaw: 'enforce' } as const;
    const rule = { method: 'add', transactionFeeMinor: 0, funding: ['credit' as const] } as const;
    expect(priceOf({ ...free, country: 'DE' }, null)).toBe(10_000);
    const rules = { feeRules: [{ ...rule, basisPoints: 0 }] };
    expect(priceOf({ ...free, ...rules, country: 'DE' }, null)).toBe(10_000);
    const paying = { feeRules: [{ ...rule, basisPoints: 1 }] };
    expect(priceOf({ ...free, ...paying, country: 'DE' }, null)).toBe(null);
  });
});

describe('a property’s colour', () => {
  it('is dark enough in light, and light enough in dark, to be read', () => {
    const colour = fc.integer({ min: 0, max: 0xffffff });
    fc.assert(
      fc.property(colour, (value) => {
        const style = themeOf(value.toString(16).padStart(6, '0')) ?? '';
        const accents = [...style.matchAll(/--accent: #(\w{6})/g)];
        const backgrounds = ['ffffff', 'e8f1fb', '1a1f25', '3a1616'];
        expect(accents).toHaveLength(2);
        for (const [at, [, accent = '']] of accents.entries()) {
          for (const other of backgrounds.slice(at * 2, at * 2 + 2)) {
            expect(contrast(rgbOf(accent), rgbOf(other))).toBeGreaterThanOrEqual(4.5);
          }
        }
        const [, button = '', onButton = ''] =
          /--button: #(\w{6}); --on-button: #(\w{6})/.exec(style) ?? [];
        expect(button).toBe(value.toString(16).padStart(6, '0'));
        expect(contrast(rgbOf(button), rgbOf(onButton))).toBeGreaterThanOrEqual(4.5);
      }),
    );
    expect(themeOf('red')).toBe(null);
  });
});
