import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import { flag, name } from '../../http/fields.ts';
import { named } from '../../platform/views.ts';
import type { PlanTemplate } from '../../schema/propertyTables.ts';
import { noRestWithRepeat, specFields, specOf, templateKey } from './schemas.ts';

const MOST_TEMPLATES = 10;

const NO_TERMS = fieldIssue('terms', 'required', 'Name terms or a repeat.');

function templateBody(exponent: number) {
  return z
    .object({
      key: templateKey.describe('names it in `payment-plan/v1/put`'),
      name: name(100).openapi({ example: 'Weekly' }).describe('guests read it'),
      ...specFields(exponent),
      offered: flag('whether guests may choose it; `false` when left out'),
    })
    .check(
      bodyCheck(({ repeat, terms }) =>
        terms === undefined && repeat === undefined ? [NO_TERMS] : [],
      ),
      noRestWithRepeat,
    )
    .transform(({ key, name: title, offered = false, ...terms }): PlanTemplate => {
      return { key, name: title, spec: specOf(terms), offered };
    });
}

/** A property's templates of plans, in a currency with `exponent` decimals (interface: Templates). */
export function planTemplatesBody(exponent: number) {
  return z
    .array(templateBody(exponent))
    .max(MOST_TEMPLATES)
    .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, {
      params: { code: 'invalid_value' },
      error: 'Use each key once.',
    });
}

const dueAnswer = z
  .object({
    anchor: z
      .enum(['now', 'arrival', 'departure', 'date'])
      .describe('what the days are counted from'),
    date: z.string().optional().describe('with the anchor `date`'),
    days: z.int().optional().describe('local days from the anchor'),
    time: z.string().optional().describe('local, `HH:MM`'),
  })
  .describe('when it is charged');

const naming = {
  label: z.string().optional().describe('what guests and the PMS read of it'),
  transactionType: z.enum(['Deposit', 'Balance']).describe('the type of its charge'),
};

const termAnswer = z.object({
  ...naming,
  amount: z.number().optional().describe('a fixed amount'),
  percent: z.number().optional().describe('of `totalCost`'),
  firstNight: z.literal(true).optional().describe('`firstNightCost`'),
  rest: z.literal(true).optional().describe('`totalCost` less all other parts'),
  due: dueAnswer,
});

const repeatAnswer = z.object({
  ...naming,
  every: z.enum(['week', 'fortnight', 'month']).describe('how long a period is'),
  amount: z.number().describe('of each period'),
  from: z.string().optional().describe('when the first period begins, in place of arrival'),
  until: z.string().optional().describe('no period begins then, in place of departure'),
  days: z.int().describe('local days from the beginning of a period'),
  time: z.string().optional().describe('local, `HH:MM`'),
  lastPeriod: z.enum(['prorate', 'full']).describe('what a period costs that is cut short'),
});

/** Templates as administrators see them. */
export const planTemplatesAnswer = z.array(
  named('PlanTemplate', {
    key: z.string().describe('names it in `payment-plan/v1/put`'),
    name: z.string().describe('guests read it'),
    offered: z.boolean().describe('whether guests may choose it'),
    terms: z.array(termAnswer).optional().describe('the parts of the plan, one for each'),
    repeat: repeatAnswer.optional().describe('a part for each week, fortnight or month'),
  }),
);
