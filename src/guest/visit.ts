import type { z } from 'zod';
import type { Address } from '../bookings/reply.ts';
import type { AppContext } from '../http/context.ts';
import { keepSealed, readSealed, type SealedCookie } from '../pages/sealedCookie.ts';

/** The cookie of the pages below `home`: that of one visit opens as no other's. */
function cookieOf(home: string): SealedCookie {
  return {
    name: 'visit',
    path: home,
    // A guest comes by a link in an e-mail. Forms of other sites are refused by what browsers say of them.
    sameSite: 'Lax',
    purpose: 'guest-link',
    context: `guest-visit ${home}`,
  };
}

/**
 * Keeps what a link stands for in a cookie of its own pages, so that neither the address bar nor a Referer nor the
 * browser's history holds the link.
 */
export function keepVisit(c: AppContext, home: string, ticket: object): Promise<void> {
  return keepSealed(c, cookieOf(home), ticket);
}

/** What the visit of these pages stands for; null when there is none, or it was idle for too long. */
export function readVisit<T>(c: AppContext, home: string, ticket: z.ZodType<T>): Promise<T | null> {
  return readSealed(c, cookieOf(home), ticket);
}

/** A booking as its object is called on a guest's behalf. */
export function guestAddress(
  c: AppContext,
  { propertyId, reference }: Pick<Address, 'propertyId' | 'reference'>,
): Address {
  return { propertyId, reference, requestId: c.get('requestId'), actor: 'guest' };
}

/** The whole query of a link is one sealed value. */
export function sealedOf(c: AppContext): string {
  return new URL(c.req.url).search.slice(1);
}
