import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { andThen, ok, type Result } from '../../core/result.ts';
import { instantOf } from '../../core/time.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import { identifier, instantText, rawCost } from '../../http/fields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { named } from '../../platform/views.ts';
import { putFeeRules } from '../../records/properties/feeRules.ts';
import { readProperty } from '../../records/properties/read.ts';
import { BRANDS } from '../../records/properties/rules.ts';
import { feeRulesView } from '../../records/properties/views.ts';
import { cards } from '../../schema/cardTables.ts';
import { transactions } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { changedBy } from '../calls.ts';
import { basisPoints, country } from './schemas.ts';

const MOST_RULES = 100;

const MOST_COUNTRIES = 249;

/** What a rule fits. What is left out fits everything, so an empty list would fit nothing. */
const fitting = {
  brands: z
    .array(z.enum(BRANDS))
    .min(1)
    .max(BRANDS.length)
    .optional()
    .describe('fits these; all when left out'),
  funding: z
    .array(z.enum(cards.funding.enumValues))
    .min(1)
    .max(4)
    .optional()
    .describe('fits these; all when left out'),
  issuerCountries: z
    .array(country)
    .min(1)
    .max(MOST_COUNTRIES)
    .optional()
    .describe('a card of an unknown country fits no such list'),
  transactionTypes: z
    .array(z.enum(transactions.purpose.enumValues))
    .min(1)
    .max(4)
    .optional()
    .describe('fits these; all when left out'),
};

const rate = {
  basisPoints: basisPoints.describe('the rate: 150 is 1.5 %'),
  method: z
    .enum(['grossUp', 'add'])
    .describe('of the charge (see Fees), or of the requested amount, rounded half up'),
};

const period = {
  from: instantText.optional().describe('when it comes into force'),
  until: instantText.optional().describe('when it ends, exclusive'),
};

const feeRuleBody = z
  .object({
    ...fitting,
    ...rate,
    transactionFee: rawCost.optional().openapi({ example: 0.3 }).describe('0 when left out'),
    maximum: rawCost.optional().openapi({ example: 25 }).describe('the highest `creditCardFee`'),
    ...period,
  })
  .check(
    bodyCheck(
      ({ from, until }) => (isInOrder(from, until) ? [] : [ENDS_BEFORE]),
      ['from', 'until'],
    ),
  );

const ENDS_BEFORE = fieldIssue('until', 'dates_out_of_order', 'A rule ends after it begins.');

function isInOrder(from: unknown, until: unknown): boolean {
  const [fromMs, untilMs] = [instantOf(String(from)), instantOf(String(until))];
  return fromMs === null || untilMs === null || fromMs < untilMs;
}

const shownList = z.array(z.string()).readonly().optional();

const shownFeeRule = named('FeeRule', {
  brands: shownList.describe('fits these; all when absent'),
  funding: shownList.describe('fits these; all when absent'),
  issuerCountries: shownList.describe('a card of an unknown country fits no such list'),
  transactionTypes: shownList.describe('fits these; all when absent'),
  ...rate,
  transactionFee: z.number().openapi({ example: 0.3 }).describe('fixed fee'),
  maximum: z.number().optional().openapi({ example: 25 }).describe('the highest `creditCardFee`'),
  ...period,
});

const rules = z.object({
  rules: z.array(shownFeeRule).describe('the first that fits counts'),
});

function shown(row: PropertyRow): Result<z.infer<typeof rules>> {
  return ok(feeRulesView(row));
}

/** The administrator's operations on the fee rules of a property (interface: Fee rules). */
export function registerFeeRules(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/fee-rules/put',
    summary: 'Replace the fee rules of a property',
    body: z.object({
      property: identifier,
      rules: z.array(feeRuleBody).max(MOST_RULES).describe('in their order; `[]` for none'),
    }),
    answer: rules.shape,
    problems: [
      'property_not_found',
      'amount_precision',
      'amount_out_of_range',
      'surcharge_not_allowed',
    ],
    handle: async ({ c, body }) => {
      const put = await putFeeRules(c.get('database'), body.property, body.rules, changedBy(c));
      return andThen(put, shown);
    },
  });

  adminOperation(api, {
    path: '/admin/v1/fee-rules/get',
    summary: 'Get the fee rules of a property',
    body: z.object({ property: identifier }),
    answer: rules.shape,
    problems: ['property_not_found'],
    handle: async ({ c, body }) =>
      andThen(await readProperty(c.get('database'), body.property), shown),
  });
}
