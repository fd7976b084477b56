import { exponentOf, storedDecimal, toDecimal } from '../../core/money.ts';
import type { Branding, Contact, GuestMails, PropertyRow } from '../../schema/propertyTables.ts';
import { channelCodeOf, feeLawOf } from './rules.ts';

/** A property's settings for administrators: everything except passwords (interface: Put a property). */
export function propertyView(row: PropertyRow) {
  return {
    property: row.id,
    name: row.name,
    site: row.site,
    currency: row.currency,
    timeZone: row.timeZone,
    portfolio: row.portfolio,
    cardFeeBasisPoints: row.cardFeeBasisPoints,
    cardFeeByBrand: row.cardFeeByBrand,
    transactionFee: toDecimal(row.transactionFeeMinor, exponentOf(row.currency) ?? 2),
    refundLimit:
      row.refundLimitMinor === null ? null : storedDecimal(row.refundLimitMinor, row.currency),
    country: row.country,
    feeLaw: feeLawOf(row),
    overchargeGuard: row.overchargeGuard,
    duplicateWindowSeconds: row.duplicateWindowSeconds,
    keepSchedulesOnCancellation: row.keepSchedulesOnCancellation,
    cardRecovery: row.cardRecovery,
    stripeAccount: row.merchantAccount,
    bookingsFromPms: row.bookingsFromPms,
    channelCode: channelCodeOf(row),
    contact: contactView(row.contact),
    guestMails: guestMailsView(row.guestMails),
    branding: brandingView(row.branding),
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

/** How guests reach a property, every member named (interface: Put a property). */
function contactView(contact: Contact | null) {
  return {
    email: contact?.email ?? null,
    phone: contact?.phone ?? null,
    address: contact?.address ?? null,
    website: contact?.website ?? null,
    termsUrl: contact?.termsUrl ?? null,
    taxId: contact?.taxId ?? null,
  };
}

/** Which mails guests get, every member named; null for what the property did not say (interface: Mails). */
function guestMailsView(mails: GuestMails | null) {
  return {
    receipts: mails?.receipts ?? null,
    refunds: mails?.refunds ?? null,
    failedPayments: mails?.failedPayments ?? null,
    languages: mails?.languages ? [...mails.languages] : null,
  };
}

/** How a property looks to guests, every member named. */
function brandingView(branding: Branding | null) {
  return { logoUrl: branding?.logoUrl ?? null, colour: branding?.colour ?? null };
}
