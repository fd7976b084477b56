import { ok } from '../../core/result.ts';
import { listEvents } from '../../events/list.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { eventsAnswer, eventsBody } from './schemas.ts';

/** The operation that lists events (interface: List events). */
export function registerEvents(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/event/v1/list',
      summary: "List the property's events, oldest first",
      scope: 'events',
      body: () => eventsBody,
      answer: eventsAnswer,
      problems: ['booking_not_found', 'event_not_found'],
    },
    async ({ body, c, property }) => {
      const listed = await listEvents(c.get('database'), property.id, body, body.limit);
      return listed.ok ? ok({ success: true, ...listed.value }) : listed;
    },
  );
}
