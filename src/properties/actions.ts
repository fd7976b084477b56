import { forgetClientsOf } from '../clients/directory.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { seal } from '../crypto/seal.ts';
import type { Database } from '../db/database.ts';
import { refusedByGuard } from '../db/errors.ts';
import type { PropertyRow } from '../db/schema.ts';
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

/** Makes or changes a property. Its PMS password is kept encrypted, bound to the property's id. */
export async function putProperty(
  database: Database,
  keyring: Keyring,
  details: PropertyDetails,
  nowMs: number,
): Promise<Result<PropertyRow, Failure>> {
  const { queries } = database;
  const [[before]] = await database.batch('d1.property.find', [
    selectProperty(queries, details.property),
  ]);
  const row = await propertyRow(keyring, before ?? null, details, nowMs);
  try {
    await database.batch('d1.property.save', [
      before ? updateProperty(queries, row) : insertProperty(queries, row),
    ]);
  } catch (error) {
    if (!refusedByGuard(error, 'currency_in_use')) throw error;
    return err(
      failure(
        'invalid_state',
        'The property has bookings in its currency, which can no longer change.',
      ),
    );
  }
  forgetClientsOf(row.id);
  return ok(row);
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
