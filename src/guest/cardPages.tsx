import type { AppContext } from '../http/context.ts';
import { attachFor, type Entered, enterCard, refusalWords, statusOfEntry } from './enterCard.tsx';
import { again, type Here } from './here.tsx';
import { CardPage } from './pages/card.tsx';
import { page, readForm } from './site.tsx';

/** The form that takes a card for the booking. */
export function cardForm(c: AppContext, here: Here): Response | Promise<Response> {
  return here.account.state.booking.status === 'cancelled'
    ? c.redirect(here.home, 303)
    : formPage(c, here, null);
}

/** Takes a card for the booking. */
export async function addCard(c: AppContext, here: Here): Promise<Response> {
  const { account, home, ticket } = here;
  if (account.state.booking.status === 'cancelled') return c.redirect(home, 303);
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const entered = await enterCard(c, form, {
    property: account.state.property,
    linkId: ticket.linkId,
    enteredBy: 'guest',
    requestId: null,
    keep: (card) => attachFor(c, ticket, card),
  });
  switch (entered.kind) {
    case 'added':
      return c.redirect(`${home}?added`, 303);
    case 'repeated':
      return c.redirect(`${home}?${await outcomeOfFirst(c, here, entered.atMs)}`, 303);
    default:
      return formPage(c, here, entered);
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

function formPage(
  c: AppContext,
  { account, home }: Here,
  entered: Entered | null,
): Promise<Response> {
  return page(
    c,
    entered === null ? 200 : statusOfEntry(entered),
    <CardPage
      propertyName={account.state.property.name}
      action={`${home}/card`}
      attempt={crypto.randomUUID()}
      faults={entered?.kind === 'faulty' ? entered.faults : {}}
      refusal={entered && refusalWords(entered)}
    >
      <p>
        <a href={home}>Back to your booking</a>
      </p>
    </CardPage>,
  );
}
