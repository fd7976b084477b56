import { propertyTime } from '../core/propertyClock.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import { refusedByGuard } from '../platform/db/errors.ts';
import { appendEntry } from '../records/history/append.ts';
import type { DisbursementRow } from '../schema/disbursementTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { changeStatus, selectOneWithClock } from './store.ts';
import { disbursementView } from './views.ts';

/** A disbursement with its property's zone and clock. */
type Clocked = DisbursementRow & Pick<PropertyRow, 'timeZone' | 'clockAheadMs' | 'clockFrozenAtMs'>;

/** Advances disbursements that are due, in one batch: open ones are closed, those in transit are paid out. */
export async function advance(
  database: Database,
  due: readonly Clocked[],
  realMs: number,
): Promise<void> {
  const [first, ...rest] = due.flatMap((row) => {
    const atMs = propertyTime(row, realMs);
    const paysAtMs = row.paysAtMs ?? atMs;
    const change =
      paysAtMs <= atMs
        ? ({ status: 'paid_out', dueAtMs: null } as const)
        : ({ status: 'in_transit', dueAtMs: paysAtMs } as const);
    return statusStatements(database.queries, row, change, atMs);
  });
  if (first) await saveUnlessOvertaken(database, [first, ...rest]);
}

/** Saves changes of status. Another sweep may have made one of them: the next sweep does the rest. */
async function saveUnlessOvertaken(
  database: Database,
  statements: [Statement, ...Statement[]],
): Promise<void> {
  try {
    await database.batch('d1.disbursement.save', statements);
  } catch (error) {
    if (!refusedByGuard(error, 'stale_state')) throw error;
  }
}

/** Writes the final status of a disbursement whose items are all there; once. */
export async function endDisbursement(
  database: Database,
  { id, propertyId, status }: DisbursementRow,
  realMs: number,
): Promise<void> {
  const { queries } = database;
  const [[row]] = await database.batch('d1.disbursement.read', [
    selectOneWithClock(queries, propertyId, id),
  ]);
  if (!row || row.status === status) return;
  const change = { status, dueAtMs: row.dueAtMs };
  const [first, ...rest] = statusStatements(queries, row, change, propertyTime(row, realMs));
  if (first) await saveUnlessOvertaken(database, [first, ...rest]);
}

/** The change of a status; one that is paid out or failed is an event, which shows the whole disbursement. */
function statusStatements(
  queries: Database['queries'],
  row: Clocked,
  change: Pick<DisbursementRow, 'status' | 'dueAtMs'>,
  atMs: number,
): Statement[] {
  const { id, propertyId, timeZone } = row;
  const { status } = change;
  const changes: Statement[] = [...changeStatus(queries, row, change)];
  if (status !== 'paid_out' && status !== 'failed') return changes;
  const disbursement = disbursementView({ ...row, ...change }, timeZone);
  return [
    ...changes,
    ...appendEntry(queries, {
      propertyId,
      bookingReference: null,
      atMs,
      actor: 'gateway',
      subject: { kind: 'disbursement', id },
      event: { type: `disbursement.${status}`, snapshot: { disbursement }, timeZone },
    }),
  ];
}
