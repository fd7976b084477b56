import { propertyTime } from '../core/propertyClock.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import { refusedByGuard } from '../platform/db/errors.ts';
import { appendEntry } from '../records/history/append.ts';
import type { DisbursementRow } from '../schema/disbursementTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { toPost } from './rules/payouts.ts';
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

function dueChange({ dueAtMs, paysAtMs }: DisbursementRow, atMs: number): Change | null {
  if (dueAtMs === null || dueAtMs > atMs) return null;
  return paysAtMs === null || paysAtMs <= atMs
    ? { status: 'paid_out', dueAtMs: null }
    : { status: 'in_transit', dueAtMs: paysAtMs };
}

/**
 * Writes the final status of a disbursement whose items are all there, once. Where items came later than that, the books
 * get the difference.
 */
export async function endDisbursement(
  database: Database,
  row: DisbursementRow,
  realMs: number,
): Promise<void> {
  await changeAsItIs(database, row, realMs, (known) => {
    // What failed was paid out before, never after: that is an older reading.
    const status = known.status === 'failed' ? known.status : row.status;
    const isEnded = known.status === status && toPost({ ...known, status }) === null;
    return isEnded ? null : { status, dueAtMs: known.dueAtMs };
  });
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

/**
 * The change of a status, with what it posts to the books. One that is paid out or failed is an event, which shows the whole
 * disbursement.
 */
function statusStatements(row: Clocked, change: Change, atMs: number): Statement[] {
  const { currency, gateway, id, propertyId, timeZone } = row;
  const after = { ...row, ...change };
  const { status } = after;
  const posted = toPost(after);
  const changes = changeStatus(row, {
    ...change,
    postedNetMinor: row.postedNetMinor + (posted?.netMinor ?? 0),
    postedFeeMinor: row.postedFeeMinor + (posted?.feeMinor ?? 0),
  });
  const isEvent = status !== row.status && (status === 'paid_out' || status === 'failed');
  if (!posted && !isEvent) return [...changes];
  const disbursement = isEvent ? disbursementView({ row: after, bankLine: null }, timeZone) : null;
  return [
    ...changes,
    ...appendEntry({
      propertyId,
      bookingReference: null,
      atMs,
      actor: 'gateway',
      subject: { kind: 'disbursement', id },
      paidOut: posted && { currency, gateway, ...posted },
      event: isEvent
        ? { type: `disbursement.${status}`, snapshot: { disbursement }, timeZone }
        : null,
    }),
  ];
}
