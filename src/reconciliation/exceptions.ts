import { logWarning } from '../platform/log.ts';
import { openException } from '../records/exceptions/openException.ts';
import { insertException } from '../records/exceptions/store.ts';
import type { ExceptionRow } from '../schema/reconciliationTables.ts';
import type { Difference } from './rules.ts';
import type { ReconciliationWork } from './work.ts';

/** Records differences as exceptions, each once, and logs those that are news. Returns how many are. */
export async function recordExceptions(
  work: ReconciliationWork,
  differences: readonly Difference[],
): Promise<number> {
  const { database, gateway } = work;
  const found = differences.map((one) => ({ ...one, gateway: gateway.name }));
  const rows = found.map((one) => openException(one, work.now()));
  const [first, ...rest] = rows.map((row) => insertException(database.queries, row));
  if (!first) return 0;
  const inserted = await database.batch('d1.reconciliation.save', [first, ...rest]);
  const news = rows.filter((_, at) => (inserted[at]?.length ?? 0) > 0);
  for (const row of news) logException(work, row);
  return news.length;
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
