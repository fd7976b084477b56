import { DAY_MS } from '../core/time.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { seal } from '../crypto/seal.ts';
import type { BookingRow } from '../db/schema.ts';

/** How long a link to the guest's payment page works, unless it is asked for otherwise. */
export const LINK_LIFE_MS = 30 * DAY_MS;

const CONTEXT = 'guest-link';

/**
 * The address of a booking's payment page (decisions: section 7). Its query is one sealed value, so it shows
 * nothing, cannot be made by anybody else, and names the link version that revokes it.
 */
export async function guestLink(
  keyring: Keyring,
  baseUrl: string,
  booking: Pick<BookingRow, 'propertyId' | 'reference' | 'linkVersion'>,
  expiresAtMs: number,
): Promise<string> {
  const { propertyId, reference, linkVersion } = booking;
  const ticket = JSON.stringify([propertyId, reference, linkVersion, expiresAtMs]);
  const sealed = await seal(keyring, 'guest-link', CONTEXT, ticket);
  return `${baseUrl}/guest/v1/payments?${sealed}`;
}
