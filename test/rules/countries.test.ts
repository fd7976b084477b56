import { describe, expect, it } from 'vitest';
import { isCountry } from '../../src/core/countries.ts';

describe('the countries', () => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const known = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => isCountry(code));

  it('are the 249 of the standard, each with a name', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    expect(known).toHaveLength(249);
    expect(known.filter((code) => names.of(code) === undefined)).toEqual([]);
  });

  it.each(['EU', 'XK', 'UK', 'au', 'AUS', '', ' '])('do not include "%s"', (code) => {
    expect(isCountry(code)).toBe(false);
  });
});
