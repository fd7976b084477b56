import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { andThen, ok, type Result } from '../../core/result.ts';
import { HOUR_MS, offsetTimestamp } from '../../core/time.ts';
import { selectGateway } from '../../gateways/select.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import type { AppContext, CallerProperty } from '../../http/context.ts';
import { email, instant, reference, wholeNumber } from '../../http/fields.ts';
import { propertyList } from '../../http/listOperation.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { notifyMailer } from '../../mails/stub.ts';
import { listProblems, problemSchema } from '../../money/recovery/problems.ts';
import { listVirtualCards } from '../../money/virtualCards/list.ts';
import { listedCardSchema, listedCardView } from '../../money/virtualCards/views.ts';
import type { CallerKey } from '../../operation/idempotency.ts';
import { shownPage } from '../../platform/db/page.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { shownTime } from '../../platform/views.ts';
import { requestCard } from '../../records/cardRequests/actions.ts';
import { takeOverCard, vaultCard } from '../../records/cards/actions.ts';
import { VIRTUAL_STATES } from '../../records/cards/rules/virtual.ts';
import { insertCard } from '../../records/cards/store.ts';
import { cardSchema, cardView } from '../../records/cards/views.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { type TokenizeBody, tokenizeBody } from './schemas.ts';

/** The operations on cards, requests for them, and those that fail (interface: Cards). */
export function registerCards(api: Api): void {
  registerTokenize(api);
  registerCardRequests(api);
  registerCardHealth(api);
  registerVirtualCards(api);
}

function registerTokenize(api: Api): void {
  propertyOperation(api, {
    path: '/payment/v1/tokenize',
    summary: 'Tokenize card details, and attach the card to a booking',
    scope: 'cards',
    body: ({ exponent, times }) => tokenizeBody(times.now, exponent),
    answer: { card: cardSchema },
    idempotent: 'tokenize',
    problems: [
      'booking_not_found',
      'card_declined',
      'card_expired',
      'card_of_former_account',
      'gateway_error',
    ],
    handle: async ({ c, body, callerKey, perform, property }) => {
      const { reference } = body;
      // Before the card goes to the vault: a mistyped reference leaves no card there.
      const found =
        reference === undefined
          ? ok(null)
          : (await perform(reference, 'requireBooking', null)).answer;
      if (!found.ok) return found;
      const vaulted = await cardOf(c, property, body);
      if (!vaulted.ok) return vaulted;
      const card = withTerms(vaulted.value, body);
      if (reference === undefined) {
        await c.get('database').batch('d1.card.save', [insertCard(card)]);
        return ok({ card: cardView(card, property) });
      }
      const command = { card, caller: callerKey && withoutNumber(callerKey, body) };
      const attached = await perform(reference, 'attachCard', command);
      return {
        ...attached,
        answer: andThen(attached.answer, (kept) => ok({ card: cardView(kept, property) })),
      };
    },
  });
}

/** A card with the terms that make it a virtual one. A booking's is told of once it is active. */
function withTerms(card: CardRow, { reference, virtualCard: virtual }: TokenizeBody): CardRow {
  if (virtual === undefined) return card;
  return { ...card, virtual, dueAtMs: reference === undefined ? null : virtual.activeFromMs };
}

/** A caller's key whose request says which card it was, but not its number and its code. */
function withoutNumber(
  { request: { cvv: _code, ...request }, ...key }: CallerKey,
  { cardNumber }: TokenizeBody,
): CallerKey {
  return { ...key, request: { ...request, cardNumber: cardNumber?.facts } };
}

function cardOf(
  c: AppContext,
  property: CallerProperty,
  {
    reference,
    gatewayToken,
    cardNumber,
    cardExpiry,
    cardHolderName,
    cvv,
    virtualCard,
  }: TokenizeBody,
): Promise<Result<CardRow>> {
  const work = {
    gateway: selectGateway(c.get('config'), c.env),
    isPresent: false,
    trace: c.get('trace'),
    about: { requestId: c.get('requestId'), property: property.id, booking: reference },
  };
  const kept = {
    propertyId: property.id,
    enteredBy: 'api',
    enteredToPay: false,
    requestId: null,
    createdAtMs: propertyNow(property),
  } as const;
  const account = property.gatewayAccount;
  if (gatewayToken !== undefined) return takeOverCard(work, gatewayToken, account, kept);
  if (!cardNumber || !cardExpiry) throw new Error('a body without a card was accepted');
  const { number, facts } = cardNumber;
  const entry = {
    number,
    expiryMonth: cardExpiry.month,
    expiryYear: cardExpiry.year,
    holderName: cardHolderName ?? null,
    cvv: cvv ?? null,
    activeFromMs: virtualCard?.activeFromMs,
  };
  return vaultCard(work, entry, facts, account, kept);
}

/** The life of a link that asks for a card, in hours. */
const DEFAULT_HOURS = 72;
const MOST_HOURS = 720;

/** The body of request-card-details (interface: Card requests). */
const requestBody = z
  .object({
    reference: reference
      .optional()
      .describe('required without `email`: the booking that gets the card'),
    email: email
      .optional()
      .describe("required without `reference`: in place of the booking's address"),
    expiresInHours: wholeNumber(1, MOST_HOURS)
      .optional()
      .openapi({ example: DEFAULT_HOURS })
      .describe('how long the link works; 72 when left out'),
  })
  .check(
    bodyCheck(({ reference, email }) =>
      reference === undefined && email === undefined
        ? ['email', 'reference'].map((field) =>
            fieldIssue(field, 'required', 'Send a reference or an e-mail address.'),
          )
        : [],
    ),
  )
  .transform(({ reference = null, email = null, expiresInHours = DEFAULT_HOURS }) => ({
    reference,
    email,
    lifeMs: expiresInHours * HOUR_MS,
  }));

/** The operation that asks a guest for a card by e-mail (interface: Card requests). */
function registerCardRequests(api: Api): void {
  propertyOperation(api, {
    path: '/payment/v1/request-card-details',
    summary: 'E-mail a guest a link to a page that takes a card',
    scope: 'cards',
    body: requestBody,
    answer: {
      message: z.string().describe('says what was done, for people'),
      requestId: z.string().describe('the id of the card request'),
      expiresAt: shownTime.describe('until when the link works'),
    },
    problems: ['booking_not_found', 'gateway_error', 'invalid_state', 'not_configured'],
    handle: async ({ c, body, property }) => {
      const work = { env: c.env, config: c.get('config'), database: c.get('database') };
      const requested = await requestCard(work, property.id, body, propertyNow(property));
      if (requested.ok) c.executionCtx.waitUntil(notifyMailer(c.env, property.id));
      return andThen(requested, ({ id, expiresAtMs }) =>
        ok({
          message: 'The guest was asked for a card.',
          requestId: id,
          expiresAt: offsetTimestamp(expiresAtMs, property.timeZone),
        }),
      );
    },
  });
}

/** The operation that lists the charges whose card fails (interface: Card health). */
function registerCardHealth(api: Api): void {
  propertyList(api, {
    path: '/card/v1/health',
    summary: 'List the charges whose card fails, or will have expired',
    scope: 'cards:read',
    list: 'cardProblems',
    filter: {
      reference: reference.optional().describe("only this booking's"),
      from: instant.optional().describe('by the time of the charge'),
      to: instant.optional().describe('by the time of the charge, exclusive'),
    },
    inOrder: ['from', 'to'],
    member: 'problems',
    entries: z.array(problemSchema),
    problems: ['booking_not_found'],
    read: ({ c, body, property }, part) => {
      const { reference: ofBooking, from: fromMs, to: toMs } = body;
      const query = { reference: ofBooking, fromMs, toMs, nowMs: propertyNow(property) };
      return listProblems(c.get('database'), property.id, query, part);
    },
  });
}

/** The operation that lists a property's virtual cards (interface: List virtual cards). */
function registerVirtualCards(api: Api): void {
  propertyList(api, {
    path: '/card/v1/virtual/list',
    summary: 'List virtual cards, with what may be charged on them',
    scope: 'cards:read',
    list: 'virtualCards',
    filter: {
      state: z.enum(VIRTUAL_STATES).optional().describe('only those in this state'),
      from: instant.optional().describe('by the time from which they are active'),
      to: instant.optional().describe('by the time from which they are active, exclusive'),
    },
    inOrder: ['from', 'to'],
    member: 'cards',
    entries: z.array(listedCardSchema),
    read: async ({ c, body, property }, part) => {
      const nowMs = propertyNow(property);
      const { state, from: fromMs, to: toMs } = body;
      const filter = { state, fromMs, toMs, nowMs };
      const page = await listVirtualCards(c.get('database'), property.id, filter, part);
      return shownPage(page, (card) => listedCardView(card, property, nowMs));
    },
  });
}
