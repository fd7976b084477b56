import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import {
  amount,
  cardToken,
  flag,
  isoDate,
  name,
  percent,
  reference,
  wholeNumber,
} from '../../http/fields.ts';
import { boundsInOrder } from '../../http/listFields.ts';
import type { SchemaParameters } from '../../http/readRequest.ts';
import type { PlanDue, PlanRepeat, PlanShare, PlanSpec, PlanTerm } from '../../schema/planSpec.ts';

const MOST_TERMS = 24;

/** How far from its anchor a part can be due, in days. */
const MOST_DAYS = 3_650;

const label = name(100)
  .optional()
  .openapi({ example: 'Deposit' })
  .describe('what guests and the PMS read of it');

const purpose = z.enum(['Deposit', 'Balance']).optional().describe('`Balance` when left out');

const days = wholeNumber(-MOST_DAYS, MOST_DAYS);

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time as HH:MM.')
  .openapi({ example: '09:00' })
  .optional()
  .describe('local; `09:00` when left out');

const NO_DAY = fieldIssue('date', 'required', 'With this anchor, name the day.');

const due = z
  .object({
    anchor: z
      .enum(['now', 'arrival', 'departure', 'date'])
      .describe('what the days are counted from'),
    date: isoDate.optional().describe('with the anchor `date`'),
    days: days.optional().describe('local days from the anchor; 0 when left out'),
    time,
  })
  .check(bodyCheck(({ anchor, date }) => (anchor === 'date' && date === undefined ? [NO_DAY] : [])))
  .transform((given): PlanDue => {
    return {
      anchor: given.anchor,
      date: given.anchor === 'date' ? (given.date ?? null) : null,
      days: given.days ?? null,
      time: given.time ?? null,
    };
  });

/** A part of a plan, in a currency with `exponent` decimals. */
function term(exponent: number) {
  return z
    .object({
      label,
      transactionType: purpose,
      amount: amount(exponent).optional().describe('a fixed amount'),
      percent: percent
        .openapi({ example: 30 })
        .optional()
        .describe('of `totalCost`, with at most two decimals'),
      firstNight: z.literal(true).optional().describe('`firstNightCost`'),
      rest: z.literal(true).optional().describe('`totalCost` less all other parts'),
      due: due.describe('when it is charged'),
    })
    .check(
      bodyCheck((given) =>
        SHARES.filter((share) => given[share] !== undefined).length === 1 ? [] : [NOT_ONE_SHARE],
      ),
    );
}

const SHARES = ['amount', 'percent', 'firstNight', 'rest'] as const;

const NOT_ONE_SHARE = fieldIssue(
  '',
  'invalid_value',
  'Name exactly one of amount, percent, firstNight and rest.',
);

function repeat(exponent: number) {
  const fields = z.object({
    every: z.enum(['week', 'fortnight', 'month']).describe('how long a period is'),
    amount: amount(exponent).describe('of each period'),
    from: isoDate.optional().describe('when the first period begins; arrival when left out'),
    until: isoDate.optional().describe('no period begins then; departure when left out'),
    days: days.optional().describe('local days from the beginning of a period; 0 when left out'),
    time,
    lastPeriod: z
      .enum(['prorate', 'full'])
      .optional()
      .describe('what a period costs that `until` cuts short; `prorate` when left out'),
    label,
    transactionType: purpose,
  });
  return fields.check(boundsInOrder('from', 'until'));
}

/** The members of a plan's terms, in a currency with `exponent` decimals. */
export function specFields(exponent: number) {
  const terms = z
    .array(term(exponent))
    .min(1)
    .max(MOST_TERMS)
    .superRefine((given, context) => {
      const rests = given.filter(({ rest }) => rest !== undefined).length;
      const needsRest = given.some(
        ({ firstNight, percent: share }) => firstNight !== undefined || share !== undefined,
      );
      const message =
        rests > 1 ? 'Use at most one rest.' : 'With percent or firstNight, name a rest.';
      if (rests > 1 || (needsRest && rests === 0)) {
        context.addIssue({ code: 'custom', params: { code: 'invalid_value' }, message });
      }
    });
  return {
    terms: terms.optional().describe('the parts of the plan, one for each'),
    repeat: repeat(exponent).optional().describe('a part for each week, fortnight or month'),
  };
}

/** What is wrong with terms beside a repetition: that has no rest. */
export const noRestWithRepeat = bodyCheck(({ repeat: repeated, terms }) => {
  const hasRest = Array.isArray(terms) && terms.some((one) => one?.rest === true);
  const message = 'With repeat there is no rest.';
  return repeated !== undefined && hasRest ? [fieldIssue('terms', 'invalid_value', message)] : [];
});

type Given = z.infer<z.ZodObject<ReturnType<typeof specFields>>>;

/** The terms as they are kept. */
export function specOf({ repeat: repeated, terms = [] }: Given): PlanSpec {
  return {
    terms: terms.map((one): PlanTerm => {
      return {
        label: one.label ?? null,
        purpose: one.transactionType ?? 'Balance',
        share: shareOf(one),
        due: one.due,
      };
    }),
    repeat: repeated ? repeatOf(repeated) : null,
  };
}

function shareOf(term: NonNullable<Given['terms']>[number]): PlanShare {
  const { amount: amountMinor, percent: share, rest } = term;
  if (amountMinor !== undefined) return { kind: 'amount', amountMinor };
  if (share !== undefined) return { kind: 'percent', hundredths: Math.round(share * 100) };
  return { kind: rest ? 'rest' : 'firstNight' };
}

function repeatOf(given: NonNullable<Given['repeat']>): PlanRepeat {
  return {
    every: given.every,
    amountMinor: given.amount,
    from: given.from ?? null,
    until: given.until ?? null,
    days: given.days ?? 0,
    time: given.time ?? null,
    lastPeriod: given.lastPeriod ?? 'prorate',
    label: given.label ?? null,
    purpose: given.transactionType ?? 'Balance',
  };
}

export const templateKey = name(64).openapi({ example: 'weekly' });

/** The body of put: terms, or the key of a template (interface: Put a plan). */
export function planBody({ exponent }: SchemaParameters) {
  return z
    .object({
      reference,
      ...specFields(exponent),
      template: templateKey
        .optional()
        .describe("one of the property's templates, in place of terms"),
      token: cardToken
        .optional()
        .describe('charges this card of the property, in place of the one in use at each time'),
      dryRun: flag('`true` answers the same and writes nothing'),
    })
    .check(bodyCheck(missingTerms), noRestWithRepeat)
    .transform(({ dryRun = false, repeat: repeated, template, terms, ...body }) => ({
      reference: body.reference,
      cardToken: body.token ?? null,
      dryRun,
      template: template ?? null,
      spec: template === undefined ? specOf({ terms, repeat: repeated }) : null,
    }));
}

function missingTerms({ repeat: repeated, template, terms }: Readonly<Record<string, unknown>>) {
  const hasTerms = terms !== undefined || repeated !== undefined;
  if (template === undefined) {
    const message = 'Name terms, a repeat or a template.';
    return hasTerms ? [] : [fieldIssue('terms', 'required', message)];
  }
  const message = 'A template has its own terms: name it alone.';
  return hasTerms ? [fieldIssue('template', 'invalid_value', message)] : [];
}
