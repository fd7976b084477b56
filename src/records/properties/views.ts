import { exponentOf, storedDecimal, toDecimal } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { templateView } from '../plans/rules/templateView.ts';
import { policyView } from '../policies/views.ts';
import { channelCodeOf, feeLawOf } from './rules.ts';

/** A property's settings for administrators: everything except passwords (interface: Put a property). */
export function propertyView(row: PropertyRow) {
  return {
    property: row.id,
    ...pick(row, 'name', 'site', 'currency', 'timeZone', 'portfolio', 'cardFeeBasisPoints'),
    cardFeeByBrand: row.cardFeeByBrand,
    transactionFee: toDecimal(row.transactionFeeMinor, exponentOf(row.currency) ?? 2),
    refundLimit:
      row.refundLimitMinor === null ? null : storedDecimal(row.refundLimitMinor, row.currency),
    country: row.country,
    feeLaw: feeLawOf(row),
    ...pick(row, 'overchargeGuard', 'duplicateWindowSeconds', 'keepSchedulesOnCancellation'),
    cardRecovery: row.cardRecovery,
    cancellationPolicy: row.cancellationPolicy && policyView(row.cancellationPolicy, row.currency),
    guestCancellation: row.guestCancellation,
    stripeAccount: row.merchantAccount,
    bookingsFromPms: row.bookingsFromPms,
    channelCode: channelCodeOf(row),
    planTemplates: row.planTemplates.map((template) => templateView(template, row.currency)),
    contact: named(row.contact, 'email', 'phone', 'address', 'website', 'termsUrl', 'taxId'),
    guestMails: named(row.guestMails, 'receipts', 'refunds', 'failedPayments', 'languages'),
    branding: named(row.branding, 'logoUrl', 'colour'),
    retention: named(row.retention, 'eraseGuestsAfterDays', 'archiveAfterDays'),
    pms:
      row.pmsUrl === null
        ? null
        : {
            url: row.pmsUrl,
            username: row.pmsUsername ?? '',
            transactionFormat: row.pmsTransactionFormat,
            namespace: row.pmsNamespace,
          },
  };
}

/** A property's fee rules, with amounts as decimals in its currency (interface: Fee rules). */
export function feeRulesView({ currency, feeRules }: Pick<PropertyRow, 'currency' | 'feeRules'>) {
  const decimal = (minor: number) => storedDecimal(minor, currency);
  return {
    rules: feeRules.map(({ transactionFeeMinor, maximumMinor, ...rule }) => ({
      ...rule,
      transactionFee: decimal(transactionFeeMinor),
      ...(maximumMinor !== undefined && { maximum: decimal(maximumMinor) }),
    })),
  };
}

/** Settings that are kept as one object, every member named; null for what the property did not say. */
function named<T extends object, Name extends keyof T & string>(
  settings: T | null,
  ...names: Name[]
) {
  const members = names.map((name) => [name, settings?.[name] ?? null]);
  return Object.fromEntries(members) as { [Of in Name]: NonNullable<T[Of]> | null };
}
