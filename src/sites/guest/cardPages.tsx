import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import { chargesAtOnce } from '../../money/recovery/guestView.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { attachGuestCard, cardEntryPage, enterCard, enterConfirmedCard } from './cardEntry.tsx';
import type { CardEntryContext, EntryResult } from './entryResult.ts';
import { folioPageWithError, type GuestContext, reload } from './guestContext.tsx';
import { readerOfGuest } from './language.ts';
import { RemoveCardPage } from './pages/cards.tsx';
import { NewCardEffect } from './pages/recovery.tsx';
import { receiptsOf } from './receiptPages.tsx';
import { callAsGuest } from './session.ts';
import { failurePage, frameOf, guestPage, readForm } from './site.tsx';

/** The form that takes a card for the booking. */
export function cardForm(c: AppContext, guest: GuestContext): Response | Promise<Response> {
  return isCancelled(guest) ? c.redirect(guest.home, 303) : entryPage(c, guest, null);
}

/** Takes a card for the booking. */
export async function addCard(c: AppContext, guest: GuestContext): Promise<Response> {
  if (isCancelled(guest)) return c.redirect(guest.home, 303);
  const form = await readForm(c);
  if (form instanceof Response) return form;
  return afterEntry(c, guest, await enterCard(c, form, bookingEntryContext(c, guest)));
}

/** Takes the card of a guest who returns from their bank. */
export async function confirmedCard(c: AppContext, guest: GuestContext): Promise<Response> {
  if (isCancelled(guest)) return c.redirect(guest.home, 303);
  const entered = await enterConfirmedCard(c, bookingEntryContext(c, guest));
  return entered === null ? c.redirect(guest.home, 303) : afterEntry(c, guest, entered);
}

function isCancelled({ folio }: GuestContext): boolean {
  return folio.state.booking.status === 'cancelled';
}

/** What a card that is entered for the booking belongs to. */
export function bookingEntryContext(
  c: AppContext,
  { folio, home, claims }: GuestContext,
): CardEntryContext {
  return {
    property: folio.state.property,
    action: `${home}/card`,
    linkId: claims.linkId,
    bookingReference: claims.reference,
    enteredBy: 'guest',
    requestId: null,
    agreement: 'saved',
    chargesAtOnce: chargesAtOnce(folio, propertyNow(folio.state.property)),
    keep: (card, agreement) => {
      const returnBase = `${publicBaseUrl(c)}${receiptsOf({ home })}`;
      return attachGuestCard(c, claims, folio.state.property, card, agreement, returnBase);
    },
  };
}

async function afterEntry(
  c: AppContext,
  guest: GuestContext,
  entered: EntryResult,
): Promise<Response> {
  switch (entered.kind) {
    case 'added':
      return c.redirect(`${guest.home}?added`, 303);
    case 'repeated':
      return c.redirect(`${guest.home}?${await resultOfFirst(c, guest, entered.atMs)}`, 303);
    default:
      return entryPage(c, guest, entered);
  }
}

/** Whether the first submission of a repeated form has saved its card. */
async function resultOfFirst(
  c: AppContext,
  guest: GuestContext,
  atMs: number,
): Promise<'added' | 'unclear'> {
  const { cards } = (await reload(c, guest)).folio.state;
  return cards.some((card) => card.enteredBy === 'guest' && card.createdAtMs === atMs)
    ? 'added'
    : 'unclear';
}

function entryPage(
  c: AppContext,
  guest: GuestContext,
  entered: Parameters<typeof cardEntryPage>[2],
): Promise<Response> {
  const { words } = readerOfGuest(c);
  return cardEntryPage(
    c,
    bookingEntryContext(c, guest),
    entered,
    <>
      <NewCardEffect history={guest.folio} nowMs={propertyNow(guest.folio.state.property)} />
      <p>
        <a href={guest.home}>{words.booking.back}</a>
      </p>
    </>,
  );
}

export function askToRemove(c: AppContext, guest: GuestContext): Response | Promise<Response> {
  const card = ownCard(guest, c.req.query('card'));
  if (!card) return c.redirect(guest.home, 303);
  const { state } = guest.folio;
  return guestPage(
    c,
    200,
    <RemoveCardPage card={card} home={guest.home} property={state.property} />,
    frameOf(guest.folio),
  );
}

export async function removeCard(c: AppContext, guest: GuestContext): Promise<Response> {
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const { property } = guest.folio.state;
  const token = form['card'] ?? '';
  const answer = await callAsGuest(c, guest.claims, property, 'removeCard', { token });
  if (answer.ok) return c.redirect(`${guest.home}?removed`, 303);
  const { cards } = readerOfGuest(c).words;
  const { code } = answer.error;
  if (code !== 'invalid_state' && code !== 'token_not_found') return failurePage(c, answer.error);
  const text = code === 'invalid_state' ? cards.inUse : cards.gone;
  return folioPageWithError(c, guest, text, { status: statusOf(code) });
}

function ownCard({ folio }: GuestContext, token: string | undefined): CardRow | undefined {
  return folio.state.cards.find((card) => card.token === token && card.enteredBy === 'guest');
}
