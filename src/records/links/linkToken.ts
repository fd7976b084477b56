import { z } from 'zod';
import { DAY_MS } from '../../core/time.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';

/** How long a link to the guest's payment page works by default. */
export const LINK_LIFE_MS = 30 * DAY_MS;

/** The claims in a link to a booking's payment page. */
export const bookingLinkClaims = z.object({
  propertyId: z.string(),
  reference: z.string(),
  /** The booking's link version when the link was created: raising the version revokes the link. */
  linkVersion: z.int(),
  expiresAtMs: z.int(),
  /** A random id of the link, which reveals nothing about the booking. */
  linkId: z.string(),
});

export type BookingLinkClaims = Readonly<z.infer<typeof bookingLinkClaims>>;

/** The claims in a link of a card request: its id, which also identifies the link. */
export const cardLinkClaims = z.object({
  requestId: z.string(),
  expiresAtMs: z.int(),
  /** Missing in the links of an earlier version: their requests are looked for in every database. */
  propertyId: z.string().optional(),
  /** The request's booking, which may be archived; null for none. */
  reference: z.string().nullable().optional(),
});

export type CardLinkClaims = Readonly<z.infer<typeof cardLinkClaims>>;

const bookingClaims = z.tuple([z.string(), z.string(), z.int(), z.int(), z.string()]);
const cardClaims = z.tuple([
  z.string(),
  z.int(),
  z.string().optional(),
  z.string().nullable().optional(),
]);

/** Seal contexts: a token sealed for one kind of link cannot be unsealed as the other. */
const BOOKING = 'guest-link';
const CARD = 'card-link';

/**
 * Makes the URL of a booking's payment page (interface: Links). Its query is one sealed token, so that it reveals
 * nothing and only this service can create it.
 */
export async function bookingLink(
  keyring: Keyring,
  baseUrl: string,
  booking: Pick<BookingRow, 'propertyId' | 'reference' | 'linkVersion'>,
  expiresAtMs: number,
): Promise<string> {
  const { propertyId, reference, linkVersion } = booking;
  const linkId = crypto.randomUUID();
  const claims = JSON.stringify([propertyId, reference, linkVersion, expiresAtMs, linkId]);
  return `${baseUrl}/guest/v1/payments?${await seal(keyring, 'guest-link', BOOKING, claims)}`;
}

/** Reads the claims from a payment page's link token; null if this service did not create it. */
export async function unsealBookingLink(
  keyring: Keyring,
  token: string,
): Promise<BookingLinkClaims | null> {
  const claims = bookingClaims.safeParse(await unsealJson(keyring, BOOKING, token));
  if (!claims.success) return null;
  const [propertyId, reference, linkVersion, expiresAtMs, linkId] = claims.data;
  return { propertyId, reference, linkVersion, expiresAtMs, linkId };
}

/** Makes the URL of the page that takes a requested card (interface: Links). */
export async function cardLink(
  keyring: Keyring,
  baseUrl: string,
  { requestId, expiresAtMs, propertyId, reference }: Required<CardLinkClaims>,
): Promise<string> {
  const claims = JSON.stringify([requestId, expiresAtMs, propertyId, reference]);
  return `${baseUrl}/guest/v1/card?${await seal(keyring, 'guest-link', CARD, claims)}`;
}

/** Reads the claims from a card page's link token; null if this service did not create it. */
export async function unsealCardLink(
  keyring: Keyring,
  token: string,
): Promise<CardLinkClaims | null> {
  const claims = cardClaims.safeParse(await unsealJson(keyring, CARD, token));
  if (!claims.success) return null;
  const [requestId, expiresAtMs, propertyId, reference = null] = claims.data;
  return { requestId, expiresAtMs, ...(propertyId !== undefined && { propertyId, reference }) };
}

async function unsealJson(keyring: Keyring, context: string, token: string): Promise<unknown> {
  const text = await unseal(keyring, 'guest-link', context, token);
  return text === null ? null : JSON.parse(text);
}
