import { describe, expect, it } from 'vitest';
import {
  descriptionOf,
  identityOf,
  referenceOf,
  type StatementLine,
  withoutCardNumbers,
} from '../../src/disbursements/bank/rules/lines.ts';
import { namedPairs, type Unlined } from '../../src/disbursements/bank/rules/matching.ts';

const line: StatementLine = {
  date: '2027-02-16',
  currency: 'AUD',
  amountMinor: 15_464,
  description: 'STRIPE PAYOUT',
  reference: null,
};

describe('the reference of a line', () => {
  it.each(['', '  ', '0', '000', 'NONE', 'nonref', 'NotProvided', 'n/a', 'NA', '---', undefined])(
    'is none where it says so: %s',
    (text) => {
      expect(referenceOf(text)).toBeNull();
    },
  );

  it.each([' REF-1 ', 'REF-1'])('is without the spaces around it: %s', (text) => {
    expect(referenceOf(text)).toBe('REF-1');
  });

  it.each(['none of it', '0001', 'n/a 1'])('is a text that only begins so: %s', (text) => {
    expect(referenceOf(text)).toBe(text);
  });
});

describe('the description of a line', () => {
  it.each([
    ['on one line', ['STRIPE\r\n\t  PAYOUT\u0007', ' po_1 '], 'STRIPE PAYOUT po_1'],
    ['without repetitions', ['A', 'B', 'A'], 'A B'],
    ['without texts that say that there is none', ['NOTPROVIDED', '', 'A', '0'], 'A'],
    ['empty where there are none', [], ''],
  ])('is %s', (_, texts, description) => {
    expect(descriptionOf(texts)).toBe(description);
  });

  it('has 500 characters at most, and no half of one', () => {
    expect(descriptionOf(['x'.repeat(501)])).toBe('x'.repeat(500));
    expect(descriptionOf([`${'x'.repeat(499)}😀`])).toBe(`${'x'.repeat(499)}\uFFFD`);
    expect(descriptionOf(['a\uD83Db'])).toBe('a\uFFFDb');
  });

  it('keeps what could be no card number, however long', () => {
    const account = 'Invoice 4242 4242 4242 4241';
    expect(withoutCardNumbers(account)).toBe(account);
    expect(withoutCardNumbers('of 4242 4242 4242 4242, thanks')).toBe('of …4242, thanks');
  });
});

describe('a line in another file', () => {
  const same = (changes: Partial<StatementLine>, of = line) =>
    identityOf(of) === identityOf({ ...of, ...changes });
  const referred = { ...line, reference: 'REF-1' };

  it('is the same by day, amount, currency and text where it has no reference', () => {
    expect(same({})).toBe(true);
    expect(same({ date: '2027-02-17' })).toBe(false);
    expect(same({ description: 'STRIPE' })).toBe(false);
    expect(same({ amountMinor: 1 })).toBe(false);
    expect(same({ currency: 'NZD' })).toBe(false);
    expect(same({ reference: 'REF-1' })).toBe(false);
  });

  it('is the same by its reference and amount where it has one', () => {
    expect(same({ date: '2027-02-17', description: 'STRIPE' }, referred)).toBe(true);
    expect(same({ reference: 'REF-2' }, referred)).toBe(false);
    expect(same({ amountMinor: 1 }, referred)).toBe(false);
    expect(same({ currency: 'NZD' }, referred)).toBe(false);
  });
});

describe('what a line names', () => {
  const payout: Unlined = {
    id: 'po_123456',
    description: 'STRIPE FEB 16',
    netMinor: 15_464,
    currency: 'AUD',
    arrivalDate: '2027-02-16',
    status: 'paid_out',
  };
  const named = (changes: Partial<StatementLine>, ...payouts: readonly Unlined[]) =>
    namedPairs([{ id: 'l1', ...line, ...changes }], payouts).map((pair) => pair.disbursementId);

  it('is found in capitals, and without its signs', () => {
    const description = 'Payout PO 12-34 56 thanks';
    expect(named({ description, amountMinor: 1 }, payout)).toEqual(['po_123456']);
    expect(named({ description: 'by Stripe, Feb. 16' }, payout)).toEqual(['po_123456']);
  });

  it('counts with its amount and currency alone where it has no number, or others have it too', () => {
    const plain = { ...payout, id: 'x', description: 'STRIPE PAYOUT' };
    expect(named({}, plain)).toEqual(['x']);
    expect(named({ amountMinor: 15_463 }, plain)).toEqual([]);
    expect(named({ currency: 'NZD' }, plain)).toEqual([]);
    const twin = { ...payout, id: 'y', netMinor: 1 };
    const description = payout.description;
    expect(named({ description, amountMinor: 1 }, { ...payout, id: 'z' }, twin)).toEqual(['y']);
    expect(named({ description, amountMinor: 2 }, { ...payout, id: 'z' }, twin)).toEqual([]);
  });

  it('has six letters and digits at least', () => {
    const short = { ...payout, description: '' };
    expect(named({ description: 'ab 123' }, { ...short, id: 'ab123' })).toEqual([]);
    expect(named({ description: 'ab 1234' }, { ...short, id: 'ab1234' })).toEqual(['ab1234']);
    expect(named({ description: 'ab 1234' })).toEqual([]);
  });

  it('is no name that only begins as the line does', () => {
    expect(named({ description: 'po 1234 57' }, payout)).toEqual([]);
  });
});
