import { z } from '@hono/zod-openapi';
import { storedDecimal } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import { sumOf } from '../../core/sum.ts';
import { offsetTimestamp } from '../../core/time.ts';
import { named, shownTime } from '../../platform/views.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import { type PlanPart, type PlanRow, paymentPlans } from '../../schema/planTables.ts';
import type { PartChange } from './rules/changes.ts';
import { lackingMinor } from './rules/follow.ts';
import { termOf } from './rules/parts.ts';

const partSchema = named('PlanPart', {
  partId: z.string().describe('`t1`, `t2` … by term, `r1`, `r2` … by period'),
  label: z.string().nullable().describe('what its term or repetition calls it'),
  transactionType: z.enum(['Deposit', 'Balance']).describe('the type of its charge'),
  amount: z.number().describe('without fees'),
  paid: z.number().describe('what covers it, and what its own charge brought'),
  dueAt: shownTime.describe('when it is charged'),
  status: z
    .enum(['planned', 'processing', 'paid', 'failed', 'void'])
    .describe('see The plan object'),
  chargeId: z.int().nullable().describe('its own charge; null before it is charged'),
});

/** A payment plan (interface: The plan object). */
export const planSchema = z
  .object({
    planId: z.string().nullable().describe('null in the answer to `dryRun` where it is new'),
    version: z.int().describe('grows with each change'),
    status: z
      .enum(paymentPlans.status.enumValues)
      .describe('`completed` once nothing of it is to come'),
    bookingReference: z.string().describe('of the booking'),
    currency: z.string().describe('ISO 4217 code'),
    total: z.number().describe('of all parts that are not void'),
    paid: z.number().describe('of that'),
    open: z.number().describe('what parts lack that are planned or failed'),
    difference: z
      .number()
      .describe("the booking's `totalCost` less `total`; 0 where `totalCost` is 0"),
    parts: z.array(partSchema).describe('in the order in which they are due'),
  })
  .openapi('PaymentPlan', { description: 'the plan: see The plan object' });

export type PlanView = z.infer<typeof planSchema>;

const partTermsSchema = z
  .object({
    amount: z.number().describe('without fees'),
    dueAt: shownTime.describe('when it is charged'),
  })
  .nullable();

/** What a change of a plan changes of its parts. */
export const planChangesSchema = z
  .array(
    named('PlanChange', {
      partId: z.string().describe('which part'),
      from: partTermsSchema.describe('null for a part that was not there'),
      to: partTermsSchema.describe('null for a part that is not there any more'),
    }),
  )
  .describe('the parts with another amount or time');

/** Shows a plan; `planId` is null for one that was not saved. */
export function planView(
  plan: PlanRow,
  { totalCostMinor }: Pick<BookingRow, 'totalCostMinor'>,
  timeZone: string,
  planId: string | null = plan.id,
): PlanView {
  const amount = (minor: number) => storedDecimal(minor, plan.currency);
  const counted = plan.parts.filter(({ status }) => status !== 'void');
  const open = counted.filter(({ status }) => status === 'planned' || status === 'failed');
  const totalMinor = sumOf(counted, 'amountMinor');
  return {
    planId,
    ...pick(plan, 'version', 'status', 'bookingReference', 'currency'),
    total: amount(totalMinor),
    paid: amount(counted.reduce((sum, part) => sum + paidMinor(part), 0)),
    open: amount(open.reduce((sum, part) => sum + lackingMinor(part), 0)),
    difference: amount(totalCostMinor === 0 ? 0 : totalCostMinor - totalMinor),
    parts: plan.parts.map((part) => partView(plan, part, timeZone)),
  };
}

function partView(plan: PlanRow, part: PlanPart, timeZone: string): PlanView['parts'][number] {
  const { label, purpose } = termOf(plan.spec, part.id);
  return {
    partId: part.id,
    label,
    transactionType: purpose,
    amount: storedDecimal(part.amountMinor, plan.currency),
    paid: storedDecimal(paidMinor(part), plan.currency),
    dueAt: offsetTimestamp(part.dueAtMs, timeZone),
    status: part.status,
    chargeId: part.chargeId,
  };
}

function paidMinor({ broughtMinor, coveredMinor }: PlanPart): number {
  return coveredMinor + broughtMinor;
}

export function planChangesView(
  changes: readonly PartChange[],
  currency: string,
  timeZone: string,
): z.infer<typeof planChangesSchema> {
  const terms = (of: PartChange['from']) =>
    of && {
      amount: storedDecimal(of.amountMinor, currency),
      dueAt: offsetTimestamp(of.dueAtMs, timeZone),
    };
  return changes.map(({ id, from, to }) => ({ partId: id, from: terms(from), to: terms(to) }));
}
