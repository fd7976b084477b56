import type { Failure } from '../../core/failure.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { folioPageWithError, type GuestContext } from './guestContext.tsx';
import { readerOfGuest } from './language.ts';
import { RemoveCardPage } from './pages/cards.tsx';
import { callAsGuest } from './session.ts';
import { failurePage, frameOf, guestPage, readForm } from './site.tsx';

/** Asks the guest whether to remove a card. */
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

/** Removes a card that the guest entered. */
export async function removeCard(c: AppContext, guest: GuestContext): Promise<Response> {
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const { property } = guest.folio.state;
  const token = form['card'] ?? '';
  const answer = await callAsGuest(c, guest.claims, property, 'removeCard', { token });
  if (answer.ok) return c.redirect(`${guest.home}?removed`, 303);
  return notRemoved(c, guest, answer.error);
}

function notRemoved(c: AppContext, guest: GuestContext, failure: Failure): Promise<Response> {
  const { cards } = readerOfGuest(c).words;
  const status = statusOf(failure.code);
  switch (failure.code) {
    case 'invalid_state':
      return folioPageWithError(c, guest, cards.inUse, { status });
    case 'token_not_found':
      return folioPageWithError(c, guest, cards.gone, { status });
    default:
      return failurePage(c, failure);
  }
}

function ownCard({ folio }: GuestContext, token: string | undefined): CardRow | undefined {
  return folio.state.cards.find((card) => card.token === token && card.enteredBy === 'guest');
}
