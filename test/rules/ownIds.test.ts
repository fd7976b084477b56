import { describe, expect, it } from 'vitest';
import { endpointBody, replayBody } from '../../src/api/events/schemas.ts';
import { cardToken, gatewayId } from '../../src/http/fields.ts';

/** Hexadecimal digits in which the digits 486710794411097 make a card number by chance. */
const UNLUCKY = '01a4557eb486710794411097e3188a3e';

describe('an id that this service made is accepted, whatever its digits', () => {
  const endpointId = `whe_${UNLUCKY}`;
  it.each([
    ['a card', cardToken, UNLUCKY],
    ['an operation of the sandbox', gatewayId, `sandbox_${UNLUCKY.slice(-24)}`],
    ['an endpoint', endpointBody, { endpointId }],
    ['an event', replayBody, { endpointId, eventId: 'evt_12_9486710794411097' }],
  ])('of %s', (_of, schema, value) => {
    expect(schema.safeParse(value).success).toBe(true);
  });
});

describe('a card number is refused where an id belongs', () => {
  it.each([
    ['a card', cardToken, '4242424242424242'],
    ['an operation of the sandbox', gatewayId, 'sandbox_4242424242424242'],
    ['an endpoint', endpointBody, { endpointId: 'whe_4242424242424242' }],
    [
      'an event',
      replayBody,
      { endpointId: `whe_${UNLUCKY}`, eventId: 'evt_4242424242424242_9f86d081884c7d65' },
    ],
  ])('of %s', (_of, schema, value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});
