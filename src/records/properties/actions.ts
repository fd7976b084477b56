import { type FieldIssue, failure, fieldFailure, fieldIssue } from '../../core/failure.ts';
import { pick } from '../../core/pick.ts';
import { propertyTime } from '../../core/propertyClock.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import { seal } from '../../platform/crypto/seal.ts';
import type { Database, Statement } from '../../platform/db/database.ts';
import { refusedByGuard } from '../../platform/db/errors.ts';
import type {
  Branding,
  Contact,
  GuestMails,
  PropertyRow,
  Retention,
} from '../../schema/propertyTables.ts';
import { appendChange, type ChangedBy } from '../audit/changes.ts';
import { keepsAmount } from '../policies/rules.ts';
import { beginFormerRecoveries, recheckFormer } from '../recoveries/store.ts';
import { holdAmounts } from './feeRules.ts';
import { withPmsPassword } from './pmsLogin.ts';
import { unlawfulFees } from './rules/lawfulFees.ts';
import {
  insertProperty,
  keepAccount,
  onCurrentProperty,
  replanExpiryWarnings,
  selectByPmsUser,
  selectProperty,
  updateProperty,
} from './store.ts';
import { propertyView } from './views.ts';

/** A change of settings that are kept as one object: what is left out keeps its value, null takes a value away. */
export type Changes<T> = { readonly [K in keyof T]?: T[K] | null | undefined } | null | undefined;

/** The settings that keep their value when they are left out, as they are at first. */
const FIRST_SETTINGS = {
  portfolio: 'default',
  cardFeeBasisPoints: 0,
  cardFeeByBrand: {},
  transactionFeeMinor: 0,
  keepSchedulesOnCancellation: false,
  cardRecovery: null,
  cancellationPolicy: null,
  guestCancellation: false,
  merchantAccount: null,
  country: null,
  feeLaw: null,
  overchargeGuard: 'warn',
  duplicateWindowSeconds: 0,
  refundLimitMinor: null,
  planTemplates: [],
  bookingsFromPms: false,
  channelCode: null,
} as const satisfies Partial<PropertyRow>;

type Settings = Pick<PropertyRow, keyof typeof FIRST_SETTINGS>;

/** An administrator's settings for a property (interface: Put a property). Missing ones keep their value. */
export interface PropertyDetails
  extends Pick<PropertyRow, 'name' | 'site' | 'currency' | 'timeZone'>,
    Readonly<{ [Name in keyof Settings]?: Settings[Name] | undefined }> {
  readonly property: string;
  readonly contact?: Changes<Contact>;
  readonly guestMails?: Changes<GuestMails>;
  readonly branding?: Changes<Branding>;
  readonly retention?: Changes<Retention>;
  readonly pms?: PmsDetails | undefined;
}

export interface PmsDetails {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly transactionFormat?: PropertyRow['pmsTransactionFormat'] | undefined;
  readonly namespace?: string | undefined;
}

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
): Promise<Result<PutProperty>> {
  try {
    return await onCurrentProperty(() => putOnce(database, keyring, details, by));
  } catch (error) {
    if (refusedByGuard(error, 'currency_in_use')) return err(CURRENCY_IN_USE);
    throw error;
  }
}

async function putOnce(
  database: Database,
  keyring: Keyring,
  details: PropertyDetails,
  by: ChangedBy,
): Promise<Result<PutProperty>> {
  const { nowMs } = by;
  const named = selectByPmsUser(details.pms?.username ?? '');
  const [[before], ofHome] = await database.batch('d1.property.find', [
    selectProperty(details.property),
    named,
  ]);
  const isElsewhere = database.isMany && details.pms !== undefined;
  const namesakes = isElsewhere ? await database.rowsAnywhere('d1.property.find', named) : ofHome;
  const inOldCurrency = before ? amountsInOldCurrency(before, details) : [];
  if (inOldCurrency.length > 0) return err(fieldFailure(inOldCurrency));
  if (await hasLoginOfAnother(keyring, namesakes, details)) return err(LOGIN_TAKEN);
  const row = await propertyRow(keyring, before ?? null, details, nowMs);
  if (row.feeLaw === 'enforce' && row.country === null) return err(COUNTRY_NEEDED);
  const unlawful = unlawfulFees(row, propertyTime(row, nowMs));
  if (unlawful) return err(unlawful);
  // Sealed texts differ even where their texts do not.
  const hasNewPassword =
    before !== undefined &&
    details.pms !== undefined &&
    (await withPmsPassword(keyring, [before], details.pms.password)).length === 0;
  const audited = appendChange(by, {
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
  if (before === undefined) {
    await database.batch('d1.property.save', [insertProperty(row), keepAccount(row), ...audited]);
    return null;
  }
  const hasNewAccount = before.merchantAccount !== row.merchantAccount;
  const isAskedAnew = details.cardRecovery !== undefined;
  const atMs = propertyTime(row, nowMs);
  const changes = [
    updateProperty(row),
    keepAccount(row),
    ...audited,
    ...(hasNewAccount || isAskedAnew ? [recheckFormer(row.id, atMs)] : []),
    ...(isAskedAnew ? [replanExpiryWarnings(row, atMs)] : []),
  ] as const;
  if (!hasNewAccount) {
    await database.batch('d1.property.save', changes);
    return null;
  }
  const [affected] = await database.batch('d1.property.save', [
    beginFormerRecoveries(row, atMs),
    ...changes,
  ]);
  return affected.length;
}

/** Amounts of money do not change with the currency: the caller must send a fixed fee again, and rules before. */
function amountsInOldCurrency(before: PropertyRow, details: PropertyDetails): FieldIssue[] {
  if (before.currency === details.currency) return [];
  const hasFee = before.transactionFeeMinor > 0 && details.transactionFeeMinor === undefined;
  const hasLimit = before.refundLimitMinor !== null && details.refundLimitMinor === undefined;
  const hasPolicy =
    keepsAmount(before.cancellationPolicy) && details.cancellationPolicy === undefined;
  return [
    ...(hasFee ? [inOldCurrency('transactionFee', 'fee')] : []),
    ...(hasLimit ? [inOldCurrency('refundLimit', 'limit')] : []),
    ...(holdAmounts(before.feeRules) ? [RULES_IN_OLD_CURRENCY] : []),
    ...(hasPolicy ? [inOldCurrency('cancellationPolicy', 'policy')] : []),
  ];
}

function inOldCurrency(field: string, what: string): FieldIssue {
  return fieldIssue(field, 'required', `Send the ${what} again, in the new currency.`);
}

const RULES_IN_OLD_CURRENCY = fieldIssue(
  'currency',
  'invalid_value',
  'The fee rules hold amounts in the old currency. Put rules without amounts first.',
);

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

const LOGIN_TAKEN = fieldFailure([
  fieldIssue(
    'pms.password',
    'already_used',
    'Another property has this user name and password. Use another password.',
  ),
]);

const COUNTRY_NEEDED = fieldFailure([
  fieldIssue('country', 'required', 'Only with a country is it known which law to enforce.'),
]);

const CURRENCY_IN_USE = failure(
  'invalid_state',
  'The property has bookings or applications in its currency, so the currency can no longer change.',
);

/** The row of a property, from its new settings and the row before. */
export async function propertyRow(
  keyring: Keyring,
  before: PropertyRow | null,
  details: PropertyDetails,
  nowMs: number,
): Promise<PropertyRow> {
  return {
    id: details.property,
    ...pick(details, 'name', 'site', 'currency', 'timeZone'),
    ...settingsAfter(before, details),
    ...(await pmsColumns(keyring, before, details)),
    contact: changed(before?.contact ?? null, details.contact),
    guestMails: changed(before?.guestMails ?? null, details.guestMails),
    branding: changed(before?.branding ?? null, details.branding),
    retention: changed(before?.retention ?? null, details.retention),
    // No settings change these.
    feeRules: before?.feeRules ?? [],
    webhookEndpoints: before?.webhookEndpoints ?? [],
    clockAheadMs: before?.clockAheadMs ?? 0,
    clockFrozenAtMs: before?.clockFrozenAtMs ?? null,
    version: (before?.version ?? 0) + 1,
    createdAtMs: before?.createdAtMs ?? nowMs,
  };
}

function settingsAfter(before: PropertyRow | null, details: PropertyDetails): Settings {
  const names = Object.keys(FIRST_SETTINGS) as (keyof Settings)[];
  const after = names.map((name) => [
    name,
    details[name] === undefined ? (before ?? FIRST_SETTINGS)[name] : details[name],
  ]);
  return Object.fromEntries(after) as Settings;
}

async function pmsColumns(
  keyring: Keyring,
  before: PropertyRow | null,
  { property, pms }: PropertyDetails,
) {
  return {
    pmsUrl: pms?.url ?? before?.pmsUrl ?? null,
    pmsUsername: pms?.username ?? before?.pmsUsername ?? null,
    pmsPasswordSealed: pms
      ? await seal(keyring, 'pms-credentials', property, pms.password)
      : (before?.pmsPasswordSealed ?? null),
    pmsTransactionFormat: pms?.transactionFormat ?? before?.pmsTransactionFormat ?? 'JSON',
    pmsNamespace: pms?.namespace ?? before?.pmsNamespace ?? null,
  };
}

/** Settings after a change; null if none is left. */
export function changed<T extends object>(before: T | null, changes: Changes<T>): T | null {
  if (changes === undefined) return before;
  if (changes === null) return null;
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  const all = { ...before, ...Object.fromEntries(named) };
  const kept = Object.entries(all).filter(([, value]) => value !== null);
  return kept.length === 0 ? null : (Object.fromEntries(kept) as T);
}
