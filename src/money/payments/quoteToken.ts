import { z } from 'zod';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';

const minor = z.int().nonnegative();

/** What a quote's id holds: what was quoted, and all that it rests on. Amounts in minor units. */
const sealedQuoteSchema = z.object({
  /** 32 hex digits. */
  id: z.string(),
  bookingReference: z.string(),
  kind: z.enum(['charge', 'authorization', 'schedule']),
  purpose: z.enum(['Deposit', 'Balance', 'Bond', 'Manual']),
  requestedMinor: minor,
  virtualCard: z.boolean(),
  /** The token that the request named; null for the booking's card. */
  named: z.string().nullable(),
  /** The card; `token` is null if the request described a card instead. Null if there was no card. */
  card: z
    .object({
      token: z.string().nullable(),
      brand: z.string(),
      funding: z.string(),
      issuerCountry: z.string().nullable(),
    })
    .nullable(),
  cardFeeMinor: minor,
  transactionFeeMinor: minor,
  bookingStatus: z.enum(['booked', 'cancelled']),
  totalCostMinor: minor,
  /** What the property guarded against. */
  guards: z.string(),
  paidMinor: minor,
  uncertainMinor: minor,
  /** Until when it can be charged, by the property's clock. */
  untilMs: z.int(),
});

export type SealedQuote = z.infer<typeof sealedQuoteSchema>;

/** Seals a quote for its property: the id that the caller gets, stored nowhere. */
export function sealQuote(
  keyring: Keyring,
  propertyId: string,
  quote: SealedQuote,
): Promise<string> {
  return seal(keyring, 'quote', propertyId, JSON.stringify(quote));
}

/** Opens a quote's id; null if it is none, or another property's. */
export async function openQuote(
  keyring: Keyring,
  propertyId: string,
  quoteId: string,
): Promise<SealedQuote | null> {
  const text = await unseal(keyring, 'quote', propertyId, quoteId);
  return text === null ? null : (sealedQuoteSchema.safeParse(JSON.parse(text)).data ?? null);
}
