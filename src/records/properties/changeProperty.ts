import { ok, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { appendChange, type ChangedBy } from '../audit/changes.ts';
import { readProperty } from './read.ts';
import { onCurrentProperty, updateProperty } from './store.ts';

/** How the audit trail names and shows what is changed. */
interface Audited {
  readonly subject: string;
  readonly view: (row: PropertyRow) => object;
}

/**
 * Changes settings of a property where it lives, as `decide` says of the current ones, with an entry in its audit trail.
 * Answers the property as it is then.
 */
export function changeProperty(
  database: Database,
  property: string,
  by: ChangedBy,
  { subject, view }: Audited,
  decide: (before: PropertyRow) => Result<PropertyRow>,
): Promise<Result<PropertyRow>> {
  return onCurrentProperty(async () => {
    const read = await readProperty(database, property);
    if (!read.ok) return read;
    const before = read.value;
    const decided = decide(before);
    if (!decided.ok) return decided;
    const row = { ...decided.value, version: before.version + 1 };
    await database
      .of(property)
      .batch('d1.property.save', [
        updateProperty(row),
        ...appendChange(by, { places: [row.id], subject, before: view(before), after: view(row) }),
      ]);
    return ok(row);
  });
}
