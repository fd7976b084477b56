import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { HOUR_MS, offsetTimestamp } from '../../core/time.ts';
import { email, reference } from '../../http/fields.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { notifyMailer } from '../../mails/stub.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { shownTime } from '../../platform/views.ts';
import { requestCard } from '../../records/cardRequests/actions.ts';

/** The life of a link that asks for a card, in hours. */
const DEFAULT_HOURS = 72;
const MOST_HOURS = 720;

/** The body of request-card-details (interface: Card requests). */
const requestBody = z
  .object({
    reference: reference
      .optional()
      .describe('required without `email`: the booking that gets the card'),
    email: email
      .optional()
      .describe("required without `reference`: in place of the booking's address"),
    expiresInHours: z
      .int()
      .min(1)
      .max(MOST_HOURS)
      .optional()
      .openapi({ example: DEFAULT_HOURS })
      .describe('how long the link works; 72 when left out'),
  })
  .check(
    z.superRefine<{ reference?: unknown; email?: unknown }>(
      ({ reference, email }, context) => {
        if (reference !== undefined || email !== undefined) return;
        for (const field of ['email', 'reference']) {
          context.addIssue({
            code: 'custom',
            path: [field],
            params: { code: 'required' },
            message: 'Send a reference or an e-mail address.',
          });
        }
      },
      { when: ({ value }) => value !== null && typeof value === 'object' },
    ),
  )
  .transform(({ reference = null, email = null, expiresInHours = DEFAULT_HOURS }) => ({
    reference,
    email,
    lifeMs: expiresInHours * HOUR_MS,
  }));

/** The operation that asks a guest for a card by e-mail (interface: Card requests). */
export function registerCardRequests(api: Api): void {
  propertyOperation(api, {
    path: '/payment/v1/request-card-details',
    summary: 'E-mail a guest a link to a page that takes a card',
    scope: 'cards',
    body: requestBody,
    answer: {
      message: z.string().describe('says what was done, for people'),
      requestId: z.string().describe('the id of the card request'),
      expiresAt: shownTime.describe('until when the link works'),
    },
    problems: ['booking_not_found', 'gateway_error', 'not_configured'],
    handle: async ({ c, body, property }) => {
      const work = { env: c.env, config: c.get('config'), database: c.get('database') };
      const requested = await requestCard(work, property.id, body, propertyNow(property));
      if (requested.ok) c.executionCtx.waitUntil(notifyMailer(c.env, property.id));
      return andThen(requested, ({ id, expiresAtMs }) =>
        ok({
          message: 'The guest was asked for a card.',
          requestId: id,
          expiresAt: offsetTimestamp(expiresAtMs, property.timeZone),
        }),
      );
    },
  });
}
