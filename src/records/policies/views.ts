import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { offsetTimestamp } from '../../core/time.ts';
import { named, shownTime } from '../../platform/views.ts';
import type { DisclosedPolicy } from '../../schema/bookingTables.ts';
import type { CancellationPolicy, Keep } from '../../schema/propertyTables.ts';

const keepSchema = named('Keep', {
  percent: z.number().optional().describe('of the total cost'),
  firstNight: z.literal(true).optional().describe('the cost of the first night'),
  amount: z.number().optional().describe("in the property's currency"),
  paid: z.literal(true).optional().describe('what is paid'),
  nothing: z.literal(true).optional().describe('nothing'),
});

/** A policy in an answer (interface: Cancellation policy). */
export const policySchema = named('CancellationPolicy', {
  rules: z
    .array(
      z.object({
        daysBeforeArrival: z
          .int()
          .optional()
          .describe('up to which day it holds; the last rule has none'),
        time: z.string().optional().describe('local time, `HH:MM`'),
        keep: keepSchema.describe('what is kept'),
      }),
    )
    .describe('from more to fewer days before arrival'),
  noShow: keepSchema.optional().describe('what is kept of a guest who does not come'),
  text: z.string().optional().describe('for guests'),
});

/** A booking's policy in an answer. */
export const disclosedPolicySchema = policySchema
  .extend({ disclosedAt: shownTime.describe('when the booking was first saved with it') })
  .openapi('DisclosedPolicy');

export function policyView(
  { noShow, rules, text }: CancellationPolicy,
  currency: string,
): z.infer<typeof policySchema> {
  return {
    rules: rules.map(({ keep, ...rule }) => ({ ...rule, keep: keepView(keep, currency) })),
    ...(noShow && { noShow: keepView(noShow, currency) }),
    ...(text !== undefined && { text }),
  };
}

export function disclosedPolicyView(
  policy: DisclosedPolicy,
  currency: string,
  timeZone: string,
): z.infer<typeof disclosedPolicySchema> {
  const disclosedAt = offsetTimestamp(policy.disclosedAtMs, timeZone);
  return { ...policyView(policy, currency), disclosedAt };
}

function keepView(keep: Keep, currency: string): z.infer<typeof keepSchema> {
  return 'amountMinor' in keep ? { amount: storedDecimal(keep.amountMinor, currency) } : keep;
}
