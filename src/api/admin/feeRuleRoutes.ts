import { ok } from '../../core/result.ts';
import { changedBy } from '../../http/changedBy.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { getFeeRules, putFeeRules } from '../../records/properties/feeRules.ts';
import {
  feeRulesAnswer,
  feeRulesView,
  getFeeRulesBody,
  putFeeRulesBody,
} from './feeRuleSchemas.ts';

/** The administrator's operations on the fee rules of a property (interface: Fee rules). */
export function registerFeeRules(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/fee-rules/put',
      summary: 'Replace the fee rules of a property',
      body: () => putFeeRulesBody,
      answer: feeRulesAnswer,
      problems: [
        'property_not_found',
        'amount_precision',
        'amount_out_of_range',
        'surcharge_not_allowed',
      ],
    },
    async ({ c, body }) => {
      const put = await putFeeRules(c.get('database'), body.property, body.rules, changedBy(c));
      return put.ok ? ok(feeRulesView(put.value)) : put;
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/fee-rules/get',
      summary: 'Get the fee rules of a property',
      body: () => getFeeRulesBody,
      answer: feeRulesAnswer,
      problems: ['property_not_found'],
    },
    async ({ c, body }) => {
      const found = await getFeeRules(c.get('database'), body.property);
      return found.ok ? ok(feeRulesView(found.value)) : found;
    },
  );
}
