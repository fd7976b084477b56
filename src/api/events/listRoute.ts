import { z } from '@hono/zod-openapi';
import { listEvents } from '../../events/list.ts';
import { eventSchema } from '../../events/views.ts';
import { nextPage } from '../../http/listFields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { eventsBody } from './schemas.ts';

/** The operation that lists events (interface: List events). */
export function registerEvents(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/event/v1/list',
      summary: "List the property's events, oldest first",
      scope: 'events',
      body: () => eventsBody,
      answer: {
        events: z.array(eventSchema).describe('the oldest first'),
        nextCursor: nextPage,
      },
      problems: ['booking_not_found', 'event_not_found'],
    },
    ({ body, c, property }) => listEvents(c.get('database'), property.id, body, body.limit),
  );
}
