import { z } from '@hono/zod-openapi';
import type { Failure } from '../../core/failure.ts';
import { ok, type Result } from '../../core/result.ts';
import { offsetTimestamp } from '../../core/time.ts';
import type { Sending } from '../../delivery/post.ts';
import type { Database } from '../../platform/db/database.ts';
import { isConfirmed, sendEvent, statusOf } from '../delivery/send.ts';
import { type AtProperty, readEndpoint } from './actions.ts';

/** What came of a test. */
export const trialSchema = z.object({
  confirmed: z.boolean().describe('whether the endpoint answered 2xx within 15 seconds'),
  lastStatus: z.int().nullable().describe('the HTTP status of the answer; null if there was none'),
  error: z.string().nullable().describe('why there was none'),
});

/**
 * Sends `webhook.test` to an endpoint, active or not, and waits for its answer (interface: Webhook endpoints). The event is
 * neither listed nor numbered, and not sent again.
 */
export async function testEndpoint(
  sending: Sending & { readonly database: Database },
  property: AtProperty,
  endpointId: string,
): Promise<Result<z.infer<typeof trialSchema>, Failure>> {
  const endpoint = await readEndpoint(sending.database, property, endpointId);
  if (!endpoint.ok) return endpoint;
  const exchange = await sendEvent(sending, endpoint.value, {
    eventId: `evt_test_${crypto.randomUUID()}`,
    body: {
      type: 'webhook.test',
      timestamp: offsetTimestamp(property.nowMs, property.timeZone),
      data: { property: property.id, reference: null, sequence: null },
    },
  });
  if (exchange === null) {
    const error = "the endpoint's secret can no longer be decrypted: rotate it";
    return ok({ confirmed: false, lastStatus: null, error });
  }
  const confirmed = isConfirmed(exchange);
  const error = exchange.kind === 'unreachable' ? exchange.reason : null;
  return ok({ confirmed, lastStatus: statusOf(exchange), error });
}
