import { expect } from 'vitest';

/** What an acquirer may tell of a card beyond its number, as answers show it. */
export const traits = {
  funding: expect.stringMatching(/^(credit|debit|prepaid|unknown)$/) as string,
  issuerCountry: expect.toBeOneOf([null, expect.stringMatching(/^[A-Z]{2}$/)]) as string | null,
};
