import { getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Address } from '../bookings/reply.ts';
import { MINUTE_MS } from '../core/time.ts';
import { seal, unseal } from '../crypto/seal.ts';
import type { AppContext } from '../http/context.ts';

/** How long a page that nobody touches can be gone on with; each page shown begins it anew. */
const IDLE_MS = 30 * MINUTE_MS;

const COOKIE = 'visit';

/**
 * Keeps what a link stands for in a cookie of its own pages, so that neither the address bar nor a Referer nor the
 * browser's history holds the link.
 */
export async function keepVisit(c: AppContext, home: string, ticket: object): Promise<void> {
  const { keyring, local } = c.get('config');
  const visit = JSON.stringify({ ticket, untilMs: Date.now() + IDLE_MS });
  setCookie(c, COOKIE, await seal(keyring, 'guest-link', contextOf(home), visit), {
    path: home,
    httpOnly: true,
    // Lax: a guest comes by a link in an e-mail. Forms of other sites are refused by what browsers say of them.
    sameSite: 'Lax',
    secure: !local,
    maxAge: IDLE_MS / 1_000,
  });
}

/** What the visit of these pages stands for; null when there is none, or it was idle for too long. */
export async function readVisit<T>(
  c: AppContext,
  home: string,
  ticket: z.ZodType<T>,
): Promise<T | null> {
  const sealed = getCookie(c, COOKIE);
  const { keyring } = c.get('config');
  const text = sealed && (await unseal(keyring, 'guest-link', contextOf(home), sealed));
  if (!text) return null;
  const visit = z.object({ ticket, untilMs: z.int() }).safeParse(JSON.parse(text));
  return visit.success && visit.data.untilMs > Date.now() ? visit.data.ticket : null;
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

/** A cookie of one visit opens as no other's. */
function contextOf(home: string): string {
  return `guest-visit ${home}`;
}
