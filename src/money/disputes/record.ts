import type { DisputeRecord } from '../../gateways/gateway.ts';
import { auditEntry, type BookingWork } from '../../operation/work.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { DisputeRow } from '../../platform/db/disputeTables.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { chargebackMessage } from '../../pms/messages.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { appendAudit } from '../../records/audit/store.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { insertDispute, selectDisputesOfBooking, updateDispute } from './store.ts';

/** A charge that is disputed, with its booking and card. */
export interface DisputedCharge {
  readonly state: BookingState;
  readonly row: TransactionRow;
  readonly card: CardRow | null;
}

/**
 * Records a dispute as the acquirer has it now (interface: Disputes). While its funds are withdrawn its amount does not
 * count as paid: the schema writes the journal, and the PMS gets a message each time that they leave or come back.
 * Returns whether anything changed; the same record again changes nothing.
 */
export async function recordDispute(
  work: BookingWork,
  charge: DisputedCharge,
  reported: DisputeRecord,
): Promise<boolean> {
  const { queries } = work.database;
  const [known] = await work.database.batch('d1.dispute.read', [
    selectDisputesOfBooking(queries, work.propertyId, work.reference),
  ]);
  const before = known.find(({ id }) => id === reported.id) ?? null;
  if (before && isSame(before, reported)) return false;
  const nowMs = work.now();
  const after = disputeRow(charge, before, reported, nowMs);
  const saved =
    before === null ? insertDispute(queries, after) : updateDispute(queries, before, after);
  const audited = auditEntry(work, {
    subject: `charge ${charge.row.id} dispute ${reported.id}`,
    from: before?.status ?? null,
    to: after.status,
    detail: reported.reason,
  });
  await work.database.batch('d1.dispute.save', [
    saved,
    appendAudit(queries, audited),
    ...chargebackStatements(work, charge, before, after),
  ]);
  return true;
}

function disputeRow(
  { row }: DisputedCharge,
  before: DisputeRow | null,
  reported: DisputeRecord,
  nowMs: number,
): DisputeRow {
  const { id, propertyId, bookingReference } = row;
  return {
    ...reported,
    propertyId,
    bookingReference,
    transactionId: id,
    changedAtMs: before === null ? reported.openedAtMs : (reported.closedAtMs ?? nowMs),
    learntAtMs: nowMs,
    version: (before?.version ?? 0) + 1,
  };
}

/** The message to the PMS when the acquirer withdraws the funds, or gives them back. */
function chargebackStatements(
  work: BookingWork,
  { state, row, card }: DisputedCharge,
  before: DisputeRow | null,
  after: DisputeRow,
): Statement[] {
  if (after.fundsWithdrawn === (before?.fundsWithdrawn ?? false)) return [];
  const id = work.ids.next('refund', work.now());
  const message = chargebackMessage({ ...state, card }, row, after, id);
  return queueMessage(work, state.property, message);
}

const COMPARED = [
  'status',
  'reason',
  'amountMinor',
  'feeMinor',
  'fundsWithdrawn',
  'respondByMs',
  'closedAtMs',
] as const;

function isSame(known: DisputeRow, reported: DisputeRecord): boolean {
  return COMPARED.every((member) => known[member] === reported[member]);
}
