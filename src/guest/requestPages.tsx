import { z } from 'zod';
import { type CardRequest, keepRequestedCard, readRequest } from '../cardRequests/actions.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { AppContext } from '../http/context.ts';
import type { Api } from '../http/operation.ts';
import { day } from '../pages/format.ts';
import { page } from '../pages/page.ts';
import {
  attachFor,
  type CardPlace,
  cardEntryPage,
  type Entered,
  enterCard,
  enterConfirmedCard,
  type NotAdded,
} from './cardEntry.tsx';
import { RETURN } from './elementCard.ts';
import { MessagePage } from './pages/layout.tsx';
import { beginVisit, expiredLink, messagePage, readForm, unknownLink, visitOver } from './site.tsx';
import { type CardTicket, openCardTicket } from './tickets.ts';
import { keepVisit, readVisit, sealedOf } from './visit.ts';

const HOME = '/guest/v1/card';

const ticketShape = z.object({
  requestId: z.string(),
  expiresAtMs: z.int(),
}) satisfies z.ZodType<CardTicket>;

/** The page that takes the card that a guest was asked for (decisions: section 6). */
export function registerRequestPages(api: Api): void {
  api.get(HOME, (c) => open(c));
  api.get(`${HOME}/:visit`, (c) => visit(c, (asked) => form(c, asked, null)));
  api.post(`${HOME}/:visit`, (c) => visit(c, (asked) => take(c, asked)));
  api.get(`${HOME}/:visit/${RETURN}`, (c) => visit(c, (asked) => confirmed(c, asked)));
}

/** Looking at the link uses nothing up: only a card does. */
async function open(c: AppContext): Promise<Response> {
  const ticket = await openCardTicket(c.get('config').keyring, sealedOf(c));
  return beginVisit(c, ticket, `${HOME}/${ticket?.requestId}`);
}

async function visit(
  c: AppContext,
  show: (asked: CardRequest) => Response | Promise<Response>,
): Promise<Response> {
  const home = `${HOME}/${c.req.param('visit')}`;
  const ticket = await readVisit(c, home, ticketShape);
  if (ticket === null) return visitOver(c);
  const asked = await readRequest(c.get('database'), ticket.requestId);
  if (asked === null) return unknownLink(c);
  const { request, property } = asked;
  c.set('property', property.id);
  if (request.status === 'Completed') return thanks(c, property.name);
  if (request.status === 'Superseded') {
    return messagePage(
      c,
      410,
      'There is a newer message',
      'The property has asked you again since: please use the link in the newest message.',
    );
  }
  if (request.expiresAtMs <= Date.now()) return expiredLink(c);
  await keepVisit(c, home, ticket);
  return show(asked);
}

function form(c: AppContext, asked: CardRequest, entered: NotAdded | null): Promise<Response> {
  const { booking, property } = asked;
  return cardEntryPage(
    c,
    placeOf(c, asked),
    entered,
    booking ? (
      <p>
        For your stay from {day(booking.arrival)} to {day(booking.departure)}, booking{' '}
        <bdi>{booking.reference}</bdi>.
      </p>
    ) : (
      <p>
        <bdi>{property.name}</bdi> has asked you for a card.
      </p>
    ),
  );
}

function placeOf(c: AppContext, asked: CardRequest): CardPlace {
  const { request, property, booking } = asked;
  // Whoever has another address than the booking's guest may be an agency: its card is not the guest's to pay with.
  const foreign = booking !== null && booking.email.toLowerCase() !== request.email.toLowerCase();
  return {
    property,
    action: `${HOME}/${request.id}`,
    linkId: request.id,
    enteredBy: foreign ? 'api' : 'guest',
    requestId: request.id,
    keep: (card) => keep(c, asked, card),
  };
}

async function take(c: AppContext, asked: CardRequest): Promise<Response> {
  const sent = await readForm(c);
  if (sent instanceof Response) return sent;
  return afterEntry(c, asked, await enterCard(c, sent, placeOf(c, asked)));
}

/** Takes the card of a guest who comes back from their bank. */
async function confirmed(c: AppContext, asked: CardRequest): Promise<Response> {
  const entered = await enterConfirmedCard(c, placeOf(c, asked));
  return entered === null ? form(c, asked, null) : afterEntry(c, asked, entered);
}

/** The page itself says what has become of a request that has, or may have, its card. */
function afterEntry(
  c: AppContext,
  asked: CardRequest,
  entered: Entered,
): Response | Promise<Response> {
  if (
    entered.kind === 'added' ||
    entered.kind === 'repeated' ||
    (entered.kind === 'refused' && entered.failure.code === 'invalid_state')
  ) {
    return c.redirect(`${HOME}/${asked.request.id}`, 303);
  }
  return form(c, asked, entered);
}

/** The card lands on the booking, if there is one, in the batch that completes the request. */
async function keep(c: AppContext, { request }: CardRequest, card: CardRow) {
  const { propertyId, bookingReference: reference } = request;
  if (reference === null) return keepRequestedCard(c.get('database'), card);
  return attachFor(c, { propertyId, reference }, card);
}

function thanks(c: AppContext, propertyName: string): Response | Promise<Response> {
  return page(
    c,
    200,
    <MessagePage heading="Thank you" propertyName={propertyName}>
      <p>
        Your card was passed on to <bdi>{propertyName}</bdi>. You can close this page.
      </p>
    </MessagePage>,
  );
}
