import { type Failure, type FieldIssue, failure, fieldFailure } from '../../core/failure.ts';
import { propertyTime } from '../../core/propertyClock.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import { seal } from '../../platform/crypto/seal.ts';
import type { Database, Statement } from '../../platform/db/database.ts';
import { refusedByGuard } from '../../platform/db/errors.ts';
import type {
  Branding,
  CardRecovery,
  Contact,
  GuestMails,
  PropertyRow,
} from '../../schema/propertyTables.ts';
import { appendChange, type ChangedBy } from '../audit/changes.ts';
import { beginFormerRecoveries, recheckFormer } from '../recoveries/store.ts';
import { onCurrentProperty } from './change.ts';
import { holdAmounts } from './feeRules.ts';
import { type Changes, changed } from './guestSettings.ts';
import { withPmsPassword } from './pmsLogin.ts';
import { unlawfulFees } from './rules/lawfulFees.ts';
import {
  insertProperty,
  keepAccount,
  replanExpiryWarnings,
  selectByPmsUser,
  selectProperty,
  updateProperty,
} from './store.ts';
import { propertyView } from './views.ts';

/** An administrator's settings for a property (interface: Put a property). Missing ones keep their value. */
export interface PropertyDetails {
  readonly property: string;
  readonly name: string;
  readonly site: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly portfolio?: string | undefined;
  readonly cardFeeBasisPoints?: number | undefined;
  readonly cardFeeByBrand?: Record<string, number> | undefined;
  readonly transactionFeeMinor?: number | undefined;
  /** Minor units; null for no refunds by cashiers. */
  readonly refundLimitMinor?: number | null | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  readonly feeLaw?: PropertyRow['feeLaw'] | undefined;
  readonly overchargeGuard?: PropertyRow['overchargeGuard'] | undefined;
  readonly duplicateWindowSeconds?: number | undefined;
  readonly keepSchedulesOnCancellation?: boolean | undefined;
  /** Null: guests are not asked for another card. */
  readonly cardRecovery?: CardRecovery | null | undefined;
  readonly merchantAccount?: string | undefined;
  readonly bookingsFromPms?: boolean | undefined;
  readonly channelCode?: string | undefined;
  readonly contact?: Changes<Contact>;
  readonly guestMails?: Changes<GuestMails>;
  readonly branding?: Changes<Branding>;
  readonly pms?: PmsDetails | undefined;
}

/** The connection to a property's PMS. */
export interface PmsDetails {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly transactionFormat?: PropertyRow['pmsTransactionFormat'] | undefined;
  readonly namespace?: string | undefined;
}

/** A property as it was put. */
export interface PutProperty {
  readonly row: PropertyRow;
  /** How many pending schedules lost their card because the account changed; null if it did not. */
  readonly affectedSchedules: number | null;
}

/** Creates or changes a property. Encrypts its PMS password, bound to the property's id. */
export async function putProperty(
  database: Database,
  keyring: Keyring,
  details: PropertyDetails,
  by: ChangedBy,
): Promise<Result<PutProperty, Failure>> {
  try {
    return await onCurrentProperty(() => putOnce(database, keyring, details, by));
  } catch (error) {
    if (refusedByGuard(error, 'currency_in_use')) return err(currencyInUse());
    throw error;
  }
}

async function putOnce(
  database: Database,
  keyring: Keyring,
  details: PropertyDetails,
  by: ChangedBy,
): Promise<Result<PutProperty, Failure>> {
  const { queries } = database;
  const { nowMs } = by;
  const [[before], namesakes] = await database.batch('d1.property.find', [
    selectProperty(queries, details.property),
    selectByPmsUser(queries, details.pms?.username ?? ''),
  ]);
  const inOldCurrency = before ? amountsInOldCurrency(before, details) : [];
  if (inOldCurrency.length > 0) return err(fieldFailure(inOldCurrency));
  if (await hasLoginOfAnother(keyring, namesakes, details)) return err(loginTaken());
  const row = await propertyRow(keyring, before ?? null, details, nowMs);
  if (row.feeLaw === 'enforce' && row.country === null) return err(countryNeeded());
  const unlawful = unlawfulFees(row, propertyTime(row, nowMs));
  if (unlawful) return err(unlawful);
  const hasNewPassword = before !== undefined && (await isNewPassword(keyring, before, details));
  const audited = appendChange(queries, by, {
    places: [row.id],
    subject: 'property',
    before: before ? propertyView(before) : null,
    after: { ...propertyView(row), ...(hasNewPassword && { pmsPassword: 'changed' }) },
  });
  const saved = await saveProperty(database, before, row, { details, nowMs, audited });
  return ok({ row, affectedSchedules: saved });
}

/** How a property is saved: the settings that were sent, when, and the audit entries of what changes. */
interface Saving {
  readonly details: PropertyDetails;
  readonly nowMs: number;
  readonly audited: readonly Statement[];
}

/**
 * Saves a property, with what its new settings change of recoveries. Returns how many pending schedules lost their card;
 * null if the account stays.
 */
async function saveProperty(
  database: Database,
  before: PropertyRow | undefined,
  row: PropertyRow,
  { details, nowMs, audited }: Saving,
): Promise<number | null> {
  const { queries } = database;
  if (before === undefined) {
    await database.batch('d1.property.save', [
      insertProperty(queries, row),
      keepAccount(queries, row),
      ...audited,
    ]);
    return null;
  }
  const hasNewAccount = before.merchantAccount !== row.merchantAccount;
  const isAskedAnew = details.cardRecovery !== undefined;
  const atMs = propertyTime(row, nowMs);
  const changes = [
    updateProperty(queries, row),
    keepAccount(queries, row),
    ...audited,
    ...(hasNewAccount || isAskedAnew ? [recheckFormer(queries, row.id, atMs)] : []),
    ...(isAskedAnew ? [replanExpiryWarnings(queries, row, atMs)] : []),
  ] as const;
  if (!hasNewAccount) {
    await database.batch('d1.property.save', changes);
    return null;
  }
  const [affected] = await database.batch('d1.property.save', [
    beginFormerRecoveries(queries, {
      propertyId: row.id,
      account: row.merchantAccount,
      nowMs: atMs,
    }),
    ...changes,
  ]);
  return affected.length;
}

/** Amounts of money do not change with the currency: the caller must send a fixed fee again, and rules before. */
function amountsInOldCurrency(before: PropertyRow, details: PropertyDetails): FieldIssue[] {
  if (before.currency === details.currency) return [];
  const faults: FieldIssue[] = [];
  if (before.transactionFeeMinor > 0 && details.transactionFeeMinor === undefined) {
    const message = 'Send the fee again, in the new currency.';
    faults.push({ field: 'transactionFee', code: 'required', message });
  }
  if (before.refundLimitMinor !== null && details.refundLimitMinor === undefined) {
    const message = 'Send the limit again, in the new currency.';
    faults.push({ field: 'refundLimit', code: 'required', message });
  }
  if (holdAmounts(before.feeRules)) {
    const message =
      'The fee rules hold amounts in the old currency. Put rules without amounts first.';
    faults.push({ field: 'currency', code: 'invalid_value', message });
  }
  return faults;
}

/** The password alone tells properties with one PMS user name apart. */
async function hasLoginOfAnother(
  keyring: Keyring,
  namesakes: readonly PropertyRow[],
  { pms, property }: PropertyDetails,
): Promise<boolean> {
  if (pms === undefined) return false;
  const others = namesakes.filter(({ id }) => id !== property);
  return (await withPmsPassword(keyring, others, pms.password)).length > 0;
}

/** Whether the PMS gets another password than it had. Sealed texts differ even where their texts do not. */
async function isNewPassword(
  keyring: Keyring,
  before: PropertyRow,
  { pms }: PropertyDetails,
): Promise<boolean> {
  return pms !== undefined && (await withPmsPassword(keyring, [before], pms.password)).length === 0;
}

function loginTaken(): Failure {
  return fieldFailure([
    {
      field: 'pms.password',
      code: 'already_used',
      message: 'Another property has this user name and password. Use another password.',
    },
  ]);
}

function countryNeeded(): Failure {
  return fieldFailure([
    {
      field: 'country',
      code: 'required',
      message: 'Only with a country is it known which law to enforce.',
    },
  ]);
}

function currencyInUse(): Failure {
  return failure(
    'invalid_state',
    'The property has bookings or applications in its currency, so the currency can no longer change.',
  );
}

/** The row of a property, from its new settings and the row before. */
export async function propertyRow(
  keyring: Keyring,
  before: PropertyRow | null,
  details: PropertyDetails,
  nowMs: number,
): Promise<PropertyRow> {
  return {
    id: details.property,
    name: details.name,
    site: details.site,
    currency: details.currency,
    timeZone: details.timeZone,
    portfolio: details.portfolio ?? before?.portfolio ?? 'default',
    cardFeeBasisPoints: details.cardFeeBasisPoints ?? before?.cardFeeBasisPoints ?? 0,
    cardFeeByBrand: details.cardFeeByBrand ?? before?.cardFeeByBrand ?? {},
    transactionFeeMinor: details.transactionFeeMinor ?? before?.transactionFeeMinor ?? 0,
    keepSchedulesOnCancellation:
      details.keepSchedulesOnCancellation ?? before?.keepSchedulesOnCancellation ?? false,
    cardRecovery:
      details.cardRecovery === undefined ? (before?.cardRecovery ?? null) : details.cardRecovery,
    merchantAccount: details.merchantAccount ?? before?.merchantAccount ?? null,
    feeRules: before?.feeRules ?? [],
    country: details.country ?? before?.country ?? null,
    feeLaw: details.feeLaw ?? before?.feeLaw ?? null,
    overchargeGuard: details.overchargeGuard ?? before?.overchargeGuard ?? 'warn',
    duplicateWindowSeconds: details.duplicateWindowSeconds ?? before?.duplicateWindowSeconds ?? 0,
    refundLimitMinor: refundLimitOf(before, details),
    ...(await pmsColumns(keyring, before, details)),
    ...guestColumns(before, details),
    ...keptColumns(before),
    version: (before?.version ?? 0) + 1,
    createdAtMs: before?.createdAtMs ?? nowMs,
  };
}

function refundLimitOf(
  before: PropertyRow | null,
  { refundLimitMinor }: PropertyDetails,
): number | null {
  return refundLimitMinor === undefined ? (before?.refundLimitMinor ?? null) : refundLimitMinor;
}

/** The columns that no settings change. */
function keptColumns(before: PropertyRow | null) {
  return {
    webhookEndpoints: before?.webhookEndpoints ?? [],
    clockAheadMs: before?.clockAheadMs ?? 0,
    clockFrozenAtMs: before?.clockFrozenAtMs ?? null,
  };
}

/** The columns of what guests see of a property. */
function guestColumns(
  before: PropertyRow | null,
  { contact, guestMails, branding }: PropertyDetails,
) {
  return {
    contact: changed(before?.contact ?? null, contact),
    guestMails: changed(before?.guestMails ?? null, guestMails),
    branding: changed(before?.branding ?? null, branding),
  };
}

/** The columns of a property's connection to its PMS, and of what that PMS is told. */
async function pmsColumns(
  keyring: Keyring,
  before: PropertyRow | null,
  { property, pms, bookingsFromPms, channelCode }: PropertyDetails,
) {
  return {
    pmsUrl: pms?.url ?? before?.pmsUrl ?? null,
    pmsUsername: pms?.username ?? before?.pmsUsername ?? null,
    pmsPasswordSealed: pms
      ? await seal(keyring, 'pms-credentials', property, pms.password)
      : (before?.pmsPasswordSealed ?? null),
    pmsTransactionFormat: pms?.transactionFormat ?? before?.pmsTransactionFormat ?? 'JSON',
    pmsNamespace: pms?.namespace ?? before?.pmsNamespace ?? null,
    bookingsFromPms: bookingsFromPms ?? before?.bookingsFromPms ?? false,
    channelCode: channelCode ?? before?.channelCode ?? null,
  };
}
