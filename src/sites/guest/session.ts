import type { AnswerOf, CommandOf, OperationName } from '../../booking/operations.ts';
import { callBooking } from '../../booking/stub.ts';
import { clockOf, type PropertyClock } from '../../core/propertyClock.ts';
import type { Result } from '../../core/result.ts';
import { DAY_MS } from '../../core/time.ts';
import type { AppContext } from '../../http/context.ts';
import type { FolioNow } from '../../money/guest/folio.ts';
import type { CallContext } from '../../operation/reply.ts';
import { LIVES } from '../../records/keyring/lives.ts';
import type { BookingLinkClaims } from '../../records/links/linkToken.ts';
import type { SealedCookie } from '../web/sealedCookie.ts';

/** A guest's request in their session on a booking's payment page. */
export interface GuestContext extends FolioNow {
  readonly c: AppContext;
  readonly claims: BookingLinkClaims;
  /** The path of this session's pages. */
  readonly home: string;
}

/**
 * The session cookie of the pages below `home`: it keeps a link's claims, so that the link stays out of the address bar,
 * the Referer and the browser's history. Its seal is bound to `home`, so it works for no other session.
 */
export function visitOf(home: string): SealedCookie {
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

/** Has a guest's booking do an operation on the guest's behalf. */
export async function callAsGuest<N extends OperationName>(
  c: AppContext,
  { propertyId, reference }: Pick<CallContext, 'propertyId' | 'reference'>,
  property: PropertyClock,
  name: N,
  command: CommandOf<N>,
): Promise<Result<AnswerOf<N>>> {
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
