import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { ACQUIRER_ID } from '../../gateways/acquirerId.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import { gatewayCard, reference } from '../../http/fields.ts';
import { typedFields } from '../../http/typedCard.ts';

/** The fields of a typed card: all optional, because a card of the acquirer's needs none of them. */
function optionalTypedFields(now: () => number) {
  const { cardNumber, cardExpiry, ...others } = typedFields(now);
  return {
    cardNumber: cardNumber
      .optional()
      .describe('required without `gatewayToken`; spaces and dashes are ignored'),
    cardExpiry: cardExpiry
      .optional()
      .describe('`MM/YYYY`, required with `cardNumber`; at most 50 years ahead'),
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
 * clock shows.
 */
export function tokenizeBody(now: () => number) {
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
    })
    .check(
      neededUnlessKept('cardNumber'),
      neededUnlessKept('cardExpiry'),
      bodyCheck(
        ({ cardNumber, gatewayToken }) =>
          cardNumber === undefined || gatewayToken === undefined ? [] : [NOT_BOTH],
        ['gatewayToken'],
      ),
    );
}

export type TokenizeBody = z.infer<ReturnType<typeof tokenizeBody>>;
