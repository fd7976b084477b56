import type { z } from 'zod';
import type { AnswerOf, CommandOf, OperationName } from '../../booking/operations.ts';
import { callBooking } from '../../booking/stub.ts';
import type { Failure } from '../../core/failure.ts';
import { clockOf, type PropertyClock } from '../../core/propertyClock.ts';
import type { Result } from '../../core/result.ts';
import { DAY_MS } from '../../core/time.ts';
import type { AppContext } from '../../http/context.ts';
import type { FolioNow } from '../../money/guest/folio.ts';
import type { CallContext } from '../../operation/reply.ts';
import { LIVES } from '../../records/keyring/lives.ts';
import type { BookingLinkClaims } from '../../records/links/linkToken.ts';
import { keepSealed, readSealed, rememberedIn, type SealedCookie } from '../web/sealedCookie.ts';

/** A guest's session on a booking's payment page. */
export interface GuestContext extends FolioNow {
  readonly claims: BookingLinkClaims;
  /** The path of this session's pages. */
  readonly home: string;
}

/** The session cookie of the pages below `home`. Its seal is bound to `home`, so it works for no other session. */
function cookieOf(home: string): SealedCookie {
  return {
    name: 'visit',
    path: home,
    // Guests arrive by a link in an e-mail. The guard rejects forms of other sites by the headers that browsers send.
    sameSite: 'Lax',
    purpose: 'guest-link',
    context: `guest-visit ${home}`,
    lifeMs: LIVES.session,
    rememberedMs: DAY_MS,
  };
}

/**
 * Keeps a link's claims in a cookie of its own pages, so that the link stays out of the address bar, the Referer and
 * the browser's history.
 */
export function keepSession(c: AppContext, home: string, claims: object): Promise<void> {
  return keepSealed(c, cookieOf(home), claims);
}

/** Reads the claims of the session below `home`; null without a session, or if it was idle for too long. */
export function readSession<T>(
  c: AppContext,
  home: string,
  claims: z.ZodType<T>,
): Promise<T | null> {
  return readSealed(c, cookieOf(home), claims);
}

/** Reads the claims of a session that timed out within a day: they open nothing any more. */
export function rememberedSession<T>(
  c: AppContext,
  home: string,
  claims: z.ZodType<T>,
): Promise<T | null> {
  return rememberedIn(c, cookieOf(home), claims);
}

/** Has a guest's booking do an operation on the guest's behalf. */
export async function callAsGuest<N extends OperationName>(
  c: AppContext,
  { propertyId, reference }: Pick<CallContext, 'propertyId' | 'reference'>,
  property: PropertyClock,
  name: N,
  command: CommandOf<N>,
): Promise<Result<AnswerOf<N>, Failure>> {
  const clock = clockOf(property);
  const context = { propertyId, reference, requestId: c.get('requestId'), actor: 'guest', clock };
  const { answer } = await callBooking(
    { env: c.env, trace: c.get('trace') },
    context,
    name,
    command,
  );
  return answer;
}

/** The sealed token of a link: the whole query of its URL. */
export function linkTokenOf(c: AppContext): string {
  return new URL(c.req.url).search.slice(1);
}
