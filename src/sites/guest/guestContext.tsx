import type { AppContext } from '../../http/context.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { type BookingLinkClaims, bookingLinkClaims } from '../../records/links/linkToken.ts';
import { offerOf } from './offer.ts';
import { FolioPage, type LastAction } from './pages/folio.tsx';
import type { PayForm, PayIssues } from './payForm.ts';
import { type Folio, readFolio } from './readFolio.ts';
import { keepSession, readSession } from './session.ts';
import { frameOf, guestPage, messagePage } from './site.tsx';

/** The path of the payment pages. */
export const PAYMENTS = '/guest/v1/payments';

/** A guest's session on a booking's payment page. */
export interface GuestContext {
  readonly claims: BookingLinkClaims;
  /** The path of this session's pages. */
  readonly home: string;
  readonly folio: Folio;
}

/** Shows a page if the request has a session and its link is neither expired nor revoked. */
export async function withGuestSession(
  c: AppContext,
  show: (guest: GuestContext) => Response | Promise<Response>,
): Promise<Response> {
  const home = `${PAYMENTS}/${c.req.param('visit')}`;
  const claims = await readSession(c, home, bookingLinkClaims);
  if (claims === null) return messagePage(c, 401, 'sessionEnded');
  c.set('property', claims.propertyId);
  const folio = await readFolio(c.get('database'), claims.propertyId, claims.reference);
  if (folio === null) return messagePage(c, 404, 'unknownLink');
  const revoked = folio.state.booking.linkVersion !== claims.linkVersion;
  if (claims.expiresAtMs <= propertyNow(folio.state.property) || revoked) {
    return messagePage(c, 410, 'expiredLink', folio.state.property);
  }
  await keepSession(c, home, claims);
  return show({ claims, home, folio });
}

/** Reads the booking's folio again. */
export async function reload(c: AppContext, guest: GuestContext): Promise<GuestContext> {
  const { propertyId, reference } = guest.claims;
  const folio = await readFolio(c.get('database'), propertyId, reference);
  return folio ? { ...guest, folio } : guest;
}

/** The booking's page, with what the guest's last action did; `sent` is a form to pay that they see again. */
export function folioPage(
  c: AppContext,
  { folio, home }: GuestContext,
  lastAction: LastAction,
  { status = 200, sent = null, issues = {} }: Shown = {},
): Promise<Response> {
  const { booking, property } = folio.state;
  const offer = booking.status === 'cancelled' ? null : offerOf(c, folio, sent);
  return guestPage(
    c,
    status,
    <FolioPage
      folio={folio}
      home={home}
      attempt={crypto.randomUUID()}
      issues={issues}
      lastAction={lastAction}
      nowMs={propertyNow(property)}
      offer={offer}
    />,
    {
      ...frameOf(folio),
      element: offer?.element?.page ?? null,
    },
  );
}

/** How the booking's page is shown again. */
interface Shown {
  readonly status?: number;
  readonly sent?: PayForm | null;
  readonly issues?: PayIssues;
}

/** The booking's page, with why the guest's last action failed. */
export function folioPageWithError(
  c: AppContext,
  guest: GuestContext,
  text: string,
  shown: Shown,
): Promise<Response> {
  return folioPage(c, guest, { kind: 'error', text }, shown);
}
