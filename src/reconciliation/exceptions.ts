import { v7 as timeOrderedUuid } from 'uuid';
import type { ExceptionRow } from '../platform/db/reconciliationTables.ts';
import { logWarning } from '../platform/log.ts';
import { insertException } from './exceptionStore.ts';
import type { Difference } from './rules.ts';
import type { ReconciliationWork } from './work.ts';

/** Records differences as exceptions, each once, and logs those that are news. Returns how many are. */
export async function recordExceptions(
  work: ReconciliationWork,
  differences: readonly Difference[],
): Promise<number> {
  const { database, gateway } = work;
  const rows = differences.map((one) => exceptionRow(one, gateway.name, work.now()));
  const [first, ...rest] = rows.map((row) => insertException(database.queries, row));
  if (!first) return 0;
  const inserted = await database.batch('d1.reconciliation.save', [first, ...rest]);
  const news = rows.filter((_, at) => (inserted[at]?.length ?? 0) > 0);
  for (const row of news) logException(work, row);
  return news.length;
}

function exceptionRow(difference: Difference, gateway: string, nowMs: number): ExceptionRow {
  return {
    ...difference,
    id: timeOrderedUuid({ msecs: nowMs }),
    gateway,
    foundAtMs: nowMs,
    status: 'open',
    resolution: null,
    resolvedAtMs: null,
  };
}

function logException({ requestId }: ReconciliationWork, row: ExceptionRow): void {
  const { bookingReference, id, kind, propertyId, subject } = row;
  logWarning('reconciliation_exception', {
    requestId,
    property: propertyId ?? undefined,
    booking: bookingReference ?? undefined,
    exception: id,
    kind,
    subject,
  });
}
