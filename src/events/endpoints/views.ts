import { z } from '@hono/zod-openapi';
import { offsetTimestamp } from '../../core/time.ts';
import {
  type WebhookDeliveryRow,
  type WebhookEndpointRow,
  webhookDeliveries,
} from '../../schema/eventTables.ts';

/** An endpoint, without its secret (interface: Webhook endpoints). */
export const endpointSchema = z
  .object({
    endpointId: z.string(),
    url: z.string(),
    types: z.array(z.string()),
    active: z.boolean(),
  })
  .openapi('WebhookEndpoint');

/** An endpoint as it is answered when a secret is made: the only time that the secret is shown. */
export const keptEndpointSchema = endpointSchema
  .extend({ secret: z.string().optional().describe('When one is made: `whsec_` and base64.') })
  .openapi('KeptWebhookEndpoint');

/** Shows an endpoint. */
export function endpointView(
  row: Pick<WebhookEndpointRow, 'id' | 'url' | 'types' | 'active'>,
): z.infer<typeof endpointSchema> {
  return { endpointId: row.id, url: row.url, types: [...row.types], active: row.active };
}

/** The status of a delivery. */
export const deliveryStatusSchema = z.enum(webhookDeliveries.status.enumValues);

/** A delivery of an event to an endpoint (interface: Deliveries). */
export const listedDeliverySchema = z
  .object({
    eventId: z.string(),
    type: z.string(),
    status: deliveryStatusSchema,
    attempts: z.int(),
    nextAttemptAt: z
      .string()
      .nullable()
      .describe(
        'Null while an earlier event of the booking holds it back, and once it is dead or done.',
      ),
    lastStatus: z
      .int()
      .nullable()
      .describe('The HTTP status of the last answer; null if there was none.'),
  })
  .openapi('WebhookDelivery');

/** A delivery as lists show it. */
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
