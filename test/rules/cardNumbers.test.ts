import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  capitalisedBrand,
  cardFacts,
  factsOfLastDigits,
  holdsCardNumber,
} from '../../src/core/cardNumbers.ts';

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

describe('a text that holds a card number', () => {
  const words = fc.constantFrom('', 'card: ', 'paid with (', 'Nguyen, ', 'été ', '🏨');
  const separators = fc.array(fc.constantFrom('', '', ' ', '-', '  ', ' - ', '\n', '\u00a0', '–'), {
    minLength: 18,
    maxLength: 18,
  });

  test('is known among words, however the number is spaced or dashed', () => {
    fc.assert(
      fc.property(words, validNumbers, separators, words, (before, number, between, after) => {
        const spaced = Array.from(number)
          .map((digit, at) => `${digit}${between[at] ?? ''}`)
          .join('');
        expect(holdsCardNumber(`${before}${spaced}${after}`)).toBe(true);
      }),
    );
  });

  test('is known when the number is glued to other digits', () => {
    const others = fc.nat(30).chain(digits);
    fc.assert(
      fc.property(others, validNumbers, others, (before, number, after) => {
        expect(holdsCardNumber(`${before}${number}${after}`)).toBe(true);
      }),
    );
  });

  test('is known at the very end of a long description', () => {
    expect(holdsCardNumber(`${'Deposit. '.repeat(50)}4242 4242 4242 4242`)).toBe(true);
  });

  test.each(['6216505606754945616', '6289265235839963662'])(
    'is known by %s, a number of the greatest length with no shorter one inside it',
    (number) => {
      expect(holdsCardNumber(`card ${number}`)).toBe(true);
    },
  );

  test.each(['670000000000', 'No. 630000015838!', '990000000000000670000000000'])(
    'is known by a number of the least length, also at the very end of other digits: %s',
    (text) => {
      expect(holdsCardNumber(text)).toBe(true);
    },
  );

  test('is none with fewer digits than the shortest card number has', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), digits(11), (text, some) => {
        const wordsOnly = text.replace(/\d/g, '');
        const at = Math.floor(wordsOnly.length / 2);
        expect(holdsCardNumber(`${wordsOnly.slice(0, at)}${some}${wordsOnly.slice(at)}`)).toBe(
          false,
        );
      }),
    );
  });

  test.each([
    '',
    'Deposit for two nights',
    'Stay 14-02-2027 to 17-02-2027',
    'Call +61 8 9123 4567 on arrival',
    'Card XXXX-XXXX-XXXX-X242',
    'Invoice 4242424242424241',
    'Invoice 6212345678901234',
    'Folio 9999999999999995',
    'Rooms 4242 and 4242, floors 4242 and 4242',
  ])('is not %j', (text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });
});
