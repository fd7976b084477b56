import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import type { AppContext } from '../../http/context.ts';
import { code } from '../../http/fields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { getRoomsAndRates, type PmsRequestContext, pingPms } from '../../pms/ask.ts';
import { pmsDispatchers } from '../../pms/outbox/stub.ts';

const propertyBody = z.object({ property: code(64).openapi({ example: 'demo' }) });

/** The administrator's calls to a property's PMS (interface: Administration). */
export function registerPmsOperations(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/pms/ping',
    summary: 'Ping the PMS of a property',
    body: propertyBody,
    answer: {
      Status: z.literal('Success'),
      MessageID: z.string().describe('of the ping'),
      EchoData: z.string().describe('the text that the PMS returned'),
      milliseconds: z.int().describe('until the PMS answered'),
    },
    problems: ['property_not_found', 'invalid_state', 'gateway_error'],
    handle: async ({ c, body }) => {
      const pinged = await pingPms(pmsContext(c), body.property);
      if (!pinged.ok) return pinged;
      const { pong, pmsUrl } = pinged.value;
      // The PMS is up: its messages go out now instead of after the next probe.
      c.executionCtx.waitUntil(pmsDispatchers.notify(c.env, c.get('trace'), pmsUrl, 'up'));
      return ok(pong);
    },
  });

  adminOperation(api, {
    path: '/admin/v1/pms/get-rooms-rates',
    summary: 'Fetch the rooms and rates of a property from its PMS',
    body: propertyBody,
    answer: {
      roomTypes: z.int().describe('how many were fetched'),
      rateTypes: z.int().describe('how many were fetched'),
    },
    problems: ['property_not_found', 'invalid_state', 'gateway_error'],
    handle: ({ c, body }) => getRoomsAndRates(pmsContext(c), body.property),
  });
}

function pmsContext(c: AppContext): PmsRequestContext {
  return {
    database: c.get('database'),
    trace: c.get('trace'),
    config: c.get('config'),
    now: () => Date.now(),
  };
}
