import { propertyTime } from '../core/propertyClock.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import { appendEntry } from '../records/history/append.ts';
import type { DisbursementRow } from '../schema/disbursementTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { changeStatus, selectOneWithClock } from './store.ts';
import { disbursementView } from './views.ts';

/** A disbursement with its property's zone and clock. */
type Clocked = DisbursementRow & Pick<PropertyRow, 'timeZone' | 'clockAheadMs' | 'clockStandsAtMs'>;

/** The statements that advance disbursements that are due: open ones are closed, those in transit are paid out. */
export function advanceStatements(
  { queries }: Database,
  due: readonly Clocked[],
  realMs: number,
): Statement[] {
  return due.flatMap((row) => {
    const atMs = propertyTime(row, realMs);
    const paysAtMs = row.paysAtMs ?? atMs;
    const change =
      paysAtMs <= atMs
        ? ({ status: 'paid_out', dueAtMs: null } as const)
        : ({ status: 'in_transit', dueAtMs: paysAtMs } as const);
    return statusStatements(queries, row, change, atMs);
  });
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
  if (first) await database.batch('d1.disbursement.save', [first, ...rest]);
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
  const isFinal = status === 'paid_out' || status === 'failed';
  if (!isFinal) return [...changeStatus(queries, row, change)];
  const disbursement = disbursementView({ ...row, ...change }, timeZone);
  return [
    ...changeStatus(queries, row, change),
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
