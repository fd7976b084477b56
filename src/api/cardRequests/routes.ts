import { ok } from '../../core/result.ts';
import { offsetTimestamp } from '../../core/time.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { notifyMailer } from '../../mails/stub.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { requestCard } from '../../records/cardRequests/actions.ts';
import { requestAnswer, requestBody } from './schemas.ts';

/** The operation that asks a guest for a card by e-mail (interface: Card requests). */
export function registerCardRequests(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/payment/v1/request-card-details',
      summary: 'E-mail a guest a link to a page that takes a card',
      scope: 'cards',
      body: () => requestBody,
      answer: requestAnswer,
      problems: ['booking_not_found', 'gateway_error', 'not_configured'],
    },
    async ({ c, body, property }) => {
      const work = { env: c.env, config: c.get('config'), database: c.get('database') };
      const requested = await requestCard(work, property.id, body, propertyNow(property));
      if (!requested.ok) return requested;
      c.executionCtx.waitUntil(notifyMailer(c.env, property.id));
      const { id, expiresAtMs } = requested.value;
      return ok({
        success: true,
        message: 'The guest was asked for a card.',
        requestId: id,
        expiresAt: offsetTimestamp(expiresAtMs, property.timeZone),
      });
    },
  );
}
