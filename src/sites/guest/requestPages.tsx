import type { CommandOf } from '../../booking/operations.ts';
import { isolated } from '../../core/format.ts';
import { selectGateway } from '../../gateways/select.ts';
import { enterProperty } from '../../http/access.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { type History, readHistory } from '../../money/folio/history.ts';
import { cardEffect } from '../../money/guest/cardEffect.ts';
import { withoutVirtualCards } from '../../money/guest/folio.ts';
import { chargedOnNewest } from '../../money/recovery/guestView.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { cardInUse } from '../../records/bookings/rules.ts';
import {
  type CardRequest,
  findRequest,
  keepRequestedCard,
} from '../../records/cardRequests/actions.ts';
import {
  type BookingLinkClaims,
  type CardLinkClaims,
  cardLinkClaims,
  unsealCardLink,
} from '../../records/links/linkToken.ts';
import { keepSealed, readSealed, rememberedIn } from '../web/sealedCookie.ts';
import { cardEntryPage } from './cardEntry.tsx';
import {
  type CardEntryContext,
  type EntryResult,
  enterCard,
  enterReturned,
  type NotAdded,
  RETURN_PATH,
} from './enterCard.ts';
import { orFromArchive } from './fromArchive.tsx';
import { PAYMENTS } from './guestContext.tsx';
import { readerOfGuest } from './language.ts';
import { keepOpening } from './opening.ts';
import type { ShownProperty } from './pages/reader.tsx';
import { ChargedOnIt, FailedOnIt, NewCardEffect } from './pages/recovery.tsx';
import { receiptsOf } from './receiptPages.tsx';
import { callAsGuest, linkTokenOf, visitOf } from './session.ts';
import { messagePage, readForm, startSession, textPage } from './site.tsx';

const HOME = '/guest/v1/card';

/** The page that takes the card of a card request (interface: Card requests). */
export function registerRequestPages(api: Api): void {
  api.get(HOME, (c) => openLink(c));
  api.get(`${HOME}/:visit`, (c) => withRequest(c, openForm));
  api.post(`${HOME}/:visit`, (c) => withRequest(c, takeCard));
  api.get(`${HOME}/:visit/${RETURN_PATH}`, (c) => withRequest(c, takeConfirmedCard));
}

/** Starts a session. Opening the link does not use it up: only a card completes the request. */
async function openLink(c: AppContext): Promise<Response> {
  const claims = await unsealCardLink(c.get('config').keyring, linkTokenOf(c));
  return startSession(c, claims, `${HOME}/${claims?.requestId}`, async (expired) => {
    const read = await findRequest(c.get('database'), expired);
    return messagePage(c, 410, 'expiredLink', read?.property);
  });
}

/** A guest's request for the page of a card request. Its card takes some of its booking's payments over. */
interface ShownRequest extends CardRequest {
  readonly c: AppContext;
  /** Null without a booking. */
  readonly history: History | null;
}

type Show = (cardRequest: ShownRequest) => Promise<Response>;

/** Shows a page if the request has a session and the card request is still open; of an archived booking as of others. */
async function withRequest(c: AppContext, show: Show): Promise<Response> {
  const home = `${HOME}/${c.req.param('visit')}`;
  const claims = await readSealed(c, visitOf(home), cardLinkClaims);
  if (claims === null) {
    const was = await rememberedIn(c, visitOf(home), cardLinkClaims);
    const known = was && (await findRequest(c.get('database'), was));
    return messagePage(c, 401, 'sessionEnded', known?.property);
  }
  const { propertyId, reference } = claims;
  const name = propertyId && reference ? { propertyId, reference } : null;
  return orFromArchive(c, name, (beforeActing) =>
    showVisit(c, { claims, home }, show, beforeActing),
  );
}

/** The page of a visit whose request the database has; null without one. */
async function showVisit(
  c: AppContext,
  { claims, home }: { readonly claims: CardLinkClaims; readonly home: string },
  show: Show,
  beforeActing: () => void,
): Promise<Response | null> {
  const cardRequest = await findRequest(c.get('database'), claims);
  if (cardRequest === null) return null;
  const { request, property } = cardRequest;
  enterProperty(c, property.id);
  if (request.status === 'Completed') return afterCard(c, cardRequest);
  if (cardRequest.isReplaced) return messagePage(c, 410, 'replacedLink', property);
  if (request.expiresAtMs <= propertyNow(property)) {
    return messagePage(c, 410, 'expiredLink', property);
  }
  if (cardRequest.booking?.status === 'cancelled') return noCardPage(c, property);
  beforeActing();
  await keepSealed(c, visitOf(home), claims);
  const history = await historyOf(c, request);
  return show({ c, ...cardRequest, history: history && withoutVirtualCards(history) });
}

async function historyOf(
  c: AppContext,
  { bookingReference: reference, propertyId }: CardRequest['request'],
): Promise<History | null> {
  return reference === null ? null : readHistory(c.get('database'), { propertyId, reference });
}

/** Shows the form to a guest who comes by the link, and keeps that they opened it. */
async function openForm(cardRequest: ShownRequest): Promise<Response> {
  const { bookingReference: reference, id: linkId, propertyId } = cardRequest.request;
  if (reference !== null) await keepOpening(cardRequest.c, { propertyId, reference, linkId });
  return showForm(cardRequest, null);
}

function showForm(cardRequest: ShownRequest, entered: NotAdded | null): Promise<Response> {
  const { booking, c, history, property } = cardRequest;
  const context = entryContext(cardRequest);
  const { day, words } = readerOfGuest(c);
  const texts = words.cardRequest;
  const name = isolated(property.name);
  return cardEntryPage(
    c,
    context,
    entered,
    booking ? (
      <>
        <p>
          {texts.forStay({
            property: name,
            arrival: day(booking.arrival),
            departure: day(booking.departure),
            reference: isolated(booking.reference),
          })}
        </p>
        {history && context.effect && <NewCardEffect history={history} effect={context.effect} />}
      </>
    ) : (
      <>
        <p>{texts.withoutStay({ property: name })}</p>
        <p>{texts.caution({ property: name })}</p>
      </>
    ),
  );
}

function entryContext(cardRequest: ShownRequest): CardEntryContext {
  const { c, request, property, booking, history } = cardRequest;
  // Another address than the booking's may be an agency's. The guest must not pay with the agency's card.
  const fromAnotherAddress =
    booking !== null && booking.email.toLowerCase() !== request.email.toLowerCase();
  const effect = history && cardEffect(selectGateway(c.get('config'), c.env), history);
  return {
    property,
    action: `${HOME}/${request.id}`,
    linkId: request.id,
    bookingReference: request.bookingReference,
    enteredBy: fromAnotherAddress ? 'api' : 'guest',
    requestId: request.id,
    agreement: 'saved',
    effect,
    showsCharges: (effect?.moved.length ?? 0) > 0,
    keep: (card, agreement, agreed) => saveCard(cardRequest, { card, agreement, agreed }),
  };
}

async function takeCard(cardRequest: ShownRequest): Promise<Response> {
  const { c } = cardRequest;
  const sent = await readForm(c);
  if (sent instanceof Response) return sent;
  return afterEntry(cardRequest, await enterCard(c, sent, entryContext(cardRequest)));
}

/** Takes the card of a guest who returns from their bank. */
async function takeConfirmedCard(cardRequest: ShownRequest): Promise<Response> {
  const entered = await enterReturned(cardRequest.c, entryContext(cardRequest));
  return entered === null ? showForm(cardRequest, null) : afterEntry(cardRequest, entered);
}

/** Reloads the page if the request has or may have its card: the page then shows the request's own status. */
function afterEntry(cardRequest: ShownRequest, entered: EntryResult): Response | Promise<Response> {
  if (
    entered.kind === 'added' ||
    entered.kind === 'repeated' ||
    (entered.kind === 'failed' && entered.failure.code === 'invalid_state')
  ) {
    return cardRequest.c.redirect(`${HOME}/${cardRequest.request.id}`, 303);
  }
  return showForm(cardRequest, entered);
}

/** Saves the card, on the booking if there is one, in the same batch that completes the request. */
async function saveCard(
  { c, request, property }: ShownRequest,
  kept: Omit<CommandOf<'attachCard'>, 'returnBase'>,
) {
  const { propertyId, bookingReference: reference } = request;
  if (reference === null) return keepRequestedCard(c.get('database'), kept.card, kept.agreed);
  const returnBase = `${publicBaseUrl(c)}${receiptsOf({ home: paymentsOf(request) })}`;
  const command = { ...kept, returnBase };
  return callAsGuest(c, { propertyId, reference }, property, 'attachCard', command);
}

/** The path of the session in which a guest confirms at their bank what their new card is charged at once. */
function paymentsOf({ id }: CardRequest['request']): string {
  return `${PAYMENTS}/${id}`;
}

/** Thanks for the card, and says what was charged to it at once. Leads there if that has no outcome yet. */
async function afterCard(c: AppContext, { request, property }: CardRequest): Promise<Response> {
  const history = await historyOf(c, request);
  const card = history && cardInUse(history.state);
  const isItsCard = card?.requestId === request.id && card.enteredBy === 'guest';
  if (history === null || !isItsCard) return thanksPage(c, property, null);
  const open = chargedOnNewest(history).find(
    ({ initiator, status }) => initiator === 'guest' && status === 'Processing',
  );
  if (open === undefined) return thanksPage(c, property, history);
  const home = paymentsOf(request);
  const { linkVersion, propertyId } = history.state.booking;
  await keepSealed(c, visitOf(home), {
    propertyId,
    reference: history.state.booking.reference,
    linkVersion,
    expiresAtMs: request.expiresAtMs,
    linkId: request.id,
  } satisfies BookingLinkClaims);
  return c.redirect(`${receiptsOf({ home })}/${open.id}`, 303);
}

/** A cancelled booking takes no card from its guest. */
function noCardPage(c: AppContext, property: ShownProperty): Promise<Response> {
  const { cancelled, cancelledHeading: heading } = readerOfGuest(c).words.cardRequest;
  const text = cancelled({ property: isolated(property.name) });
  return textPage(c, 410, { heading, text }, property);
}

/** `history` is that of the card's booking; null if nothing of it is shown. */
function thanksPage(
  c: AppContext,
  property: ShownProperty,
  history: History | null,
): Promise<Response> {
  const { thanks, thanksHeading: heading } = readerOfGuest(c).words.cardRequest;
  const text = thanks({ property: isolated(property.name) });
  const further = history && (
    <>
      <ChargedOnIt history={history} />
      <FailedOnIt history={history} />
    </>
  );
  return textPage(c, 200, { heading, text }, property, further);
}
