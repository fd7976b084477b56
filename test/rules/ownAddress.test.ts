import { describe, expect, test } from 'vitest';
import { ownAddress } from '../../src/sites/guest/ownAddress.ts';

/** A number of American Express for tests, and what the id of a charge may be. */
const NUMBER = 378282246310005;
const VISIT = '0b9d4f6a-7c1e-4d55-9a3f-2f6c1f6f2a10';
const HOME = `https://hotel.com/guest/v1/payments/${VISIT}`;

describe('the address that a page repeats', () => {
  test.each([
    [`${HOME}/receipt/${NUMBER}`, `/guest/v1/payments/${VISIT}/receipt/${NUMBER}`],
    [`${HOME}?declined=${NUMBER}`, `/guest/v1/payments/${VISIT}?declined=${NUMBER}`],
  ])('has the id of a charge that the page shows, whatever its digits: %s', (url, path) => {
    expect(ownAddress(url, [1, NUMBER])).toBe(path);
  });

  test.each([
    [`${HOME}/receipt/${NUMBER}`, '/'],
    [`${HOME}/receipt/3782-822463-10005`, '/'],
    [`${HOME}?declined=${NUMBER}&added`, `/guest/v1/payments/${VISIT}?added=`],
  ])('has no other number that may be a card’s: %s', (url, path) => {
    expect(ownAddress(url, [1])).toBe(path);
  });
});
