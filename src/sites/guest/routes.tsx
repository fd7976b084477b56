import { matchLanguage } from '../../core/words/matching.ts';
import { enterProperty } from '../../http/access.ts';
import { serveAsset } from '../../http/assets.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { unsealBookingLink } from '../../records/links/linkToken.ts';
import { findProperty } from '../../records/properties/store.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { keepLanguage } from '../web/language.ts';
import { askToCancel, cancelStay } from './cancelPages.tsx';
import { addCard, askToRemove, cardForm, confirmedCard, removeCard } from './cardPages.tsx';
import { RETURN_PATH } from './enterCard.ts';
import { folioPage, PAYMENTS, type Show, withGuestSession } from './guestContext.tsx';
import { readerOfGuest, withReader } from './language.ts';
import { endedPage, NEW_LINK_PATH, sendNewLink } from './newLink.tsx';
import { keepOpening } from './opening.ts';
import type { LastAction } from './pages/folio.tsx';
import { LANGUAGE_PATH } from './pages/layout.tsx';
import { PaymentsPage } from './pages/payments.tsx';
import { pay, price, review } from './payPages.tsx';
import { askToPlan, choosePlan } from './planPages.tsx';
import { selectedAgain } from './quote.ts';
import { giveUp, receipt } from './receiptPages.tsx';
import { registerRequestPages } from './requestPages.tsx';
import { themeOf } from './rules/theme.ts';
import { type GuestContext, linkTokenOf } from './session.ts';
import { frameOf, GUEST_PATH, guestPage, guestSite, readForm, startSession } from './site.tsx';

const DAY_SECONDS = 24 * 60 * 60;

/** The style sheet of a property's colour. It depends on nothing else, so everybody may keep it. */
function theme(c: AppContext): Response | Promise<Response> {
  const style = themeOf(c.req.param('colour') ?? '');
  if (style === null) return c.notFound();
  return c.body(style, 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': `public, max-age=${DAY_SECONDS}`,
  });
}

/** Keeps the language that a guest chose for their pages. */
async function chooseLanguage(c: AppContext): Promise<Response> {
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const language = matchLanguage([form['language'] ?? '']);
  if (language !== null) keepLanguage(c, language, '/guest/');
  return c.redirect(guestPathOf(form['back'] ?? ''), 303);
}

/** The address of a guest's page; the first one where it is none of ours. */
function guestPathOf(back: string): string {
  const base = 'https://guest.invalid';
  const url = URL.canParse(back, base) ? new URL(back, base) : null;
  const isOwn = url?.origin === base && url.pathname.startsWith(GUEST_PATH);
  return isOwn ? `${url.pathname}${url.search}` : GUEST_PATH;
}

/** Registers the guest's pages: the payment page, the page that takes a requested card, and their assets. */
export function registerGuestPages(api: Api): void {
  api.use(`${GUEST_PATH}*`, withReader, guestSite);
  registerBookingPages(api);
  registerRequestPages(api);
  api.post(LANGUAGE_PATH, (c) => chooseLanguage(c));
  api.post(NEW_LINK_PATH, (c) => sendNewLink(c));
  api.get('/guest/theme/:colour', theme);
  api.get('/guest/:file', serveAsset);
}

/** The guest's payment page (interface: Guest pages). */
function registerBookingPages(api: Api): void {
  const home = `${PAYMENTS}/:visit`;
  const on = (method: 'get' | 'post', path: string, show: Show) =>
    api[method](`${home}${path}`, (c) => withGuestSession(c, show));
  api.get(PAYMENTS, (c) => openLink(c));
  on('get', '', booking);
  on('get', '/all', (guest) => guestPage(guest.c, 200, <PaymentsPage />, frameOf(guest)));
  on('get', '/review', review);
  on('get', '/price', price);
  on('post', '/pay', pay);
  // After a rejected payment, the browser's address bar shows this path.
  on('get', '/pay', (guest) => guest.c.redirect(guest.home, 303));
  on('get', '/receipt/:chargeId', receipt);
  on('post', '/receipt/:chargeId/cancel', giveUp);
  on('get', '/card', cardForm);
  on('post', '/card', addCard);
  on('get', `/card/${RETURN_PATH}`, confirmedCard);
  on('get', '/cancel', askToCancel);
  on('post', '/cancel', cancelStay);
  on('get', '/plan', askToPlan);
  on('post', '/plan', choosePlan);
  on('get', '/remove', askToRemove);
  on('post', '/remove', removeCard);
}

/** Starts a session and takes the link out of the address bar. A mail scanner that opens the link does not use it up. */
async function openLink(c: AppContext): Promise<Response> {
  const claims = await unsealBookingLink(c.get('config').keyring, linkTokenOf(c));
  if (claims) {
    enterProperty(c, claims.propertyId);
    await keepOpening(c, claims);
  }
  return startSession(c, claims, `${PAYMENTS}/${claims?.linkId}`, async (found) =>
    endedPage(c, 'expiredLink', found, await findProperty(c.get('database'), found.propertyId)),
  );
}

/** The booking's page. After a payment that was not made, its form shows what the guest chose. */
function booking(guest: GuestContext): Promise<Response> {
  const { c } = guest;
  const { declined, cancelled, failed } = c.req.query();
  const id = Number(declined ?? cancelled ?? failed);
  const row = guest.folio.transactions.find(
    (one) => one.id === id && (one.status === 'Declined' || one.status === 'Failed'),
  );
  const sent = row ? selectedAgain(guest.folio, row, readerOfGuest(c)) : null;
  return folioPage(guest, lastActionOf(c, row), { sent });
}

/** What the guest's last action did, as the redirect's query says; `row` is the payment that it names as not made. */
function lastActionOf(c: AppContext, row: TransactionRow | undefined): LastAction | string {
  const { added, planned, removed, unclear, failed, declined } = c.req.query();
  if (added !== undefined) return { kind: 'card-added' };
  if (planned !== undefined) return { kind: 'plan-chosen' };
  if (removed !== undefined) return { kind: 'card-removed' };
  // The guest sent a card form twice, and the first one has not saved a card, or not yet.
  if (unclear !== undefined) return readerOfGuest(c).words.results.cardUnclear;
  if (failed !== undefined) return { kind: 'not-charged' };
  if (row?.status !== 'Declined') return { kind: 'none' };
  return declined === undefined
    ? { kind: 'payment-cancelled' }
    : { kind: 'declined', declineCode: row.declineCode };
}
