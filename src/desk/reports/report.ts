import type { Failure } from '../../core/failure.ts';
import { ok, type Result } from '../../core/result.ts';
import { addDays, startOfDayMs } from '../../core/time.ts';
import { mayReport, type ReportWork } from './access.ts';
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
  { database, person, property }: ReportWork,
  periods: readonly Span[],
): Promise<Result<ReportSums, Failure>> {
  const may = mayReport(person, property);
  if (!may.ok) return may;
  const { queries } = database;
  const bounds = boundsOf(periods, property.timeZone);
  const [moved, held, untaken, acquirerFees] = await database.batch('d1.console.read', [
    selectMoved(queries, property.id, bounds),
    selectHeld(queries, property.id, bounds),
    selectUntaken(queries, property.id, bounds),
    selectAcquirerFees(queries, property.id, bounds),
  ]);
  return ok({ moved, held, untaken, acquirerFees });
}

/** Periods of days in a zone as instants. A day has 23 or 25 hours where clocks change. */
export function boundsOf(periods: readonly Span[], timeZone: string): PeriodBounds[] {
  return periods.map(({ from, to }) => ({
    fromMs: startOfDayMs(from, timeZone),
    beforeMs: startOfDayMs(addDays(to, 1), timeZone),
  }));
}
