import { ok } from '../core/result.ts';
import { offsetTimestamp } from '../core/time.ts';
import { publicBaseUrl } from '../http/baseUrl.ts';
import { type Api, propertyOperation } from '../http/operation.ts';
import { requestCard } from './actions.ts';
import { requestAnswer, requestBody } from './schemas.ts';

/** Asking guests for cards by e-mail (decisions: section 6). */
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
      const config = c.get('config');
      const work = {
        env: c.env,
        config,
        keyring: config.keyring,
        database: c.get('database'),
        crossings: c.get('crossings'),
        baseUrl: publicBaseUrl(c),
        about: {
          requestId: c.get('requestId'),
          property: property.id,
          booking: body.reference ?? undefined,
        },
      };
      const asked = await requestCard(work, property.id, body, Date.now());
      if (!asked.ok) return asked;
      const { id, expiresAtMs } = asked.value;
      return ok({
        success: true,
        message: 'The guest was asked for a card.',
        requestId: id,
        expiresAt: offsetTimestamp(expiresAtMs, property.timeZone),
      });
    },
  );
}
