import { failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import { logInfo } from '../../platform/log.ts';
import type { ArchiveWork } from '../../records/archive/read.ts';
import { selectProperty } from '../../records/properties/store.ts';
import type { OutboxRow } from '../../schema/outboxTables.ts';
import type { Changed, Operator } from '../outbox/actions.ts';
import {
  type RepairOf,
  recordMessages,
  replayMessages,
  selectRepaired,
} from '../outbox/replayStore.ts';
import { promoteNext } from '../outbox/store.ts';
import { readMissing } from './missing.ts';
import { keptReport } from './reports.ts';
import { insertAgain, selectReport } from './store.ts';

/** A message that is sent again by itself within this time is under way. */
const SOON_MS = MINUTE_MS;

/** How many messages one batch sends again. */
const MESSAGES_AT_ONCE = 100;

export interface RepairWork extends ArchiveWork {
  readonly propertyId: string;
  readonly by: Operator;
  readonly nowMs: number;
  /** Brings an archived booking back: what changes its messages is in its history. */
  bringBack(reference: string): Promise<Result<unknown>>;
}

/**
 * Sends the messages again that a report found missing at the PMS (pms: The PMS's ledger), each under its `MessageID`, and
 * not those that are under way, or were confirmed or dismissed since. With `dryRun` it only counts them.
 */
export async function repairLedger(
  work: RepairWork,
  reportId: string,
  dryRun: boolean,
): Promise<Result<Changed>> {
  const { database, propertyId } = work;
  const [[report], [property]] = await database.batch('d1.ledger.read', [
    selectReport(propertyId, reportId),
    selectProperty(propertyId),
  ]);
  if (!report || !property) return err(REPORT_NOT_FOUND);
  const { missing } = keptReport(report);
  let count = 0;
  for (let at = 0; at < missing.length; at += MESSAGES_AT_ONCE) {
    const some = missing.slice(at, at + MESSAGES_AT_ONCE);
    const messageIds = some.map(({ messageId }) => messageId);
    const settledUntilMs = report.createdAtMs;
    const waitingUntilMs = work.nowMs + SOON_MS;
    const of = { propertyId, messageIds, settledUntilMs, waitingUntilMs };
    const found = await readMissing(work, property, some);
    // All messages of an archived booking are settled.
    const gone = found.archived.filter(
      ({ completedAtMs }) => (completedAtMs ?? 0) <= settledUntilMs,
    );
    if (dryRun) {
      const { length } = await readRepaired(database, of);
      count += length + found.letGo.length + gone.length;
      continue;
    }
    for (const reference of new Set(gone.map(({ bookingReference }) => bookingReference))) {
      const back = await work.bringBack(reference);
      if (!back.ok) return back;
    }
    const { letGo } = gone.length > 0 ? await readMissing(work, property, some) : found;
    count += await sendAgain(work, of, letGo);
  }
  if (count > 0 && !dryRun) {
    const { clientId, requestId } = work.by;
    logInfo('ledger_repaired', { requestId, property: propertyId, by: clientId, messages: count });
  }
  return ok({ count, pmsUrl: property.pmsUrl });
}

export const REPORT_NOT_FOUND = failure(
  'report_not_found',
  'The property has no report with this id.',
);

async function readRepaired(database: Database, of: RepairOf) {
  const [messages] = await database.batch('d1.ledger.read', [selectRepaired(of)]);
  return messages;
}

/** Queues messages again, each behind the earlier ones of its booking. Returns how many. */
async function sendAgain(
  { by, database, nowMs }: RepairWork,
  of: RepairOf,
  letGo: readonly OutboxRow[],
): Promise<number> {
  const [again, ...more] = letGo.map(insertAgain);
  if (again) await database.batch('d1.ledger.save', [again, ...more]);
  const found = await readRepaired(database, of);
  if (found.length === 0) return 0;
  const bookings = new Map(found.map((one) => [one.bookingReference, one])).values();
  const [, queued] = await database.batch('d1.ledger.save', [
    recordMessages(of, 'Pending', { actor: by.clientId, actorName: by.name ?? null, atMs: nowMs }),
    replayMessages(of, nowMs),
    ...[...bookings].map((booking) => promoteNext(booking, nowMs)),
  ]);
  return queued.length;
}
