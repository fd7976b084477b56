import { forgetClientsOf } from '../clients/directory.ts';
import { type Failure, failure, fieldFailure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { seal } from '../crypto/seal.ts';
import type { Database } from '../db/database.ts';
import { refusedByGuard, violatesUnique } from '../db/errors.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import { insertProperty, selectProperty, updateProperty } from './store.ts';

/** What an administrator says of a property (decisions: section 13). Optionals that are left out keep their value. */
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
  readonly keepSchedulesOnCancellation?: boolean | undefined;
  readonly stripeAccount?: string | undefined;
  readonly pms?: PmsDetails | undefined;
}

/** How a property's PMS is reached. */
export interface PmsDetails {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly transactionFormat?: PropertyRow['pmsTransactionFormat'] | undefined;
  readonly namespace?: string | undefined;
}

/** How often a change is decided anew because another came in between. */
const MOST_DECISIONS = 5;

/** Makes or changes a property. Its PMS password is kept encrypted, bound to the property's id. */
export async function putProperty(
  database: Database,
  keyring: Keyring,
  details: PropertyDetails,
  nowMs: number,
): Promise<Result<PropertyRow, Failure>> {
  for (let decision = 1; ; decision += 1) {
    try {
      return await putOnce(database, keyring, details, nowMs);
    } catch (error) {
      if (refusedByGuard(error, 'currency_in_use')) return err(currencyInUse());
      const overtaken =
        refusedByGuard(error, 'stale_state') || violatesUnique(error, 'properties.id');
      if (!overtaken) throw error;
      if (decision === MOST_DECISIONS) return err(overtakenAgain());
    }
  }
}

async function putOnce(
  database: Database,
  keyring: Keyring,
  details: PropertyDetails,
  nowMs: number,
): Promise<Result<PropertyRow, Failure>> {
  const { queries } = database;
  const [[before]] = await database.batch('d1.property.find', [
    selectProperty(queries, details.property),
  ]);
  if (before && leavesFeeInOldCurrency(before, details)) return err(feeNeeded());
  const row = await propertyRow(keyring, before ?? null, details, nowMs);
  await database.batch('d1.property.save', [
    before ? updateProperty(queries, row) : insertProperty(queries, row),
  ]);
  forgetClientsOf(row.id);
  return ok(row);
}

/** A fixed fee is an amount of money: in another currency it has to be said again. */
function leavesFeeInOldCurrency(before: PropertyRow, details: PropertyDetails): boolean {
  return (
    before.currency !== details.currency &&
    before.transactionFeeMinor > 0 &&
    details.transactionFeeMinor === undefined
  );
}

function feeNeeded(): Failure {
  return fieldFailure([
    {
      field: 'transactionFee',
      code: 'required',
      message: 'With another currency, the fee has to be given in it.',
    },
  ]);
}

function overtakenAgain(): Failure {
  return {
    code: 'busy',
    detail: 'Other changes of this property came in between. Nothing was changed: try again.',
    retryAfterSeconds: 1,
  };
}

function currencyInUse(): Failure {
  return failure(
    'invalid_state',
    'The property has bookings or applications in its currency, which can no longer change.',
  );
}

/** A property's row from what is said of it and what it was before. */
export async function propertyRow(
  keyring: Keyring,
  before: PropertyRow | null,
  details: PropertyDetails,
  nowMs: number,
): Promise<PropertyRow> {
  const { pms } = details;
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
    stripeAccount: details.stripeAccount ?? before?.stripeAccount ?? null,
    pmsUrl: pms?.url ?? before?.pmsUrl ?? null,
    pmsUsername: pms?.username ?? before?.pmsUsername ?? null,
    pmsPasswordSealed: pms
      ? await seal(keyring, 'pms-credentials', details.property, pms.password)
      : (before?.pmsPasswordSealed ?? null),
    pmsTransactionFormat: pms?.transactionFormat ?? before?.pmsTransactionFormat ?? 'JSON',
    pmsNamespace: pms?.namespace ?? before?.pmsNamespace ?? null,
    version: (before?.version ?? 0) + 1,
    createdAtMs: before?.createdAtMs ?? nowMs,
  };
}
