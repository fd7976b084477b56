import type { Failure } from '../../core/failure.ts';
import { err, type Result } from '../../core/result.ts';
import type { Database } from '../../platform/db/database.ts';
import { propertyNotFound } from '../../records/properties/rules.ts';
import { allowed, type Person, reaches } from '../../records/staff/rules.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';

/** Who reads what of a property. */
export interface ReportWork {
  readonly database: Database;
  readonly person: Person;
  readonly property: PropertyRow;
}

/** Refuses reports and payouts to people who do not work for the property, or may not see them (interface: Staff). */
export function mayReport(
  person: Person,
  property: Pick<PropertyRow, 'id' | 'portfolio'>,
): Result<null, Failure> {
  return reaches(person, property) ? allowed(person, 'seeReports') : err(propertyNotFound());
}
