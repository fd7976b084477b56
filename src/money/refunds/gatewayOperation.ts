import type { CertainOutcome, Outcome } from '../../gateways/gateway.ts';
import { commit } from '../../operation/commit.ts';
import { type CardUsed, draftEntry, type Write } from '../../operation/draft.ts';
import { selectRefunds } from '../../operation/shownStore.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { refundMessage, reversalMessage } from '../../pms/rules/messages.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import type { MoneyMoved } from '../../records/history/rules/entry.ts';
import type { EventType } from '../../records/history/rules/eventTypes.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';
import { type Applied, type GatewayOperation, shownNames } from '../gateway/operation.ts';
import { sentUntilMs } from '../gateway/rules/statusChecks.ts';
import { readPayment } from '../payments/correct.ts';
import { loadTransaction } from '../payments/loadTransaction.ts';
import { type AtGateway, isAtGateway } from '../payments/rules/cases.ts';
import { updateTransaction } from '../payments/store.ts';
import { isSameRefund, nextWatchMs, refundChange } from './rules.ts';
import { updateRefund } from './store.ts';
import { listedRefundView } from './views.ts';

export interface RefundSubject {
  readonly state: BookingState;
  readonly refund: RefundRow;
  /** As D1 has it: a failed refund returns its amount to the charge. */
  readonly charge: AtGateway;
  readonly card: CardRow;
}

/**
 * The gateway operation whose outcome a refund in `Processing` waits for. The refund's reference is its key. `alsoWrites` is
 * written with the outcome, by the refund as that makes it.
 */
export function refundOperation(
  work: BookingWork,
  subject: RefundSubject,
  alsoWrites: (refund: RefundRow) => Write[] = () => [],
): GatewayOperation<RefundRow, Outcome> {
  const { refund: row, charge, card } = subject;
  const { reference, propertyId, bookingReference, amountMinor, currency } = row;
  const named = { idempotencyKey: reference, propertyId, reference };
  const { gatewayToken } = card;
  return {
    row,
    kind: 'refund',
    askedAtMs: row.createdAtMs,
    isWanted: true,
    lookUpRequest: {
      ...named,
      kind: 'refund',
      gatewayToken,
      gatewayReference: charge.gatewayReference,
      sinceMs: row.createdAtMs,
      untilMs: sentUntilMs(row.createdAtMs, work.now()),
    },
    spans: { apply: 'd1.refund.apply', postpone: 'd1.refund.postpone' },
    send: (gateway) =>
      gateway.refund({
        ...named,
        bookingReference,
        amountMinor,
        currency,
        gatewayToken,
        gatewayReference: charge.gatewayReference,
        ...shownNames(subject.state, row.description),
        askedAtMs: work.now(),
      }),
    apply: (outcome, why) => {
      const { row: after, writes } = apply(work, subject, outcome, why);
      return { row: after, writes: [...writes, ...alsoWrites(after)] };
    },
    bankStep: null,
    postpone: (change) => [updateRefund(row, change)],
    withRow: (refund) => refundOperation(work, { ...subject, refund }, alsoWrites),
    read: async () => (await readRefunds(work)).find(({ id }) => id === row.id) ?? null,
  };
}

/** The new state and its audit entry, with the message to the PMS, or with the amount that returns to the charge. */
function apply(
  work: BookingWork,
  subject: RefundSubject,
  outcome: CertainOutcome,
  why: string | undefined,
): Applied<RefundRow> {
  const { row, writes } = changedRefund(work, subject, refundChange(outcome, work.now()), why);
  const told = row.status === 'Refunded' ? tellOfRefund(work, subject, row) : [];
  return { row, writes: [...writes, ...told] };
}

/** The message to the PMS about a refund that was made. */
export function tellOfRefund(
  work: BookingWork,
  { state, card, charge }: Omit<RefundSubject, 'refund'>,
  refund: RefundRow,
): Write[] {
  const message = refundMessage({ ...state, card }, refund, charge.gateway);
  return queueMessage(work, state.property, message);
}

/** A refund after a change, which has its entry in the history. A failed refund's amount is refundable again. */
export function changedRefund(
  work: BookingWork,
  { refund, charge }: Pick<RefundSubject, 'refund' | 'charge'>,
  change: Partial<RefundRow>,
  why: string | undefined,
): Applied<RefundRow> {
  const row = { ...refund, ...change, version: refund.version + 1 };
  const writes = [
    updateRefund(refund, change),
    refundEntry(work, work.now(), { before: refund, after: row, charge }, why),
    ...(row.status === 'Failed' ? [reserveOn(work, charge, -refund.amountMinor)] : []),
  ];
  return { row, writes };
}

/** The change of what is given back of a charge, or reserved for that, by an amount that may be negative. */
export function reserveOn(work: BookingWork, charge: TransactionRow, byMinor: number): Statement {
  return updateTransaction(charge, {
    refundReservedMinor: charge.refundReservedMinor + byMinor,
    changedAtMs: work.now(),
  });
}

/** A refund before a change and after it; null before for a new one. */
interface ChangedRefund {
  readonly before: RefundRow | null;
  readonly after: RefundRow;
  readonly charge: TransactionRow;
}

/** The entry of a change of a refund, at an instant of the property's clock. */
export function refundEntry(
  work: BookingWork,
  atMs: number,
  { after, before, charge }: ChangedRefund,
  why?: string,
): Write {
  const type = eventOf(before, after);
  return draftEntry(
    work,
    atMs,
    { kind: 'refund', id: String(after.id) },
    {
      from: before?.status ?? null,
      to: after.status,
      detail: why,
      event: type && {
        type,
        cardToken: charge.cardToken,
        snapshot: ({ card, property }) => ({
          refund: listedRefundView(after, card(charge.cardToken), property.timeZone),
          chargeId: charge.id,
        }),
      },
      charge,
      moved: movementOf(before, after, charge),
      used: usedBy(before, after, charge),
    },
  );
}

function eventOf(before: RefundRow | null, { status }: RefundRow): EventType | null {
  if (status === 'Processing' || before?.status === status) return null;
  return status === 'Refunded' ? 'refund.refunded' : 'refund.failed';
}

/** What a change of a refund gives back to a virtual card. */
function usedBy(
  before: RefundRow | null,
  after: RefundRow,
  { cardToken, virtualCard }: TransactionRow,
): CardUsed[] {
  const isMade = after.status === 'Refunded';
  if (!virtualCard || cardToken === null || isMade === (before?.status === 'Refunded')) return [];
  const refundedMinor = isMade ? after.amountMinor : -after.amountMinor;
  return [{ cardToken, use: { takenMinor: 0, heldMinor: 0, refundedMinor } }];
}

/** The movement that a change of a refund is: it was made, or its money came back; null for none. */
function movementOf(
  before: RefundRow | null,
  after: RefundRow,
  { gateway }: TransactionRow,
): MoneyMoved | null {
  const wasMade = before?.status === 'Refunded';
  const isMade = after.status === 'Refunded';
  if (wasMade === isMade) return null;
  const { amountMinor, completedAtMs, createdAtMs, currency, gatewayReference, waived } = after;
  const sign = isMade ? -1 : 1;
  return {
    kind: isMade ? 'refund' : 'reversal',
    currency,
    amountMinor: sign * amountMinor,
    feeMinor: 0,
    ...(waived && { waivedMinor: -sign * amountMinor }),
    gateway,
    gatewayReference,
    occurredAtMs: completedAtMs ?? createdAtMs,
  };
}

/**
 * Asks after a refund that the acquirer accepted but had not carried out yet: it can still fail, and the event of that
 * can be lost (interface: Refunds).
 */
export async function watchRefund(work: BookingWork, subject: RefundSubject): Promise<void> {
  const { refund, charge, card } = subject;
  const report = await readPayment(work, charge.gatewayReference, card.gatewayToken);
  const records = report.kind === 'payment' ? report.payment.refunds : [];
  const record = records.find((one) => isSameRefund(refund, one));
  if (record?.status === 'failed') {
    return failRefundLate(work, subject, record.reason ?? 'failed at the gateway');
  }
  const dueAtMs = record?.status === 'succeeded' ? null : nextWatchMs(refund, work.now());
  const change = updateRefund(refund, { dueAtMs });
  await work.database.batch('d1.refund.postpone', [change]);
}

/**
 * Records that a completed refund has failed after all: its amount can be refunded again, and the PMS gets the reversal
 * (interface: Refunds). The schema refuses to record this twice.
 */
export async function failRefundLate(
  work: BookingWork,
  subject: RefundSubject,
  why: string,
): Promise<void> {
  await commit(work, 'd1.refund.apply', lateFailureWrites(work, subject, why));
}

/** The writes that record it. The charge has the refund's amount reserved. */
export function lateFailureWrites(
  work: BookingWork,
  subject: RefundSubject,
  why: string | undefined,
): Write[] {
  const { state, charge, card } = subject;
  const nowMs = work.now();
  const ended = { dueAtMs: null, completedAtMs: nowMs, learntAtMs: nowMs };
  const id = work.ids.next('refund', nowMs);
  const { row, writes } = changedRefund(work, subject, { ...ended, status: 'Failed' }, why);
  const reversal = reversalMessage({ ...state, card }, row, charge.gateway, id);
  return [...writes, ...queueMessage(work, state.property, reversal)];
}

/** The booking's refunds as D1 has them, oldest first. */
export async function readRefunds(work: BookingWork): Promise<RefundRow[]> {
  const { database, propertyId, reference } = work;
  const [refunds] = await database.batch('d1.refund.read', [selectRefunds(propertyId, reference)]);
  return refunds;
}

/** Loads one of the booking's refunds with its charge and card; null if it does not exist. */
export async function loadRefund(work: BookingWork, id: number): Promise<RefundSubject | null> {
  const refunds = work.memory.rows?.refunds ?? (await readRefunds(work));
  const refund = refunds.find((row) => row.id === id);
  if (!refund) return null;
  const loaded = await loadTransaction(work, refund.transactionId);
  if (!loaded.ok || !isAtGateway(loaded.value.row)) throw new Error('a refund has no charge');
  const { state, row: charge, card } = loaded.value;
  return { state, refund, charge, card };
}
