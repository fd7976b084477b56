import { z } from '@hono/zod-openapi';
import { cardFacts } from '../core/cardNumbers.ts';
import { monthHasEnded } from '../core/time.ts';
import { name, readText } from './fields.ts';

/**
 * The fields of a card as a person types it, for the body of tokenize and the guest's form (interface: Tokenize a card).
 * `now` is what the property's clock shows. No message repeats a value.
 */
export function typedFields(now: () => number) {
  return {
    cardNumber: readText(
      numberOf,
      'invalid_card_number',
      'This is not a valid card number. Check its digits.',
      z.string().max(40),
    )
      .openapi({ type: 'string', maxLength: 40, example: '4242424242424242' })
      .describe('digits; spaces and dashes are ignored'),
    cardHolderName: name(100)
      .optional()
      .openapi({ example: 'A Nguyen' })
      .describe('as it stands on the card'),
    cardExpiry: z
      .string()
      .regex(/^(0[1-9]|1[0-2])\/20\d{2}$/, 'Use MM/YYYY.')
      .transform((expiry) => ({
        month: Number(expiry.slice(0, 2)),
        year: Number(expiry.slice(3)),
      }))
      // A card is valid until its month has ended in the last time zone on earth.
      .refine(({ month, year }) => !monthHasEnded(year, month, 'Etc/GMT+12', now()), {
        params: { code: 'card_expired' },
        message: 'The card has expired.',
      })
      .openapi({ type: 'string', example: '12/2030' })
      .describe('`MM/YYYY`, not passed, up to 2099'),
    cvv: z
      .string()
      .regex(/^\d{3,4}$/, 'Use 3 or 4 digits.')
      .optional()
      .openapi({ example: '123' })
      .describe("the card's code"),
  };
}

function numberOf(text: string) {
  const facts = cardFacts(text);
  return facts && { number: text.replace(/\D/g, ''), facts };
}

/** A card as a guest types it on a page. */
export function typedCard(now: () => number) {
  return z.object(typedFields(now)).transform(({ cardNumber, cardExpiry, ...rest }) => ({
    ...rest,
    ...cardNumber,
    expiry: cardExpiry,
  }));
}
