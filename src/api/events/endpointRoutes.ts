import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { eventDispatchers } from '../../events/delivery/stub.ts';
import {
  type AtProperty,
  listDeliveries,
  listEndpoints,
  putEndpoint,
  removeEndpoint,
  replayTo,
  rotateEndpoint,
} from '../../events/endpoints/actions.ts';
import { testEndpoint, trialSchema } from '../../events/endpoints/trial.ts';
import { endpointView } from '../../events/endpoints/views.ts';
import type { AppContext, CallerProperty } from '../../http/context.ts';
import { cursorAfter, pageFields, partOf } from '../../http/listFields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { secretWork } from '../../http/secretWork.ts';
import { withSuccess } from '../../http/withSuccess.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import {
  deliveriesAnswer,
  deliveriesBody,
  endpointBody,
  endpointsAnswer,
  keptAnswer,
  putBody,
  replayBody,
} from './schemas.ts';

const common = { scope: 'events', problems: ['endpoint_not_found'] } as const;

/** The operations on endpoints for events (interface: Webhook endpoints). */
export function registerWebhookEndpoints(api: Api): void {
  propertyOperation(
    api,
    {
      ...common,
      path: '/webhook/v1/put',
      summary: 'Create or change an endpoint for events',
      body: ({ local }) => putBody(local),
      answer: keptAnswer,
      problems: ['endpoint_not_found', 'invalid_state', 'idempotency_key_reused'],
      idempotent: 'put-endpoint',
    },
    async (request) => {
      const { body, c, property } = request;
      const put = await putEndpoint(secretWork(request), atProperty(property), body);
      // What waited while it was not active goes on now.
      if (put.answer.ok && body.active) wake(c, put.answer.value.endpoint.endpointId);
      return withSuccess(put);
    },
  );

  propertyOperation(
    api,
    {
      ...common,
      path: '/webhook/v1/list',
      summary: 'List the endpoints for events',
      body: () => z.object(pageFields),
      answer: endpointsAnswer,
      problems: [],
    },
    async ({ body, c, property }) => {
      const part = partOf('endpoints', property.id, body);
      if (!part.ok) return part;
      const page = await listEndpoints(c.get('database'), atProperty(property), part.value);
      const nextCursor = cursorAfter('endpoints', property.id, page);
      return ok({ success: true, endpoints: page.rows.map(endpointView), nextCursor });
    },
  );

  propertyOperation(
    api,
    {
      ...common,
      path: '/webhook/v1/delete',
      summary: 'Delete an endpoint',
      body: () => endpointBody,
      answer: z.object({ success: z.literal(true) }),
    },
    async ({ body, c, property }) => {
      const { endpointId } = body;
      const removed = await removeEndpoint(c.get('database'), atProperty(property), endpointId);
      return removed.ok ? ok({ success: true }) : removed;
    },
  );

  propertyOperation(
    api,
    {
      ...common,
      path: '/webhook/v1/rotate-secret',
      summary: 'Give an endpoint a new secret. The old one signs too for 24 hours',
      body: () => endpointBody,
      answer: keptAnswer,
      problems: ['endpoint_not_found', 'idempotency_key_reused'],
      idempotent: 'rotate-endpoint-secret',
    },
    async (request) => {
      const { body, property } = request;
      const work = secretWork(request);
      return withSuccess(await rotateEndpoint(work, atProperty(property), body.endpointId));
    },
  );
}

/** The operations on what is delivered to an endpoint (interface: Deliveries). */
export function registerWebhookDeliveries(api: Api): void {
  propertyOperation(
    api,
    {
      ...common,
      path: '/webhook/v1/test',
      summary: 'Send a test to an endpoint, and wait for its answer',
      body: () => endpointBody,
      answer: z.object({ success: z.literal(true), ...trialSchema.shape }),
    },
    async ({ body, c, property }) => {
      const { database, trace, config } = c.var;
      const { keyring, local } = config;
      const sending = { database, trace, keyring, local };
      const tested = await testEndpoint(sending, atProperty(property), body.endpointId);
      return tested.ok ? ok({ success: true, ...tested.value }) : tested;
    },
  );

  propertyOperation(
    api,
    {
      ...common,
      path: '/webhook/v1/deliveries',
      summary: 'List the deliveries to an endpoint, the latest event first',
      body: () => deliveriesBody,
      answer: deliveriesAnswer,
    },
    async ({ body, c, property }) => {
      const { endpointId } = body;
      const part = partOf('deliveries', endpointId, body);
      if (!part.ok) return part;
      const at = atProperty(property);
      const listed = await listDeliveries(c.get('database'), at, endpointId, body, part.value);
      if (!listed.ok) return listed;
      const { deliveries } = listed.value;
      const nextCursor = cursorAfter('deliveries', endpointId, listed.value);
      return ok({ success: true, deliveries, nextCursor });
    },
  );

  propertyOperation(
    api,
    {
      ...common,
      path: '/webhook/v1/replay',
      summary: 'Send one event to an endpoint again, or all since a time',
      body: () => replayBody,
      answer: z.object({ success: z.literal(true), replayed: z.int().describe('how many events') }),
      problems: ['endpoint_not_found', 'event_not_found'],
    },
    async ({ body, c, property }) => {
      const { endpointId } = body;
      const which = 'eventId' in body ? { eventId: body.eventId } : { fromMs: body.from };
      const at = atProperty(property);
      const replayed = await replayTo(c.get('database'), at, endpointId, which);
      if (!replayed.ok) return replayed;
      wake(c, endpointId);
      return ok({ success: true, replayed: replayed.value });
    },
  );
}

function atProperty(property: CallerProperty): AtProperty {
  const { id, timeZone } = property;
  return { id, timeZone, nowMs: propertyNow(property) };
}

/** The caller expects the endpoint to be up: its dispatcher tries it at once, in the background. */
function wake(c: AppContext, endpointId: string): void {
  c.executionCtx.waitUntil(eventDispatchers.notify(c.env, c.get('trace'), endpointId, 'up'));
}
