import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { unsealBookingLink } from '../../records/links/linkToken.ts';
import { selectProperty } from '../../records/properties/store.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { addCard, cardForm, confirmedCard } from './cardPages.tsx';
import { RETURN_PATH } from './elementCard.ts';
import { folioPage, PAYMENTS, withGuestSession } from './guestContext.tsx';
import { readerOfGuest } from './language.ts';
import type { LastAction } from './pages/folio.tsx';
import { pay, price, review } from './payPages.tsx';
import type { Folio } from './readFolio.ts';
import { giveUp, receipt } from './receiptPages.tsx';
import { askToRemove, removeCard } from './removePages.tsx';
import { linkTokenOf } from './session.ts';
import { startSession } from './site.tsx';

/** The guest's payment page (interface: Guest pages). */
export function registerBookingPages(api: Api): void {
  const home = `${PAYMENTS}/:visit`;
  api.get(PAYMENTS, (c) => openLink(c));
  api.get(home, (c) =>
    withGuestSession(c, (guest) => folioPage(c, guest, lastActionOf(c, guest.folio))),
  );
  api.get(`${home}/review`, (c) => withGuestSession(c, (guest) => review(c, guest)));
  api.get(`${home}/price`, (c) => withGuestSession(c, (guest) => price(c, guest)));
  api.post(`${home}/pay`, (c) => withGuestSession(c, (guest) => pay(c, guest)));
  // After a rejected payment, the browser's address bar shows this path.
  api.get(`${home}/pay`, (c) => withGuestSession(c, (guest) => c.redirect(guest.home, 303)));
  api.get(`${home}/receipt/:chargeId`, (c) => withGuestSession(c, (guest) => receipt(c, guest)));
  api.post(`${home}/receipt/:chargeId/cancel`, (c) =>
    withGuestSession(c, (guest) => giveUp(c, guest)),
  );
  api.get(`${home}/card`, (c) => withGuestSession(c, (guest) => cardForm(c, guest)));
  api.post(`${home}/card`, (c) => withGuestSession(c, (guest) => addCard(c, guest)));
  api.get(`${home}/card/${RETURN_PATH}`, (c) =>
    withGuestSession(c, (guest) => confirmedCard(c, guest)),
  );
  api.get(`${home}/remove`, (c) => withGuestSession(c, (guest) => askToRemove(c, guest)));
  api.post(`${home}/remove`, (c) => withGuestSession(c, (guest) => removeCard(c, guest)));
}

/** Starts a session and takes the link out of the address bar. A mail scanner that opens the link does not use it up. */
async function openLink(c: AppContext): Promise<Response> {
  const claims = await unsealBookingLink(c.get('config').keyring, linkTokenOf(c));
  if (claims) c.set('property', claims.propertyId);
  return startSession(c, claims, `${PAYMENTS}/${claims?.linkId}`, async () =>
    claims ? readProperty(c, claims.propertyId) : null,
  );
}

async function readProperty(c: AppContext, propertyId: string): Promise<PropertyRow | null> {
  const database = c.get('database');
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(database.queries, propertyId),
  ]);
  return property ?? null;
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
