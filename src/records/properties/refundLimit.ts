import type { Failure } from '../../core/failure.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { ChangedBy } from '../audit/changes.ts';
import { changeProperty } from './changeProperty.ts';
import { propertyView } from './views.ts';

/**
 * Sets the most that a property's cashiers refund of one booking in a day, in minor units; null for nothing. Answers the
 * property as it is then.
 */
export function putRefundLimit(
  database: Database,
  property: string,
  refundLimitMinor: number | null,
  by: ChangedBy,
): Promise<Result<PropertyRow, Failure>> {
  const audited = { subject: 'property', view: propertyView };
  return changeProperty(database, property, by, audited, (before) =>
    ok({ ...before, refundLimitMinor }),
  );
}
