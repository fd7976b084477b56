import { type FieldIssue, fieldFailure } from '../../core/failure.ts';
import { storedExponent, toMinor } from '../../core/money.ts';
import { propertyTime } from '../../core/propertyClock.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import type { FeeRule, PropertyRow } from '../../schema/propertyTables.ts';
import type { ChangedBy } from '../audit/changes.ts';
import { changeProperty } from './changeProperty.ts';
import { unlawfulFees } from './rules/lawfulFees.ts';
import { feeRulesView } from './views.ts';

/** A fee rule as an administrator sends it: amounts are decimals in the property's currency (interface: Fee rules). */
export interface SentFeeRule extends Omit<FeeRule, 'transactionFeeMinor' | 'maximumMinor'> {
  readonly transactionFee?: number | string | undefined;
  readonly maximum?: number | string | undefined;
}

/** Replaces the fee rules of a property. Answers the property as it is then. */
export function putFeeRules(
  database: Database,
  property: string,
  sent: readonly SentFeeRule[],
  by: ChangedBy,
): Promise<Result<PropertyRow>> {
  const audited = { subject: 'fee-rules', view: feeRulesView };
  return changeProperty(database, property, by, audited, (before) => {
    const feeRules = readRules(sent, before.currency);
    if (!feeRules.ok) return feeRules;
    const row = { ...before, feeRules: feeRules.value };
    const unlawful = unlawfulFees(row, propertyTime(row, by.nowMs));
    return unlawful ? err(unlawful) : ok(row);
  });
}

/** Reads the amounts of rules into minor units of a currency, and names every faulty one. */
function readRules(sent: readonly SentFeeRule[], currency: string): Result<readonly FeeRule[]> {
  const faults: FieldIssue[] = [];
  const feeRules = sent.map(({ transactionFee, maximum, ...rule }, index): FeeRule => {
    const read = (name: string, amount: number | string) => {
      const minor = toMinor(amount, storedExponent(currency), 0);
      if (minor.ok) return minor.value;
      const message = 'Use an amount of 0 or more, with no more decimals than the currency.';
      faults.push({ field: `rules.${index}.${name}`, code: minor.error, message });
      return 0;
    };
    return {
      ...rule,
      transactionFeeMinor: read('transactionFee', transactionFee ?? 0),
      ...(maximum !== undefined && { maximumMinor: read('maximum', maximum) }),
    };
  });
  return faults.length > 0 ? err(fieldFailure(faults)) : ok(feeRules);
}

/** Whether rules hold amounts of money, which make no sense in another currency. */
export function holdAmounts(feeRules: readonly FeeRule[]): boolean {
  return feeRules.some(
    ({ transactionFeeMinor, maximumMinor }) => transactionFeeMinor > 0 || (maximumMinor ?? 0) > 0,
  );
}
