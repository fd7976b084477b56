import { z } from '@hono/zod-openapi';
import { ok } from '../core/result.ts';
import type { AppContext } from '../http/context.ts';
import { text } from '../http/fields.ts';
import { type Api, adminOperation } from '../http/operation.ts';
import { pokeDispatcher } from '../outbox/stub.ts';
import { type Asking, getRoomsAndRates, pingPms } from './ask.ts';

const propertyBody = z.object({ property: text(64).openapi({ example: 'demo' }) });

/** What an administrator asks of a property's PMS (decisions: section 13). */
export function registerPms(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/pms/ping',
      summary: 'Ping the PMS of a property',
      body: () => propertyBody,
      answer: z.object({
        success: z.literal(true),
        Status: z.literal('Success'),
        MessageID: z.string(),
        EchoData: z.string(),
        milliseconds: z.int(),
      }),
      problems: ['property_not_found', 'invalid_state', 'gateway_error'],
    },
    async ({ c, body }) => {
      const pinged = await pingPms(askingOf(c), body.property);
      if (!pinged.ok) return pinged;
      const { pong, pmsUrl } = pinged.value;
      // It is up: what waits for it need not wait for the next probe.
      c.executionCtx.waitUntil(pokeDispatcher(c.env, c.get('crossings'), pmsUrl, 'up'));
      return ok({ success: true, ...pong });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/pms/get-rooms-rates',
      summary: 'Fetch the rooms and rates of a property from its PMS',
      body: () => propertyBody,
      answer: z.object({ success: z.literal(true), roomTypes: z.int(), rateTypes: z.int() }),
      problems: ['property_not_found', 'invalid_state', 'gateway_error'],
    },
    async ({ c, body }) => {
      const got = await getRoomsAndRates(askingOf(c), body.property);
      return got.ok ? ok({ success: true, ...got.value }) : got;
    },
  );
}

function askingOf(c: AppContext): Asking {
  return {
    database: c.get('database'),
    crossings: c.get('crossings'),
    config: c.get('config'),
    now: () => Date.now(),
  };
}
