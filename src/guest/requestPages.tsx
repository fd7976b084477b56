import { z } from 'zod';
import { callBooking } from '../bookings/stub.ts';
import { type CardRequest, keepRequestedCard, readRequest } from '../cardRequests/actions.ts';
import type { CardRow } from '../db/schema.ts';
import type { AppContext } from '../http/context.ts';
import type { Api } from '../http/operation.ts';
import { sealedOf } from './bookingPages.tsx';
import { enterCard, refusalWords } from './enterCard.tsx';
import { day } from './format.ts';
import { type CardFaults, CardPage } from './pages/card.tsx';
import { MessagePage } from './pages/layout.tsx';
import { expiredLink, messagePage, page, readForm, unknownLink, visitOver } from './site.tsx';
import { type CardTicket, openCardTicket } from './tickets.ts';
import { keepVisit, readVisit } from './visit.ts';

const HOME = '/guest/v1/card';

const ticketShape = z.object({
  requestId: z.string(),
  expiresAtMs: z.int(),
}) satisfies z.ZodType<CardTicket>;

/** The page that takes the card that a guest was asked for (decisions: section 6). */
export function registerRequestPages(api: Api): void {
  api.get(HOME, (c) => open(c));
  api.get(`${HOME}/:visit`, (c) => visit(c, (asked) => form(c, asked, {}, null, 200)));
  api.post(`${HOME}/:visit`, (c) => visit(c, (asked) => take(c, asked)));
}

/** Looking at the link uses nothing up: only a card does. */
async function open(c: AppContext): Promise<Response> {
  const ticket = await openCardTicket(c.get('config').keyring, sealedOf(c));
  if (ticket === null) return unknownLink(c);
  if (ticket.expiresAtMs <= Date.now()) return expiredLink(c);
  const home = `${HOME}/${ticket.requestId}`;
  await keepVisit(c, home, ticket);
  return c.redirect(home, 303);
}

async function visit(
  c: AppContext,
  show: (asked: CardRequest) => Response | Promise<Response>,
): Promise<Response> {
  const home = `${HOME}/${c.req.param('visit')}`;
  const ticket = await readVisit(c, home, ticketShape);
  if (ticket === null) return visitOver(c);
  const work = mailWork(c);
  const asked = await readRequest(work, ticket.requestId);
  if (asked === null) return unknownLink(c);
  const { request, property } = asked;
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

function mailWork(c: AppContext) {
  return {
    env: c.env,
    config: c.get('config'),
    database: c.get('database'),
    crossings: c.get('crossings'),
  };
}

function form(
  c: AppContext,
  { request, property, booking }: CardRequest,
  faults: CardFaults,
  refusal: string | null,
  status: number,
): Response | Promise<Response> {
  return page(
    c,
    status,
    <CardPage
      propertyName={property.name}
      action={`${HOME}/${request.id}`}
      attempt={crypto.randomUUID()}
      faults={faults}
      refusal={refusal}
    >
      {booking ? (
        <p>
          For your stay from {day(booking.arrival)} to {day(booking.departure)}, booking{' '}
          <bdi>{booking.reference}</bdi>.
        </p>
      ) : (
        <p>
          <bdi>{property.name}</bdi> has asked you for a card.
        </p>
      )}
    </CardPage>,
  );
}

async function take(c: AppContext, asked: CardRequest): Promise<Response> {
  const { request, property } = asked;
  const sent = await readForm(c);
  if (sent instanceof Response) return sent;
  const entered = await enterCard(c, sent, {
    propertyId: property.id,
    linkId: request.id,
    requestId: request.id,
    keep: (card) => keep(c, asked, card),
  });
  if (entered.kind === 'added') return c.redirect(`${HOME}/${request.id}`, 303);
  const faults = entered.kind === 'faulty' ? entered.faults : {};
  const status = entered.kind === 'too-many' ? 429 : 422;
  return form(c, asked, faults, refusalWords(entered), status);
}

/** The card lands on the booking, if there is one, in the batch that completes the request. */
async function keep(c: AppContext, { request }: CardRequest, card: CardRow) {
  const { propertyId, bookingReference: reference } = request;
  if (reference === null) return keepRequestedCard(mailWork(c), card);
  const address = { propertyId, reference, requestId: c.get('requestId'), actor: 'guest' };
  const attached = await callBooking(c.env, c.get('crossings'), address, (it) =>
    it.attachCard(address, card),
  );
  return attached.answer;
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
