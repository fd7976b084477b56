import { addDays, startOfDayMs } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { ReportSums, Span } from './rules.ts';
import {
  type PeriodBounds,
  selectAcquirerFees,
  selectHeld,
  selectMoved,
  selectUntaken,
} from './store.ts';

/** The sums of a property's payments, by periods of its days (interface: Console). One round trip. */
export async function readReport(
  database: Database,
  property: Pick<PropertyRow, 'id' | 'timeZone'>,
  periods: readonly Span[],
): Promise<ReportSums> {
  const { queries } = database;
  const bounds = boundsOf(periods, property.timeZone);
  const [moved, held, untaken, acquirerFees] = await database.batch('d1.console.read', [
    selectMoved(queries, property.id, bounds),
    selectHeld(queries, property.id, bounds),
    selectUntaken(queries, property.id, bounds),
    selectAcquirerFees(queries, property.id, bounds),
  ]);
  return { moved, held, untaken, acquirerFees };
}

/** Periods of days in a zone as instants. A day has 23 or 25 hours where clocks change. */
export function boundsOf(periods: readonly Span[], timeZone: string): PeriodBounds[] {
  return periods.map(({ from, to }) => ({
    fromMs: startOfDayMs(from, timeZone),
    beforeMs: startOfDayMs(addDays(to, 1), timeZone),
  }));
}
