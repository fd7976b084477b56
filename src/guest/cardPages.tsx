import type { AppContext } from '../http/context.ts';
import {
  attachFor,
  type CardPlace,
  cardEntryPage,
  type Entered,
  enterCard,
  enterConfirmedCard,
} from './cardEntry.tsx';
import { again, type Here } from './here.tsx';
import { readForm } from './site.tsx';

/** The form that takes a card for the booking. */
export function cardForm(c: AppContext, here: Here): Response | Promise<Response> {
  return isCancelled(here) ? c.redirect(here.home, 303) : entryPage(c, here, null);
}

/** Takes a card for the booking. */
export async function addCard(c: AppContext, here: Here): Promise<Response> {
  if (isCancelled(here)) return c.redirect(here.home, 303);
  const form = await readForm(c);
  if (form instanceof Response) return form;
  return afterEntry(c, here, await enterCard(c, form, placeOf(c, here)));
}

/** Takes the card of a guest who comes back from their bank. */
export async function confirmedCard(c: AppContext, here: Here): Promise<Response> {
  if (isCancelled(here)) return c.redirect(here.home, 303);
  const entered = await enterConfirmedCard(c, placeOf(c, here));
  return entered === null ? c.redirect(here.home, 303) : afterEntry(c, here, entered);
}

function isCancelled({ account }: Here): boolean {
  return account.state.booking.status === 'cancelled';
}

function placeOf(c: AppContext, { account, home, ticket }: Here): CardPlace {
  return {
    property: account.state.property,
    action: `${home}/card`,
    linkId: ticket.linkId,
    enteredBy: 'guest',
    requestId: null,
    keep: (card) => attachFor(c, ticket, card),
  };
}

async function afterEntry(c: AppContext, here: Here, entered: Entered): Promise<Response> {
  switch (entered.kind) {
    case 'added':
      return c.redirect(`${here.home}?added`, 303);
    case 'repeated':
      return c.redirect(`${here.home}?${await outcomeOfFirst(c, here, entered.atMs)}`, 303);
    default:
      return entryPage(c, here, entered);
  }
}

/** Whether the card of the first sending is there by now. */
async function outcomeOfFirst(
  c: AppContext,
  here: Here,
  atMs: number,
): Promise<'added' | 'unclear'> {
  const { cards } = (await again(c, here)).account.state;
  return cards.some((card) => card.enteredBy === 'guest' && card.createdAtMs === atMs)
    ? 'added'
    : 'unclear';
}

function entryPage(
  c: AppContext,
  here: Here,
  entered: Parameters<typeof cardEntryPage>[2],
): Promise<Response> {
  return cardEntryPage(
    c,
    placeOf(c, here),
    entered,
    <p>
      <a href={here.home}>Back to your booking</a>
    </p>,
  );
}
