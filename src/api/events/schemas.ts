import { z } from '@hono/zod-openapi';
import { isAllowedAddress } from '../../delivery/rules/address.ts';
import {
  CARD_NUMBER,
  instant,
  isNoCardIdentifier,
  isText,
  ownId,
  reference,
} from '../../http/fields.ts';
import { pageFields } from '../../http/listFields.ts';
import { typesFitting } from '../../records/history/rules/eventTypes.ts';

export const endpointId = ownId(/^whe_[0-9a-f]{32}$/).openapi({
  example: 'whe_0192f3c4a5b67c8d9e0f1a2b3c4d5e6f',
});
const EVENT_ID = /^evt_\d{1,15}_[0-9a-f]{16}$/;
const eventId = ownId(EVENT_ID).openapi({ example: 'evt_12_9f86d081884c7d65' });

/** More than any type has. */
const LONGEST_PATTERN = 64;

const types = z
  .array(
    z
      .string()
      .max(LONGEST_PATTERN)
      .refine((pattern) => typesFitting([pattern]).length > 0, {
        error: 'Use the type of an event, or a beginning of types and one star: payment.*',
        when: isText,
      })
      .openapi({ example: 'payment.*' }),
  )
  .min(1)
  .max(50);

/** An address that the service sends to. Local services also allow loopback addresses. */
export function publicAddress(local: boolean) {
  return z
    .string()
    .max(2_000)
    .refine(isNoCardIdentifier, CARD_NUMBER)
    .refine((url) => isAllowedAddress(url, local), {
      params: { code: 'address_not_allowed' },
      message: 'Use an https URL on port 443 with a public host name.',
      when: isText,
    });
}

export function putBody(local: boolean) {
  return z.object({
    endpointId: endpointId
      .optional()
      .describe('the endpoint to change; without it, a new one is made'),
    url: publicAddress(local)
      .openapi({ example: 'https://engine.hotel.com/events' })
      .optional()
      .describe('required for a new one: see Addresses'),
    types: types
      .optional()
      .describe('the patterns that it gets; all for a new one, else as they were'),
    active: z.boolean().default(true).describe('whether events are delivered; true when left out'),
  });
}

export const endpointBody = z.object({ endpointId });

/** The body of `replay`: one event, or those since a time. */
export const replayBody = z.union([
  z.object({ endpointId, eventId: eventId.describe('one event, whatever its type') }),
  z.object({
    endpointId,
    from: instant.describe(
      'the events since then whose types the endpoint wants; the first 10,000',
    ),
  }),
]);

export const eventsBody = z.object({
  after: eventId.optional().describe('only events after this one: a `nextCursor`, or an `eventId`'),
  cursor: z.string().regex(EVENT_ID).optional().describe('a `nextCursor`, as `after` takes it too'),
  reference: reference.optional().describe('the events of this booking'),
  types: types.optional().describe('only types that fit one of these patterns'),
  limit: pageFields.limit,
});
