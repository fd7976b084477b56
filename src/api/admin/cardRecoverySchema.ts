import { z } from '@hono/zod-openapi';

/** Three months, the most that anybody plans ahead. */
const MOST_DAYS = 90;

/** A month. */
const MOST_HOURS = 720;

/** How a property asks guests for another card (interface: Recovery). */
export const cardRecovery = z
  .object({
    askDaysBefore: z
      .int()
      .min(0)
      .max(MOST_DAYS)
      .openapi({ example: 14 })
      .describe('how many days before a schedule its guest is asked, where the card expires'),
    deadlineHours: z
      .int()
      .min(1)
      .max(MOST_HOURS)
      .openapi({ example: 24 })
      .describe('until when an answer counts, from the first reminder on'),
    shortDeadlineHours: z
      .int()
      .min(1)
      .max(MOST_HOURS)
      .openapi({ example: 12 })
      .describe('the same where arrival is nearer; at most `deadlineHours`'),
    maxAsks: z
      .int()
      .min(1)
      .max(10)
      .openapi({ example: 3 })
      .describe('how often the guest is asked for one schedule, at most'),
    // biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is a text, no function.
    then: z
      .enum(['none', 'flag'])
      .describe('after the deadline: nothing, or the event `recovery.flagged`'),
  })
  .refine(({ deadlineHours, shortDeadlineHours }) => shortDeadlineHours <= deadlineHours, {
    path: ['shortDeadlineHours'],
    params: { code: 'invalid_value' },
    message: 'Use at most deadlineHours.',
  })
  .nullable()
  .openapi('CardRecovery');
