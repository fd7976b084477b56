import { propertyTime } from '../core/propertyClock.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import { refusedByGuard } from '../platform/db/errors.ts';
import { appendEntry } from '../records/history/append.ts';
import type { DisbursementRow } from '../schema/disbursementTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { changeStatus, selectOneWithClock } from './store.ts';
import { disbursementView } from './views.ts';

type Clocked = DisbursementRow & Pick<PropertyRow, 'timeZone' | 'clockAheadMs' | 'clockFrozenAtMs'>;

type Change = Pick<DisbursementRow, 'status' | 'dueAtMs'>;

/** How often a disbursement is read again that others keep changing. */
const MOST_READS = 5;

/** Advances disbursements that are due, in one batch: open ones are closed, those in transit are paid out. */
export async function advance(
  database: Database,
  due: readonly Clocked[],
  realMs: number,
): Promise<void> {
  const statements = due.flatMap((row) => {
    const atMs = propertyTime(row, realMs);
    const change = dueChange(row, atMs);
    return change ? statusStatements(row, change, atMs) : [];
  });
  if (await isSaved(database, statements)) return;
  for (const row of due) await changeAsItIs(database, row, realMs, dueChange);
}

/** The change that is due of a disbursement; null if none is. */
function dueChange({ dueAtMs, paysAtMs }: DisbursementRow, atMs: number): Change | null {
  if (dueAtMs === null || dueAtMs > atMs) return null;
  return paysAtMs === null || paysAtMs <= atMs
    ? { status: 'paid_out', dueAtMs: null }
    : { status: 'in_transit', dueAtMs: paysAtMs };
}

/** Writes the final status of a disbursement whose items are all there; once. */
export async function endDisbursement(
  database: Database,
  row: DisbursementRow,
  realMs: number,
): Promise<void> {
  await changeAsItIs(database, row, realMs, ({ status, dueAtMs }) =>
    status === row.status ? null : { status: row.status, dueAtMs },
  );
}

/** Reads a disbursement and changes it; again if somebody else changed it in between. */
async function changeAsItIs(
  database: Database,
  { propertyId, id }: DisbursementRow,
  realMs: number,
  changeOf: (row: DisbursementRow, atMs: number) => Change | null,
): Promise<void> {
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const [[row]] = await database.batch('d1.disbursement.read', [
      selectOneWithClock(propertyId, id),
    ]);
    if (!row) return;
    const atMs = propertyTime(row, realMs);
    const change = changeOf(row, atMs);
    if (!change) return;
    if (await isSaved(database, statusStatements(row, change, atMs))) return;
  }
}

/** Saves changes; false if a disbursement among them is no longer what was read, so that nothing was saved. */
async function isSaved(
  database: Database,
  [first, ...rest]: readonly Statement[],
): Promise<boolean> {
  if (!first) return true;
  try {
    await database.batch('d1.disbursement.save', [first, ...rest]);
    return true;
  } catch (error) {
    if (refusedByGuard(error, 'stale_state')) return false;
    throw error;
  }
}

/** The change of a status; one that is paid out or failed is an event, which shows the whole disbursement. */
function statusStatements(row: Clocked, change: Change, atMs: number): Statement[] {
  const { id, propertyId, timeZone } = row;
  const { status } = change;
  const changes: Statement[] = [...changeStatus(row, change)];
  if (status !== 'paid_out' && status !== 'failed') return changes;
  const disbursement = disbursementView({ ...row, ...change }, timeZone);
  return [
    ...changes,
    ...appendEntry({
      propertyId,
      bookingReference: null,
      atMs,
      actor: 'gateway',
      subject: { kind: 'disbursement', id },
      event: { type: `disbursement.${status}`, snapshot: { disbursement }, timeZone },
    }),
  ];
}
