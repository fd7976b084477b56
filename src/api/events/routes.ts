import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { eventDispatchers } from '../../events/delivery/stub.ts';
import {
  type AtProperty,
  listDeliveries,
  listEndpoints,
  putEndpoint,
  removeEndpoint,
  replayTo,
  rotateEndpoint,
  testEndpoint,
  trialSchema,
} from '../../events/endpoints/actions.ts';
import {
  deliveryStatusSchema,
  endpointSchema,
  keptEndpointSchema,
  listedDeliverySchema,
} from '../../events/endpoints/views.ts';
import { listEvents } from '../../events/list.ts';
import { eventSchema } from '../../events/views.ts';
import type { AppContext, CallerProperty } from '../../http/context.ts';
import { identifier } from '../../http/fields.ts';
import { nextPage } from '../../http/listFields.ts';
import { adminList, propertyList } from '../../http/listOperation.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { changedBy, secretWork } from '../calls.ts';
import {
  endpointBody,
  eventsBody,
  endpointId as ofEndpoint,
  putBody,
  replayBody,
} from './schemas.ts';

export function registerEvents(api: Api): void {
  propertyOperation(api, {
    path: '/event/v1/list',
    summary: "List the property's events, oldest first",
    scope: 'events',
    body: eventsBody,
    answer: {
      events: z.array(eventSchema).describe('the oldest first'),
      nextCursor: nextPage,
    },
    problems: ['booking_not_found', 'event_not_found'],
    handle: ({ body, c, property }) => {
      const { cursor, after = cursor, limit, ...which } = body;
      return listEvents(c.get('database'), property.id, { ...which, after }, limit);
    },
  });
}

const common = { scope: 'events', problems: ['endpoint_not_found'] } as const;

/** The operations on endpoints for events (interface: Webhook endpoints). */
export function registerWebhookEndpoints(api: Api): void {
  propertyOperation(api, {
    ...common,
    path: '/webhook/v1/put',
    summary: 'Create or change an endpoint for events',
    body: ({ local }) => putBody(local),
    answer: { endpoint: keptEndpointSchema },
    problems: ['endpoint_not_found', 'invalid_state', 'idempotency_key_reused'],
    idempotent: 'put-endpoint',
    handle: async (request) => {
      const { body, c, property } = request;
      const put = await putEndpoint(secretWork(request), atProperty(property), body);
      // What waited while it was not active goes on now.
      if (put.answer.ok && body.active) wake(c, put.answer.value.endpoint.endpointId);
      return put;
    },
  });

  propertyList(api, {
    scope: 'events',
    path: '/webhook/v1/list',
    summary: 'List the endpoints for events',
    list: 'endpoints',
    filter: {},
    member: 'endpoints',
    entries: z.array(endpointSchema),
    read: ({ c, property }, part) => listEndpoints(c.get('database'), property.id, part),
  });

  propertyOperation(api, {
    ...common,
    path: '/webhook/v1/delete',
    summary: 'Delete an endpoint',
    body: endpointBody,
    answer: {},
    handle: ({ body, c, property }) =>
      removeEndpoint(c.get('database'), atProperty(property), body.endpointId, changedBy(c)),
  });

  propertyOperation(api, {
    ...common,
    path: '/webhook/v1/rotate-secret',
    summary: 'Give an endpoint a new secret. The old one signs too for 24 hours',
    body: endpointBody,
    answer: { endpoint: keptEndpointSchema },
    problems: ['endpoint_not_found', 'idempotency_key_reused'],
    idempotent: 'rotate-endpoint-secret',
    handle: (request) =>
      rotateEndpoint(secretWork(request), atProperty(request.property), request.body.endpointId),
  });
}

/** The operations on what is delivered to an endpoint (interface: Deliveries). */
export function registerWebhookDeliveries(api: Api): void {
  propertyOperation(api, {
    ...common,
    path: '/webhook/v1/test',
    summary: 'Send a test to an endpoint, and wait for its answer',
    body: endpointBody,
    answer: trialSchema.shape,
    handle: ({ body, c, property }) => {
      const { database, trace, config } = c.var;
      const { keyring, local } = config;
      const sending = { database, trace, keyring, local };
      return testEndpoint(sending, atProperty(property), body.endpointId);
    },
  });

  propertyList(api, {
    ...common,
    path: '/webhook/v1/deliveries',
    summary: 'List the deliveries to an endpoint, the latest event first',
    list: 'deliveries',
    ownerOf: ({ endpointId }) => endpointId,
    filter: {
      endpointId: ofEndpoint,
      status: deliveryStatusSchema.optional().describe('only these'),
    },
    member: 'deliveries',
    entries: z.array(listedDeliverySchema).describe('the latest event first'),
    read: ({ body, c, property }, part) =>
      listDeliveries(c.get('database'), atProperty(property), body, part),
  });

  propertyOperation(api, {
    ...common,
    path: '/webhook/v1/replay',
    summary: 'Send one event to an endpoint again, or all since a time',
    body: replayBody,
    answer: { replayed: z.int().describe('how many events') },
    problems: ['endpoint_not_found', 'event_not_found'],
    handle: async ({ body, c, property }) => {
      const { endpointId } = body;
      const which = 'eventId' in body ? { eventId: body.eventId } : { fromMs: body.from };
      const at = atProperty(property);
      const replayed = await replayTo(c.get('database'), at, endpointId, which);
      if (replayed.ok) wake(c, endpointId);
      return andThen(replayed, (count) => ok({ replayed: count }));
    },
  });
}

/** The administrator's list of a property's endpoints for events (interface: List a property's endpoints). */
export function registerEndpointList(api: Api): void {
  adminList(api, {
    path: '/admin/v1/webhook/list',
    summary: "List a property's endpoints for events, the oldest first",
    list: 'endpoints',
    ownerOf: ({ property }) => property,
    filter: { property: identifier },
    member: 'endpoints',
    entries: z.array(endpointSchema),
    problems: ['property_not_found'],
    read: ({ c, body }, part) => listEndpoints(c.get('database'), body.property, part),
  });
}

function atProperty(property: CallerProperty): AtProperty {
  const { id, timeZone } = property;
  return { id, timeZone, nowMs: propertyNow(property) };
}

/** The caller expects the endpoint to be up: its dispatcher tries it at once, in the background. */
function wake(c: AppContext, endpointId: string): void {
  c.executionCtx.waitUntil(eventDispatchers.notify(c.env, c.get('trace'), endpointId, 'up'));
}
