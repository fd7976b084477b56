import type { AppContext } from '../http/context.ts';
import type { Api } from '../http/operation.ts';
import type { Account } from './account.ts';
import { addCard, cardForm, confirmedCard } from './cardPages.tsx';
import { RETURN } from './elementCard.ts';
import { accountPage, PAYMENTS, visiting } from './here.tsx';
import type { Happened } from './pages/account.tsx';
import { pay, receipt, review } from './payPages.tsx';
import { beginVisit } from './site.tsx';
import { openBookingTicket } from './tickets.ts';
import { sealedOf } from './visit.ts';

/** The guest's payment page (decisions: section 7). */
export function registerBookingPages(api: Api): void {
  const home = `${PAYMENTS}/:visit`;
  api.get(PAYMENTS, (c) => open(c));
  api.get(home, (c) => visiting(c, (here) => accountPage(c, here, happenedOf(c, here.account))));
  api.get(`${home}/review`, (c) => visiting(c, (here) => review(c, here)));
  api.post(`${home}/pay`, (c) => visiting(c, (here) => pay(c, here)));
  // Whoever asks for the address of a refused payment again.
  api.get(`${home}/pay`, (c) => visiting(c, (here) => c.redirect(here.home, 303)));
  api.get(`${home}/receipt/:chargeId`, (c) => visiting(c, (here) => receipt(c, here)));
  api.get(`${home}/card`, (c) => visiting(c, (here) => cardForm(c, here)));
  api.post(`${home}/card`, (c) => visiting(c, (here) => addCard(c, here)));
  api.get(`${home}/card/${RETURN}`, (c) => visiting(c, (here) => confirmedCard(c, here)));
}

/** Takes the link out of the address bar. Whoever only looks at a link, such as a mail scanner, uses nothing up. */
async function open(c: AppContext): Promise<Response> {
  const ticket = await openBookingTicket(c.get('config').keyring, sealedOf(c));
  if (ticket) c.set('property', ticket.propertyId);
  return beginVisit(c, ticket, `${PAYMENTS}/${ticket?.linkId}`);
}

/** The same form was sent twice, and the first sending has not, or not yet, come to a card. */
const UNCLEAR_CARD =
  'Your card may still be on its way. If it is not listed below in a moment, please add it again.';

/** What the page before has done, as its redirect says. */
function happenedOf(c: AppContext, { transactions }: Account): Happened {
  const { added, unclear, failed, declined } = c.req.query();
  if (added !== undefined) return { kind: 'card-added' };
  if (unclear !== undefined) return { kind: 'refused', words: UNCLEAR_CARD };
  if (failed !== undefined) return { kind: 'not-made' };
  const row = transactions.find(
    ({ id, status }) => id === Number(declined) && status === 'Declined',
  );
  return row ? { kind: 'declined', declineCode: row.declineCode } : { kind: 'nothing' };
}
