import { z } from '@hono/zod-openapi';
import { cost, lines, percent, wholeNumber } from '../../http/fields.ts';
import type { Keep } from '../../schema/propertyTables.ts';

const MOST_RULES = 24;
const MOST_DAYS = 3_650;

/** What is kept: exactly one of these, an amount in a currency with `exponent` decimals. */
function keep(exponent: number) {
  return z
    .object({
      percent: percent.optional().describe('of the total cost; at most two decimals'),
      firstNight: z.literal(true).optional().describe('the cost of the first night'),
      amount: cost(exponent).optional().describe('an amount, at most the total cost'),
      paid: z.literal(true).optional().describe('what is paid'),
      nothing: z.literal(true).optional().describe('nothing'),
    })
    .refine((kept) => Object.values(kept).filter((value) => value !== undefined).length === 1, {
      params: { code: 'invalid_value' },
      error: 'Use exactly one of percent, firstNight, amount, paid and nothing.',
    })
    .transform(({ amount: amountMinor, ...kept }): Keep => {
      return amountMinor === undefined ? (kept as Keep) : { amountMinor };
    })
    .openapi('KeepRequest', { example: { percent: 50 } });
}

function rules(exponent: number) {
  return z
    .array(
      z.object({
        daysBeforeArrival: wholeNumber(0, MOST_DAYS)
          .optional()
          .openapi({ example: 7 })
          .describe('holds up to this day, inclusive; the last rule has none'),
        time: z
          .string()
          .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a local time as HH:MM.')
          .optional()
          .openapi({ example: '18:00' })
          .describe("up to this local time of that day, inclusive; the day's end when left out"),
        keep: keep(exponent).describe('what is kept'),
      }),
    )
    .min(1)
    .max(MOST_RULES)
    .refine(areInOrder, {
      params: { code: 'invalid_value' },
      error: 'Use rules from more to fewer days before arrival, and a last one without days.',
    })
    .openapi({
      example: [{ daysBeforeArrival: 7, keep: { nothing: true } }, { keep: { percent: 50 } }],
    });
}

/** A policy, in a currency with `exponent` decimals (interface: Cancellation policy). */
export function policyBody(exponent: number) {
  return z.object({
    rules: rules(exponent).describe(
      'from more to fewer days before arrival; the first that holds counts',
    ),
    noShow: keep(exponent)
      .optional()
      .describe("of a guest who does not come; the last rule's if left out"),
    text: lines(5_000)
      .optional()
      .openapi({ example: 'Free of charge up to a week before arrival; then half of the stay.' })
      .describe('the same in words, for guests; may have line feeds'),
  });
}

function areInOrder(all: readonly { readonly daysBeforeArrival?: number | undefined }[]): boolean {
  return all.every(({ daysBeforeArrival: days }, index) => {
    if (index === all.length - 1) return days === undefined;
    const next = all[index + 1]?.daysBeforeArrival ?? -1;
    return days !== undefined && days > next;
  });
}
