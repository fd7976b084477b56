import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  capitalisedBrand,
  cardFacts,
  factsOfLastDigits,
  holdsCardNumber,
  identifierHoldsCardNumber,
  phoneHoldsCardNumber,
} from '../../src/core/cardNumbers.ts';
import { inScript, writings } from '../support/cardWritings.ts';

/** Adds the digit that makes Luhn's sum a multiple of ten. */
function withCheckDigit(body: string): string {
  const sum = Array.from(body)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

function digits(length: number) {
  const digit = fc.nat(9).map(String);
  return fc.array(digit, { minLength: length, maxLength: length }).map((all) => all.join(''));
}

/** Valid numbers of brands that have their prefix for themselves. */
const validNumbers = fc
  .constantFrom(
    { prefix: '411', length: 16 },
    { prefix: '55', length: 16 },
    { prefix: '37', length: 15 },
    { prefix: '6011', length: 16 },
    { prefix: '3530', length: 16 },
    { prefix: '6205', length: 19 },
  )
  .chain(({ prefix, length }) =>
    digits(length - prefix.length - 1).map((rest) => withCheckDigit(`${prefix}${rest}`)),
  );

describe('what is kept of a card number', () => {
  test.each([
    ['4111111111111111', 'visa', '1111', 'XXXX-XXXX-XXXX-X111'],
    ['4242 4242 4242 4242', 'visa', '4242', 'XXXX-XXXX-XXXX-X242'],
    ['5555-5555-5555-4444', 'mastercard', '4444', 'XXXX-XXXX-XXXX-X444'],
    ['2223003122003222', 'mastercard', '3222', 'XXXX-XXXX-XXXX-X222'],
    ['378282246310005', 'amex', '0005', 'XXXX-XXXXXX-XX005'],
    ['3714 496353 98431', 'amex', '8431', 'XXXX-XXXXXX-XX431'],
    ['6011111111111117', 'discover', '1117', 'XXXX-XXXX-XXXX-X117'],
    ['3566002020360505', 'jcb', '0505', 'XXXX-XXXX-XXXX-X505'],
    ['36227206271667', 'diners', '1667', 'XXXX-XXXX-XXX6-67'],
    ['6205500000000000004', 'unionpay', '0004', 'XXXX-XXXX-XXXX-XXXX-004'],
    ['6304000000000000', 'maestro', '0000', 'XXXX-XXXX-XXXX-X000'],
    ['670000000055433', 'maestro', '5433', 'XXXX-XXXX-XXXX-433'],
    ['630000015838', 'maestro', '5838', 'XXXX-XXXX-X838'],
  ])('%s is a %s card', (number, brand, last4, masked) => {
    expect(cardFacts(number)).toEqual({ brand, last4, masked });
  });

  test('a mask shows the last three digits, hides every other, and says how many there were', () => {
    fc.assert(
      fc.property(validNumbers, (number) => {
        const facts = cardFacts(number);
        const hidden = 'X'.repeat(number.length - 3);
        expect(facts?.masked.replaceAll('-', '')).toBe(`${hidden}${number.slice(-3)}`);
        expect(facts?.last4).toBe(number.slice(-4));
      }),
    );
  });

  test('one wrong digit anywhere makes a number invalid', () => {
    const change = fc.record({ at: fc.nat(18), by: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(validNumbers, change, (number, { at, by }) => {
        const index = at % number.length;
        const wrong = (Number(number[index]) + by) % 10;
        expect(cardFacts(`${number.slice(0, index)}${wrong}${number.slice(index + 1)}`)).toBeNull();
      }),
    );
  });

  test.each([
    ['a Visa with 15 digits', withCheckDigit('41111111111111')],
    ['a Visa with 17 digits', withCheckDigit('4111111111111111')],
    ['an Amex with 16 digits', withCheckDigit('378282246310005')],
    ['an Amex with 14 digits', withCheckDigit('3782822463100')],
    ['a Mastercard with 19 digits', withCheckDigit('555555555555444400')],
    ['a number of no brand', withCheckDigit('999999999999999')],
    ['a UnionPay number that fails Luhn’s check', '6205500000000000005'],
    ['nothing', ''],
    ['separators only', ' - - '],
    ['letters', '4242abcd42424242'],
    ['a letter before it', 'x4242424242424242'],
    ['a letter after it', '4242424242424242x'],
    ['dots between groups', '4242.4242.4242.4242'],
    ['a sign', '+4242424242424242'],
    ['digits of another script', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢'],
    ['a thousand digits', '42'.repeat(500)],
  ])('%s is refused', (_name, number) => {
    expect(cardFacts(number)).toBeNull();
  });

  test.each([
    ['visa', 'Visa'],
    ['mastercard', 'Mastercard'],
    ['amex', 'Amex'],
  ])('bookings show %s as %s', (brand, shown) => {
    expect(capitalisedBrand(brand)).toBe(shown);
  });
});

describe('what is kept of a card whose last digits alone are known', () => {
  test.each([
    ['4111111111111111', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['6011111111111117', 'discover'],
    ['3566002020360505', 'jcb'],
    ['378282246310005', 'amex'],
    ['36227206271667', 'diners'],
  ])(
    'is the same as of all of its number but what a mask of that brand hides: %s',
    (number, brand) => {
      const facts = factsOfLastDigits(brand, number.slice(-4));
      expect(facts).toEqual(cardFacts(number));
    },
  );

  test.each(['unionpay', 'eftpos_au', 'unknown', ''])(
    'of the brand %j has sixteen digits',
    (brand) => {
      const masked = 'XXXX-XXXX-XXXX-X234';
      expect(factsOfLastDigits(brand, '1234')).toEqual({ brand, last4: '1234', masked });
    },
  );
});

const lines = { name: 'lines', write: (number: string) => number.replace(/.{4}(?=.)/g, '$&\n') };

/** Numbers as networks begin them, of every length. */
const networkNumbers = fc
  .tuple(
    fc.constantFrom('3', '4', '5', '6', '9', '22', '23', '24', '25', '26', '27', '81'),
    fc.integer({ min: 13, max: 19 }),
  )
  .chain(([prefix, length]) =>
    digits(length - prefix.length - 1).map((rest) => withCheckDigit(`${prefix}${rest}`)),
  );

const uatp = digits(13).map((rest) => withCheckDigit(`1${rest}`));

const words = fc.constantFrom('', 'card: ', 'paid with (', 'Nguyen, ', 'été ', '🏨', 'x');

describe('a free text that holds a card number', () => {
  test.each([...writings, lines])('is known when it is written so: $name', ({ write }) => {
    fc.assert(
      fc.property(words, fc.oneof(networkNumbers, uatp), words, (before, number, after) => {
        expect(holdsCardNumber(`${before}${write(number)}${after}`)).toBe(true);
      }),
    );
  });

  test('is known among other groups of digits', () => {
    const others = fc.constantFrom(
      '',
      '12 ',
      '14-02-2027 ',
      '200.00 AUD ',
      '0 ',
      '123/',
      '999999 ',
    );
    fc.assert(
      fc.property(others, networkNumbers, others, (before, number, after) => {
        expect(holdsCardNumber(`${before}${number} ${after}`)).toBe(true);
        expect(holdsCardNumber(`${before}${number.replace(/.{4}(?=.)/g, '$& ')} ${after}`)).toBe(
          true,
        );
      }),
    );
  });

  test('is known at the very end of a long description', () => {
    expect(holdsCardNumber(`${'Deposit. '.repeat(50)}4242 4242 4242 4242`)).toBe(true);
  });

  test.each([
    ['4222222222222', 'a Visa with 13 digits'],
    ['122000000000003', 'UATP'],
    ['8171999927660000', 'RuPay'],
    ['9860123456789015', 'Humo'],
    ['6205500000000000004', 'UnionPay with 19 digits'],
    ['2223003122003222', 'Mastercard of the second range'],
  ])('is known by %s: %s', (number) => {
    expect(holdsCardNumber(number)).toBe(true);
    expect(identifierHoldsCardNumber(number)).toBe(true);
    expect(phoneHoldsCardNumber(number)).toBe(true);
  });

  test.each([
    '',
    'Deposit for two nights',
    'Stay 14-02-2027 to 17-02-2027',
    'Call +61 8 9123 4567 on arrival',
    'Card XXXX-XXXX-XXXX-X242',
    'Invoice 4242424242424241',
    'Invoice 6212345678901234',
    'Rooms 4242 and 4242, floors 4242 and 4242',
    // Within a group of other digits.
    'Folio 10004242424242424242',
    // Twelve digits.
    '630000015838',
    '670000000000',
    // Twenty.
    '42424242424242424242',
    // How no network begins.
    '2100000000000005',
    '2800000000000008',
    '8000000000000002',
    '0000000000000000',
    // Sixteen digits that begin with 1.
    '1000000000000008',
  ])('is not %j', (text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  test('is none with at most twelve digits, however they are written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), digits(12), (text, some) => {
        const wordsOnly = text.replace(/\p{N}/gu, '');
        const at = Math.floor(wordsOnly.length / 2);
        const around = `${wordsOnly.slice(0, at)}${some}${wordsOnly.slice(at)}`;
        expect(holdsCardNumber(around)).toBe(false);
        expect(holdsCardNumber(some.replace(/.{4}(?=.)/g, '$& '))).toBe(false);
      }),
    );
  });

  test('reads the digits of other scripts', () => {
    const fours = ['４', '٤', '۴', '४', '৪', '๔', '၄', '៤', '᠔', '𝟒', '𝟺', '𑄺'];
    for (const four of fours) expect(holdsCardNumber(`${four}111111111111111`)).toBe(true);
  });
});

describe('an identifier that holds a card number', () => {
  test('is known when the number stands alone between other characters', () => {
    const ends = fc.constantFrom(
      '',
      'RES-',
      '-1',
      'pay_',
      '@hotel.com',
      'cc',
      ' ',
      '-12',
      ':',
      'x',
    );
    fc.assert(
      fc.property(ends, fc.oneof(networkNumbers, uatp), ends, (before, number, after) => {
        const text = `${before.replace(/\d+$/, '')}${number}${after}`;
        expect(identifierHoldsCardNumber(text)).toBe(true);
        expect(identifierHoldsCardNumber(inScript(number, 0xff10))).toBe(true);
      }),
    );
  });

  test.each([
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '3782.822463.10005',
    ' 4242/4242/4242/4242',
  ])('is known when it is nothing but a card number as cards show it: %s', (text) => {
    expect(identifierHoldsCardNumber(text)).toBe(true);
  });

  test('is not one whose groups together look like a card number', () => {
    const uuids = fc.uuid();
    fc.assert(
      fc.property(uuids, (uuid) => {
        expect(identifierHoldsCardNumber(uuid)).toBe(false);
      }),
    );
    for (const text of [
      'RES-4242-4242-4242-4242',
      '42424242-4242-4242',
      '2026-11-22-4242424242',
      '42424242424242424242',
      '424242424242',
      'RES-1001',
      '',
    ]) {
      expect([text, identifierHoldsCardNumber(text)]).toEqual([text, false]);
    }
  });
});

describe('a phone or confirmation number that holds a card number', () => {
  test.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    'cc 4242-4242-4242-4242',
    '3782 822463 10005',
    '+4242424242424242',
    '+4242 4242 4242 4242',
    '0061 4242 4242 4242 4242',
    '+61 8 9123 4567, 4242424242424242',
    '61-4242 4242 4242 4242-1',
    '4242 +4242 4242 4242',
    '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢',
  ])('is %s', (text) => {
    expect(phoneHoldsCardNumber(text)).toBe(true);
  });

  test.each([
    '+61 8 9123 4567',
    '(+49) 170 1234567890',
    'tel. +378282246310005',
    '+4222222222222',
    '004222222222222',
    '00 4222 222222222',
    '42424 24242 424242',
    '424 242 424 242 4242',
    '424242424242',
    'PMS-778899',
    '',
  ])('is not %s', (text) => {
    expect(phoneHoldsCardNumber(text)).toBe(false);
  });

  test('is no phone of at most 15 digits with + or 00, whatever its digits are', () => {
    const phones = fc.integer({ min: 5, max: 15 }).chain(digits);
    fc.assert(
      fc.property(phones, fc.constantFrom('+', '00', '+ ', 'tel +', '(+'), (number, before) => {
        expect(phoneHoldsCardNumber(`${before}${number}`)).toBe(false);
      }),
    );
  });

  test('is every card number of more digits, with + or without', () => {
    const long = networkNumbers.filter(({ length }) => length > 15);
    fc.assert(
      fc.property(long, fc.constantFrom('', '+', 'cc '), (number, before) => {
        expect(phoneHoldsCardNumber(`${before}${number}`)).toBe(true);
      }),
    );
  });
});
