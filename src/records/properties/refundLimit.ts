import type { Failure } from '../../core/failure.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { appendChange, type ChangedBy } from '../audit/changes.ts';
import { readProperty } from './read.ts';
import { onCurrentProperty, updateProperty } from './store.ts';
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
  return onCurrentProperty(async () => {
    const read = await readProperty(database, property);
    if (!read.ok) return read;
    const before = read.value;
    const row = { ...before, refundLimitMinor, version: before.version + 1 };
    await database.of(property).batch('d1.property.save', [
      updateProperty(row),
      ...appendChange(by, {
        places: [row.id],
        subject: 'property',
        before: propertyView(before),
        after: propertyView(row),
      }),
    ]);
    return ok(row);
  });
}
