import { enterProperty } from '../../http/access.ts';
import type { AppContext } from '../../http/context.ts';
import { readFolio } from '../../money/guest/folio.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { type BookingLinkClaims, bookingLinkClaims } from '../../records/links/linkToken.ts';
import { findProperty } from '../../records/properties/store.ts';
import { keepSealed, readSealed, rememberedIn } from '../web/sealedCookie.ts';
import { orFromArchive } from './fromArchive.tsx';
import { endedPage } from './newLink.tsx';
import { FolioPage, type LastAction } from './pages/folio.tsx';
import type { PayIssues } from './payForm.ts';
import { offerOf, type Selected } from './quote.ts';
import { type GuestContext, visitOf } from './session.ts';
import { frameOf, guestPage, messagePage } from './site.tsx';

export const PAYMENTS = '/guest/v1/payments';

export type Show = (guest: GuestContext) => Response | Promise<Response>;

/**
 * Shows a page if the request has a session and its link is neither expired nor revoked. An archived booking is shown as if
 * it stood in the database; what a guest does brings it back first.
 */
export async function withGuestSession(c: AppContext, show: Show): Promise<Response> {
  const home = `${PAYMENTS}/${c.req.param('visit')}`;
  const claims = await readSealed(c, visitOf(home), bookingLinkClaims);
  if (claims === null) return timedOutPage(c, home);
  enterProperty(c, claims.propertyId);
  return orFromArchive(c, claims, (beforeActing) =>
    showVisit(c, { claims, home }, show, beforeActing),
  );
}

/** The page of a visit whose booking the database has; null without one. */
async function showVisit(
  c: AppContext,
  { claims, home }: { readonly claims: BookingLinkClaims; readonly home: string },
  show: Show,
  beforeActing: () => void,
): Promise<Response | null> {
  const folio = await readFolio(c.get('database'), claims);
  if (folio === null) return null;
  const { booking, property } = folio.state;
  const nowMs = propertyNow(property);
  if (booking.linkVersion !== claims.linkVersion) {
    return messagePage(c, 410, 'expiredLink', property);
  }
  if (claims.expiresAtMs <= nowMs) return endedPage(c, 'expiredLink', claims, property);
  beforeActing();
  await keepSealed(c, visitOf(home), claims);
  return show({ c, claims, home, folio, nowMs });
}

/** The page of a session that timed out: it knows the property, and mails a new link, where the browser remembers which. */
async function timedOutPage(c: AppContext, home: string): Promise<Response> {
  const claims = await rememberedIn(c, visitOf(home), bookingLinkClaims);
  if (claims === null) return messagePage(c, 401, 'sessionEnded');
  const property = await findProperty(c.get('database'), claims.propertyId);
  return endedPage(c, 'sessionEnded', claims, property);
}

/** Reads the booking's folio again. */
export async function reload(guest: GuestContext): Promise<GuestContext> {
  const folio = await readFolio(guest.c.get('database'), guest.claims);
  return folio ? { ...guest, folio, nowMs: propertyNow(folio.state.property) } : guest;
}

/** How the booking's page is shown again: with a form to pay that the guest has sent, and what is wrong with that. */
interface Shown {
  readonly status?: number;
  readonly sent?: Selected | null;
  readonly issues?: PayIssues;
}

/** The booking's page, with what the guest's last action did; a text says why it failed. */
export function folioPage(
  guest: GuestContext,
  last: LastAction | string,
  { status = 200, sent = null, issues = {} }: Shown = {},
): Promise<Response> {
  const { c, folio } = guest;
  const offer = folio.state.booking.status === 'cancelled' ? null : offerOf(c, folio, sent);
  const lastAction = typeof last === 'string' ? ({ kind: 'error', text: last } as const) : last;
  return guestPage(c, status, <FolioPage issues={issues} lastAction={lastAction} offer={offer} />, {
    ...frameOf(guest),
    element: offer?.element?.page ?? null,
  });
}
