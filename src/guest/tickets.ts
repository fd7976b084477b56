import { z } from 'zod';
import { DAY_MS } from '../core/time.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { seal, unseal } from '../crypto/seal.ts';
import type { BookingRow } from '../db/bookingTables.ts';

/** How long a link to the guest's payment page works, unless it is asked for otherwise. */
export const LINK_LIFE_MS = 30 * DAY_MS;

/** What a link to a booking's payment page stands for. */
export interface BookingTicket {
  readonly propertyId: string;
  readonly reference: string;
  /** The booking's link version when it was given out: raising that revokes it. */
  readonly linkVersion: number;
  readonly expiresAtMs: number;
  /** Tells links apart, without saying anything of the booking. */
  readonly linkId: string;
}

/** What a link that asks for a card stands for. */
export interface CardTicket {
  /** Of the request; also tells links apart. */
  readonly requestId: string;
  readonly expiresAtMs: number;
}

const bookingTicket = z.tuple([z.string(), z.string(), z.int(), z.int(), z.string()]);
const cardTicket = z.tuple([z.string(), z.int()]);

/** What is sealed for one of these opens as no other. */
const BOOKING = 'guest-link';
const CARD = 'card-link';

/**
 * The address of a booking's payment page (decisions: section 7). Its query is one sealed value, so it shows
 * nothing, cannot be made by anybody else, and names the link version that revokes it.
 */
export async function bookingLink(
  keyring: Keyring,
  baseUrl: string,
  booking: Pick<BookingRow, 'propertyId' | 'reference' | 'linkVersion'>,
  expiresAtMs: number,
): Promise<string> {
  const { propertyId, reference, linkVersion } = booking;
  const linkId = crypto.randomUUID();
  const ticket = JSON.stringify([propertyId, reference, linkVersion, expiresAtMs, linkId]);
  return `${baseUrl}/guest/v1/payments?${await seal(keyring, 'guest-link', BOOKING, ticket)}`;
}

/** Opens the query of a payment page's address; null when this service did not make it. */
export async function openBookingTicket(
  keyring: Keyring,
  sealed: string,
): Promise<BookingTicket | null> {
  const ticket = bookingTicket.safeParse(await open(keyring, BOOKING, sealed));
  if (!ticket.success) return null;
  const [propertyId, reference, linkVersion, expiresAtMs, linkId] = ticket.data;
  return { propertyId, reference, linkVersion, expiresAtMs, linkId };
}

/** The address of the page that takes a card (decisions: section 6). */
export async function cardLink(
  keyring: Keyring,
  baseUrl: string,
  { requestId, expiresAtMs }: CardTicket,
): Promise<string> {
  const ticket = JSON.stringify([requestId, expiresAtMs]);
  return `${baseUrl}/guest/v1/card?${await seal(keyring, 'guest-link', CARD, ticket)}`;
}

/** Opens the query of a card page's address; null when this service did not make it. */
export async function openCardTicket(keyring: Keyring, sealed: string): Promise<CardTicket | null> {
  const ticket = cardTicket.safeParse(await open(keyring, CARD, sealed));
  if (!ticket.success) return null;
  const [requestId, expiresAtMs] = ticket.data;
  return { requestId, expiresAtMs };
}

async function open(keyring: Keyring, context: string, sealed: string): Promise<unknown> {
  const text = await unseal(keyring, 'guest-link', context, sealed);
  return text === null ? null : JSON.parse(text);
}
