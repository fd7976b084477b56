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
  record: DisputeRecord,
): Promise<boolean> {
  const { queries } = work.database;
  const [known] = await work.database.batch('d1.dispute.read', [
    selectDisputesOfBooking(queries, work.propertyId, work.reference),
  ]);
  const before = known.find(({ id }) => id === record.id) ?? null;
  const reported = withEnd(inCurrencyOf(charge, record), before, work.now());
  if (before && isSame(before, reported)) return false;
  const audited = auditEntry(work, {
    subject: `charge ${charge.row.id} dispute ${reported.id}`,
    from: before?.status ?? null,
    to: reported.status,
    detail: reported.reason,
  });
  await work.database.batch('d1.dispute.save', [
    appendAudit(queries, audited),
    ...(before === null
      ? opened(work, charge, reported)
      : stepsTo(before, changeOf(reported, work.now())).flatMap((step) =>
          changed(work, charge, step),
        )),
  ]);
  return true;
}

/** A dispute in another currency counts with the whole charge: the journal of a charge has one currency. */
function inCurrencyOf({ row }: DisputedCharge, record: DisputeRecord): DisputeRecord {
  const { amountMinor, currency } = row;
  return record.currency === currency ? record : { ...record, amountMinor, currency, feeMinor: 0 };
}

/** An acquirer may not tell when a dispute ended: then it is when this service learnt that. */
function withEnd(
  { closedAtMs, ...record }: DisputeRecord,
  before: DisputeRow | null,
  nowMs: number,
): DisputeRecord {
  const isClosed = record.status === 'won' || record.status === 'lost';
  return { ...record, closedAtMs: isClosed ? (closedAtMs ?? before?.closedAtMs ?? nowMs) : null };
}

/**
 * The statements that record a dispute which was not known before. Funds that left and came back before this service
 * heard of it moved twice all the same.
 */
function opened(work: BookingWork, charge: DisputedCharge, reported: DisputeRecord): Statement[] {
  const { id: transactionId, propertyId, bookingReference } = charge.row;
  const { fundsReturned, ...dispute } = reported;
  const row: DisputeRow = {
    ...dispute,
    fundsWithdrawn: dispute.fundsWithdrawn || fundsReturned,
    propertyId,
    bookingReference,
    transactionId,
    changedAtMs: dispute.openedAtMs,
    learntAtMs: work.now(),
    version: 1,
  };
  const inserted = insertDispute(work.database.queries, row);
  if (!row.fundsWithdrawn) return [inserted];
  const withdrawn = [inserted, ...tellPms(work, charge, row)];
  if (dispute.fundsWithdrawn) return withdrawn;
  return [
    ...withdrawn,
    ...changed(work, charge, { before: row, change: changeOf(reported, work.now()) }),
  ];
}

/** The columns that news of a known dispute can change. */
type Change = Pick<DisputeRow, (typeof COMPARED)[number] | 'changedAtMs' | 'learntAtMs'>;

/** One change of a dispute. */
interface Step {
  readonly before: DisputeRow;
  readonly change: Change;
}

/**
 * The changes that lead to the state which the acquirer reports. While funds are withdrawn, another amount means that
 * the old one came back first: what is given back is always what was withdrawn.
 */
function stepsTo(before: DisputeRow, change: Change): Step[] {
  if (!before.fundsWithdrawn || before.amountMinor === change.amountMinor) {
    return [{ before, change }];
  }
  const { amountMinor } = before;
  const returned = { ...change, amountMinor, fundsWithdrawn: false };
  const between = { ...before, ...returned, version: before.version + 1 };
  return [
    { before, change: returned },
    { before: between, change },
  ];
}

function changeOf(reported: DisputeRecord, nowMs: number): Change {
  const { status, reason, amountMinor, feeMinor, fundsWithdrawn, respondByMs, closedAtMs } =
    reported;
  return {
    status,
    reason,
    amountMinor,
    feeMinor,
    fundsWithdrawn,
    respondByMs,
    closedAtMs,
    changedAtMs: closedAtMs ?? nowMs,
    learntAtMs: nowMs,
  };
}

/** The statements of one change, with the message to the PMS when it withdraws the funds or gives them back. */
function changed(work: BookingWork, charge: DisputedCharge, { before, change }: Step): Statement[] {
  const updated = updateDispute(work.database.queries, before, change);
  return before.fundsWithdrawn === change.fundsWithdrawn
    ? [updated]
    : [updated, ...tellPms(work, charge, { ...before, ...change })];
}

function tellPms(
  work: BookingWork,
  { state, row, card }: DisputedCharge,
  dispute: DisputeRow,
): Statement[] {
  const id = work.ids.next('refund', work.now());
  const message = chargebackMessage({ ...state, card }, row, dispute, id);
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
