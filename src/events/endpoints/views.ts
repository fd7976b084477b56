import { z } from '@hono/zod-openapi';
import { offsetTimestamp } from '../../core/time.ts';
import { named } from '../../platform/views.ts';
import {
  type WebhookDeliveryRow,
  type WebhookEndpointRow,
  webhookDeliveries,
} from '../../schema/eventTables.ts';

/** An endpoint, without its secret (interface: Webhook endpoints). */
export const endpointSchema = named('WebhookEndpoint', {
  endpointId: z.string().describe('`whe_` and 32 hex digits'),
  url: z.string().describe('where its events go'),
  types: z.array(z.string()).describe('the patterns of types that it gets'),
  active: z.boolean().describe('whether events are delivered'),
});

/** An endpoint as it is answered when a secret is made: the only time that the secret is shown. */
export const keptEndpointSchema = endpointSchema
  .extend({ secret: z.string().optional().describe('when one is made: `whsec_` and base64') })
  .openapi('KeptWebhookEndpoint');

export type EndpointView = z.infer<typeof endpointSchema>;

export function endpointView(
  row: Pick<WebhookEndpointRow, 'id' | 'url' | 'types' | 'active'>,
): EndpointView {
  return { endpointId: row.id, url: row.url, types: [...row.types], active: row.active };
}

export const deliveryStatusSchema = z.enum(webhookDeliveries.status.enumValues);

/** A delivery of an event to an endpoint (interface: Deliveries). */
export const listedDeliverySchema = named('WebhookDelivery', {
  eventId: z.string().describe("the event's"),
  type: z.string().describe("the event's"),
  status: deliveryStatusSchema,
  attempts: z.int().describe('so far; probes do not count'),
  nextAttemptAt: z
    .string()
    .nullable()
    .describe('null while an earlier event holds it back, and once dead or done'),
  lastStatus: z
    .int()
    .nullable()
    .describe('the HTTP status of the last answer; null if there was none'),
});

export function listedDeliveryView(
  row: Pick<WebhookDeliveryRow, 'status' | 'attempts' | 'dueAtMs' | 'lastStatus'> & {
    readonly eventId: string;
    readonly type: string;
  },
  timeZone: string,
): z.infer<typeof listedDeliverySchema> {
  const { attempts, dueAtMs, eventId, lastStatus, status, type } = row;
  const nextAttemptAt = dueAtMs === null ? null : offsetTimestamp(dueAtMs, timeZone);
  return { eventId, type, status, attempts, nextAttemptAt, lastStatus };
}
