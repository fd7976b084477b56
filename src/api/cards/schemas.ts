import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { ACQUIRER_ID } from '../../gateways/acquirerId.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import { amount, flag, gatewayCard, instant, name, reference } from '../../http/fields.ts';
import { boundsInOrder } from '../../http/listFields.ts';
import { typedFields } from '../../http/typedCard.ts';
import type { VirtualTerms } from '../../schema/cardTables.ts';

/** The fields of a typed card: all optional, because a card of the acquirer's needs none of them. */
function optionalTypedFields(now: () => number) {
  const { cardNumber, cardExpiry, ...others } = typedFields(now);
  return {
    cardNumber: cardNumber
      .optional()
      .describe('required without `gatewayToken`; spaces and dashes are ignored'),
    cardExpiry: cardExpiry.optional().describe('`MM/YYYY`, required with `cardNumber`; up to 2099'),
    ...others,
  };
}

const NOT_BOTH = fieldIssue(
  'gatewayToken',
  'invalid_value',
  'Send cardNumber or gatewayToken, not both.',
);

/** What a typed card needs, and only a typed card. */
function neededUnlessKept(field: 'cardNumber' | 'cardExpiry') {
  return bodyCheck(
    ({ gatewayToken, ...body }) =>
      body[field] === undefined && gatewayToken === undefined
        ? [fieldIssue(field, 'required', 'This field is required.')]
        : [],
    [field, 'gatewayToken'],
  );
}

/**
 * The body of tokenize: a card as a person types it, or one that the acquirer keeps already. `now` is what the property's
 * clock shows, `exponent` the number of decimals of its currency.
 */
export function tokenizeBody(now: () => number, exponent: number) {
  return z
    .object({
      reference: reference
        .optional()
        .describe('attaches the card to this booking, which uses it from then on'),
      gatewayToken: gatewayCard
        .regex(ACQUIRER_ID, 'Use letters, digits and underscores.')
        .optional()
        .describe("the gateway's own id of a card that it keeps, in place of `cardNumber`"),
      ...optionalTypedFields(now),
      virtualCard: virtualCard(exponent)
        .optional()
        .describe('what a virtual card may be charged: see Virtual cards'),
    })
    .check(
      neededUnlessKept('cardNumber'),
      neededUnlessKept('cardExpiry'),
      bodyCheck(
        ({ cardNumber, gatewayToken }) =>
          cardNumber === undefined || gatewayToken === undefined ? [] : [NOT_BOTH],
        ['gatewayToken'],
      ),
      bodyCheck(
        ({ reference, virtualCard }) =>
          reference === undefined && (virtualCard as VirtualTerms | undefined)?.autoCharge
            ? [NO_BOOKING]
            : [],
        ['reference', 'virtualCard'],
      ),
    );
}

const NO_BOOKING = fieldIssue(
  'reference',
  'required',
  'Send the booking whose amount is charged by itself.',
);

/** What a virtual card may be charged (interface: Virtual cards). The limit is in the property's currency. */
function virtualCard(exponent: number) {
  return z
    .object({
      activeFrom: instant.describe('from when it is charged, ISO 8601 with offset'),
      activeUntil: instant
        .optional()
        .openapi({ example: '2027-03-10T23:59:00+08:00' })
        .describe('until when it is charged; no end when left out'),
      limit: amount(exponent).optional().describe('the most that it takes'),
      channel: name(100)
        .optional()
        .openapi({ example: 'Booking agency' })
        .describe('who gave it, such as an agency'),
      autoCharge: flag(
        'charge what is due by itself once the card is active; `false` when left out',
      ),
    })
    .check(boundsInOrder('activeFrom', 'activeUntil'))
    .transform(({ activeFrom, activeUntil, limit, channel, autoCharge }): VirtualTerms => {
      return {
        activeFromMs: activeFrom,
        activeUntilMs: activeUntil ?? null,
        limitMinor: limit ?? null,
        channel: channel ?? null,
        autoCharge: autoCharge ?? false,
      };
    })
    .openapi('VirtualCardTerms');
}

export type TokenizeBody = z.infer<ReturnType<typeof tokenizeBody>>;
