import { pick } from '../../core/pick.ts';
import { sumOf } from '../../core/sum.ts';
import { localDate } from '../../core/time.ts';
import type { DisputeMovement, DisputeRecord } from '../../gateways/gateway.ts';
import { commit } from '../../operation/commit.ts';
import { type DraftedEvent, draftEntry, type Shown, type Write } from '../../operation/draft.ts';
import { selectDisputesOfBooking } from '../../operation/shownStore.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { chargebackMessage } from '../../pms/rules/messages.ts';
import { addToDays, agencyOf } from '../../records/history/daySumsStore.ts';
import type { EventType } from '../../records/history/rules/eventTypes.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';
import type { Movement } from '../../schema/historyTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { noteOwed } from '../balance/owed.ts';
import type { LoadedTransaction } from '../payments/loadTransaction.ts';
import { newMovements, nextLookAtMs } from './rules.ts';
import {
  insertDispute,
  type StagedDispute,
  selectDisputeMovements,
  updateDispute,
} from './store.ts';
import { disputeView } from './views.ts';

/**
 * Records a dispute as the acquirer has it now (interface: Disputes). What is withdrawn for it does not count as paid:
 * each movement that the history does not have yet is an entry of it, and the PMS gets a message of each. Returns whether
 * anything changed; the same record again changes nothing.
 */
export async function recordDispute(
  work: BookingWork,
  charge: LoadedTransaction,
  record: DisputeRecord,
): Promise<boolean> {
  const [known, moved] = await work.database.batch('d1.dispute.read', [
    selectDisputesOfBooking(work.propertyId, work.reference),
    selectDisputeMovements(work, record.id),
  ]);
  const before = known.find(({ id }) => id === record.id) ?? null;
  const theirs = inCurrencyOf(charge, record);
  const isClosed = theirs.status === 'won' || theirs.status === 'lost';
  // An acquirer may not tell when a dispute ended: then it is when this service learnt that.
  const endedAtMs = theirs.closedAtMs ?? before?.closedAtMs ?? work.now();
  const reported = { ...theirs, closedAtMs: isClosed ? endedAtMs : null };
  const further = newMovements(reported.movements, moved);
  const row = rowOf(work, charge, reported, before, [...moved, ...further]);
  const isSame = REPORTED.every((member) => before?.[member] === row[member]);
  if (before && further.length === 0 && isSame) return false;
  // If the alarm cannot be set, the sweep wakes the booking a little later.
  if (row.dueAtMs !== null) await work.wakeBy(row.dueAtMs).catch(() => undefined);
  const isInquiry = moved.length + further.length === 0;
  await commit(work, 'd1.dispute.save', [
    before
      ? updateDispute(before, pick(row, ...REPORTED, 'changedAtMs', 'learntAtMs', 'dueAtMs'))
      : insertDispute(row),
    ...further.map((movement) => movementEntry(work, charge.row, row, movement)),
    ...disputeEntries(work, charge.row, before, {
      ...row,
      stage: isInquiry ? 'inquiry' : 'chargeback',
    }),
    ...further.flatMap((movement) => {
      const id = work.ids.next('refund', work.now());
      const of = { ...charge.state, card: charge.card };
      const message = chargebackMessage(of, charge.row, { dispute: row, movement }, id);
      return queueMessage(work, charge.state.property, message);
    }),
    // A movement alone is no event.
    ...noteOwed(work).map((beside) => ({ beside })),
    ...(further.length > 0 ? [{ beside: noteMoved(work, charge, further) }] : []),
  ]);
  return true;
}

/** Sums up what was moved, as the history has it. */
function noteMoved(
  { actor, actorName, propertyId }: BookingWork,
  { card, row, state }: LoadedTransaction,
  movements: readonly DisputeMovement[],
): Statement {
  const sums = movements.map(({ amountMinor, atMs }) => ({
    day: localDate(atMs, state.property.timeZone),
    currency: row.currency,
    movement: movementOf(amountMinor),
    brand: card.brand,
    agency: agencyOf(card),
    purpose: row.purpose,
    actor,
    actorName,
    number: 1,
    amountMinor,
    feeMinor: 0,
  }));
  return addToDays(propertyId, sums);
}

function movementOf(amountMinor: number): Movement {
  return amountMinor < 0 ? 'chargeback' : 'chargeback_reversal';
}

function movementEntry(
  work: BookingWork,
  charge: TransactionRow,
  { id, learntAtMs }: DisputeRow,
  { amountMinor, atMs }: DisputeMovement,
): Write {
  return draftEntry(
    work,
    learntAtMs,
    { kind: 'dispute', id },
    {
      charge,
      moved: {
        kind: movementOf(amountMinor),
        currency: charge.currency,
        amountMinor,
        feeMinor: 0,
        gateway: charge.gateway,
        gatewayReference: id,
        occurredAtMs: atMs,
      },
    },
  );
}

/** The entry of a change of a dispute; one that is over when it is learnt of was opened all the same. */
function disputeEntries(
  work: BookingWork,
  charge: TransactionRow,
  before: DisputeRow | null,
  row: StagedDispute,
): Write[] {
  const { id, learntAtMs, reason, status } = row;
  const isOver = (status === 'won' || status === 'lost') && before?.status !== status;
  const ended: EventType[] = isOver ? [`dispute.${status}`] : [];
  const [first = null, second] = before ? ended : (['dispute.opened', ...ended] as const);
  const subject = { kind: 'dispute', id } as const;
  const event = (type: EventType) => disputeEvent(type, row);
  const states = { from: before?.status ?? null, to: status, detail: reason };
  return [
    draftEntry(work, learntAtMs, subject, { ...states, charge, event: first && event(first) }),
    ...(second ? [draftEntry(work, learntAtMs, subject, { charge, event: event(second) })] : []),
  ];
}

/** An event of a dispute, which shows it as lists do. */
export function disputeEvent(type: EventType, row: StagedDispute): DraftedEvent {
  return {
    type,
    snapshot: ({ property }: Shown) => ({ dispute: disputeView(row, property.timeZone) }),
  };
}

/**
 * A dispute in another currency counts with the whole charge, and what it moves in proportion: the history of a charge
 * has one currency.
 */
function inCurrencyOf({ row }: LoadedTransaction, record: DisputeRecord): DisputeRecord {
  const { amountMinor, currency } = row;
  if (record.currency === currency) return record;
  const movements = record.movements.map((one) => ({
    ...one,
    amountMinor: Math.round((one.amountMinor * amountMinor) / record.amountMinor),
  }));
  return { ...record, amountMinor, currency, feeMinor: 0, movements };
}

/** The row of a dispute as it is after the acquirer's record. `moved` is all that the history then has of it. */
function rowOf(
  work: BookingWork,
  { row: charge }: LoadedTransaction,
  record: DisputeRecord,
  before: DisputeRow | null,
  moved: readonly Pick<DisputeMovement, 'amountMinor'>[],
): DisputeRow {
  const nowMs = work.now();
  const { answer: _answer, movements: _movements, ...reported } = record;
  const changedAtMs = before ? (reported.closedAtMs ?? nowMs) : reported.openedAtMs;
  const row = {
    ...(before ?? NOT_ANSWERED),
    ...reported,
    propertyId: charge.propertyId,
    bookingReference: charge.bookingReference,
    transactionId: charge.id,
    openedAtMs: before?.openedAtMs ?? reported.openedAtMs,
    fundsWithdrawn: sumOf(moved, 'amountMinor') < 0,
    changedAtMs,
    learntAtMs: nowMs,
    version: before?.version ?? 1,
  };
  return { ...row, dueAtMs: nextLookAtMs(row, nowMs) };
}

const NOT_ANSWERED = {
  pendingAnswer: null,
  answer: null,
  answeredAtMs: null,
  answerReference: null,
  askedAtMs: null,
  sentAtMs: null,
  statusChecks: 0,
  absentAtMs: null,
  toldDeadlineMs: null,
  dueAtMs: null,
} satisfies Partial<DisputeRow>;

/** The columns of a known dispute that the acquirer's record can change. */
const REPORTED = [
  'status',
  'reason',
  'amountMinor',
  'feeMinor',
  'fundsWithdrawn',
  'respondByMs',
  'closedAtMs',
] as const;
