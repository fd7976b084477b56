import { z } from '@hono/zod-openapi';
import { ACQUIRER_ID } from '../../gateways/acquirerId.ts';
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

type RawBody = Readonly<Record<string, unknown>>;

/** A field that only one of the two kinds of cards may have, or needs, whatever else is wrong with the body. */
function checkField(
  field: string,
  isRight: (body: RawBody) => boolean,
  { code, message }: { readonly code: string; readonly message: string },
) {
  return z.superRefine<object>(
    (body, context) => {
      if (isRight(body as RawBody)) return;
      context.addIssue({ code: 'custom', path: [field], params: { code }, message });
    },
    {
      when: ({ value, issues }) =>
        value !== null &&
        typeof value === 'object' &&
        !issues.some(({ path: [at] = [] }) => at === field || at === 'gatewayToken'),
    },
  );
}

const REQUIRED = { code: 'required', message: 'This field is required.' };
const NOT_BOTH = { code: 'invalid_value', message: 'Send cardNumber or gatewayToken, not both.' };

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
      checkField(
        'cardNumber',
        (body) => isTyped(body) || body['gatewayToken'] !== undefined,
        REQUIRED,
      ),
      checkField(
        'cardExpiry',
        (body) => body['cardExpiry'] !== undefined || body['gatewayToken'] !== undefined,
        REQUIRED,
      ),
      checkField(
        'gatewayToken',
        (body) => !isTyped(body) || body['gatewayToken'] === undefined,
        NOT_BOTH,
      ),
    );
}

function isTyped(body: RawBody): boolean {
  return body['cardNumber'] !== undefined;
}

export type TokenizeBody = z.infer<ReturnType<typeof tokenizeBody>>;
