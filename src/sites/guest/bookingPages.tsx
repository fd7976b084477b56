import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { unsealBookingLink } from '../../records/links/linkToken.ts';
import { findProperty } from '../../records/properties/store.ts';
import { addCard, askToRemove, cardForm, confirmedCard, removeCard } from './cardPages.tsx';
import { RETURN_PATH } from './elementCard.ts';
import { folioPage, type GuestContext, PAYMENTS, withGuestSession } from './guestContext.tsx';
import { readerOfGuest } from './language.ts';
import type { LastAction } from './pages/folio.tsx';
import { pay, price, review } from './payPages.tsx';
import type { Folio } from './readFolio.ts';
import { giveUp, receipt } from './receiptPages.tsx';
import { linkTokenOf } from './session.ts';
import { startSession } from './site.tsx';

/** The guest's payment page (interface: Guest pages). */
export function registerBookingPages(api: Api): void {
  const home = `${PAYMENTS}/:visit`;
  const on = (method: 'get' | 'post', path: string, show: Show) =>
    api[method](`${home}${path}`, (c) => withGuestSession(c, (guest) => show(c, guest)));
  api.get(PAYMENTS, (c) => openLink(c));
  on('get', '', (c, guest) => folioPage(c, guest, lastActionOf(c, guest.folio)));
  on('get', '/review', review);
  on('get', '/price', price);
  on('post', '/pay', pay);
  // After a rejected payment, the browser's address bar shows this path.
  on('get', '/pay', (c, guest) => c.redirect(guest.home, 303));
  on('get', '/receipt/:chargeId', receipt);
  on('post', '/receipt/:chargeId/cancel', giveUp);
  on('get', '/card', cardForm);
  on('post', '/card', addCard);
  on('get', `/card/${RETURN_PATH}`, confirmedCard);
  on('get', '/remove', askToRemove);
  on('post', '/remove', removeCard);
}

type Show = (c: AppContext, guest: GuestContext) => Response | Promise<Response>;

/** Starts a session and takes the link out of the address bar. A mail scanner that opens the link does not use it up. */
async function openLink(c: AppContext): Promise<Response> {
  const claims = await unsealBookingLink(c.get('config').keyring, linkTokenOf(c));
  if (claims) c.set('property', claims.propertyId);
  return startSession(c, claims, `${PAYMENTS}/${claims?.linkId}`, async () =>
    claims ? findProperty(c.get('database'), claims.propertyId) : null,
  );
}

/** What the guest's last action did, as the redirect's query says. */
function lastActionOf(c: AppContext, { transactions }: Folio): LastAction {
  const { added, removed, unclear, failed, declined, cancelled } = c.req.query();
  if (added !== undefined) return { kind: 'card-added' };
  if (removed !== undefined) return { kind: 'card-removed' };
  // The guest sent a card form twice, and the first one has not saved a card, or not yet.
  if (unclear !== undefined) {
    return { kind: 'error', text: readerOfGuest(c).words.results.cardUnclear };
  }
  if (failed !== undefined) return { kind: 'not-charged' };
  const row = transactions.find(
    ({ id, status }) => id === Number(declined ?? cancelled) && status === 'Declined',
  );
  if (!row) return { kind: 'none' };
  return declined === undefined
    ? { kind: 'payment-cancelled' }
    : { kind: 'declined', declineCode: row.declineCode };
}
