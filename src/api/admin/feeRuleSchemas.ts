import { z } from '@hono/zod-openapi';
import { instantOf } from '../../core/time.ts';
import { identifier, instantText, rawAmount } from '../../http/fields.ts';
import { BRANDS } from '../../records/properties/rules.ts';
import { feeRuleView } from '../../records/properties/views.ts';
import { cards } from '../../schema/cardTables.ts';
import { transactions } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { basisPoints, country } from './schemas.ts';

/** The most rules of a property. */
const MOST_RULES = 100;

/** The most countries: as many as there are. */
const MOST_COUNTRIES = 249;

/** What a rule fits. What is left out fits everything, so an empty list would fit nothing. */
const fitting = {
  brands: z.array(z.enum(BRANDS)).min(1).max(BRANDS.length).optional(),
  funding: z.array(z.enum(cards.funding.enumValues)).min(1).max(4).optional(),
  issuerCountries: z.array(country).min(1).max(MOST_COUNTRIES).optional(),
  transactionTypes: z.array(z.enum(transactions.purpose.enumValues)).min(1).max(4).optional(),
};

const rate = { basisPoints, method: z.enum(['grossUp', 'add']) };

const period = { from: instantText.optional(), until: instantText.optional() };

const feeRuleBody = z
  .object({
    ...fitting,
    ...rate,
    transactionFee: rawAmount.optional().openapi({ example: 0.3 }),
    maximum: rawAmount.optional().openapi({ example: 25 }),
    ...period,
  })
  .refine(({ from, until }) => isInOrder(from, until), {
    path: ['until'],
    params: { code: 'dates_out_of_order' },
    error: 'A rule ends after it begins.',
  });

function isInOrder(from: string | undefined, until: string | undefined): boolean {
  const [fromMs, untilMs] = [instantOf(from ?? ''), instantOf(until ?? '')];
  return fromMs === null || untilMs === null || fromMs < untilMs;
}

/** The body of `fee-rules/put`. */
export const putFeeRulesBody = z.object({
  property: identifier,
  rules: z.array(feeRuleBody).max(MOST_RULES),
});

/** The body of `fee-rules/get`. */
export const getFeeRulesBody = z.object({ property: identifier });

const shownList = z.array(z.string()).readonly().optional();

const shownFeeRule = z
  .object({
    brands: shownList,
    funding: shownList,
    issuerCountries: shownList,
    transactionTypes: shownList,
    ...rate,
    transactionFee: z.number().openapi({ example: 0.3 }),
    maximum: z.number().optional().openapi({ example: 25 }),
    ...period,
  })
  .openapi('FeeRule');

/** The answer of both operations. */
export const feeRulesAnswer = z.object({
  success: z.literal(true),
  rules: z.array(shownFeeRule),
});

/** The fee rules of a property, with amounts as decimals in its currency. */
export function feeRulesView({ feeRules, currency }: PropertyRow): z.infer<typeof feeRulesAnswer> {
  return { success: true, rules: feeRules.map((rule) => feeRuleView(rule, currency)) };
}
