import { z } from '@hono/zod-openapi';
import { HOUR_MS } from '../../core/time.ts';
import { email, reference } from '../../http/fields.ts';
import { shownTime } from '../../platform/views.ts';

/** The life of a link that asks for a card, in hours. */
const DEFAULT_HOURS = 72;
const MOST_HOURS = 720;

/** The body of request-card-details (interface: Card requests). */
export const requestBody = z
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

/** The answer of request-card-details. */
export const requestAnswer = z.object({
  success: z.literal(true),
  message: z.string().describe('says what was done, for people'),
  requestId: z.string().describe('the id of the card request'),
  expiresAt: shownTime.describe('until when the link works'),
});
