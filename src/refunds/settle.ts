import { appendAudit } from '../audit/store.ts';
import { auditEntry, type BookingWork, bookingState } from '../bookings/work.ts';
import { MINUTE_MS } from '../core/time.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { Statement } from '../db/database.ts';
import { certainlyRefused } from '../db/errors.ts';
import type { RefundRow, TransactionRow } from '../db/moneyTables.ts';
import type { CertainOutcome, LookUp, Outcome } from '../gateways/gateway.ts';
import { queueMessage } from '../outbox/queue.ts';
import { cardByToken } from '../payments/find.ts';
import { mayResend, nextInquiryAtMs } from '../payments/inquiries.ts';
import { reasonOf } from '../payments/settle.ts';
import { selectTransaction, updateTransaction } from '../payments/store.ts';
import { type MoneyOf, refundMessage, reversalMessage } from '../pms/messages.ts';
import { settledRefund } from './rules.ts';
import { selectRefunds, updateRefund } from './store.ts';

/** Asks the gateway for a recorded refund. The request is made from the rows alone, so that sending it again sends the same. */
export async function askRefund(
  work: BookingWork,
  row: RefundRow,
  charge: TransactionRow,
): Promise<Outcome> {
  const startedMs = Date.now();
  const outcome = await sendRefund(work, row, charge);
  work.observe({ operation: row.id, kind: 'refund', outcome, ms: Date.now() - startedMs });
  return outcome;
}

async function sendRefund(
  work: BookingWork,
  row: RefundRow,
  charge: TransactionRow,
): Promise<Outcome> {
  const { propertyId, bookingReference, reference, amountMinor, currency } = row;
  try {
    const card = await cardOf(work, charge);
    const request = {
      idempotencyKey: reference,
      propertyId,
      bookingReference,
      reference,
      amountMinor,
      currency,
      gatewayToken: card?.gatewayToken ?? '',
      gatewayReference: charge.gatewayReference ?? '',
    };
    return await work.crossings.cross('gateway.refund', () => work.gateway.refund(request));
  } catch {
    return { kind: 'unknown', reason: 'the call failed without an answer' };
  }
}

/**
 * Writes a certain outcome: of a refund that was made the PMS is told, one that was not made gives its amount back to
 * the charge, in the same batch. Returns the refund as D1 has it.
 */
export async function settleRefund(
  work: BookingWork,
  row: RefundRow,
  charge: TransactionRow,
  outcome: CertainOutcome,
  why?: string,
): Promise<RefundRow> {
  const change = settledRefund(outcome, work.now());
  const settled = { ...row, ...change, version: row.version + 1 };
  const statements = settlementStatements(work, row, charge, change, why ?? reasonOf(outcome));
  try {
    if (settled.status === 'Refunded') {
      const toldOf = await moneyOf(work, charge);
      statements.push(
        ...queueMessage(work, toldOf.property, refundMessage(toldOf, settled, charge.gateway)),
      );
    }
    await work.database.batch('d1.refund.settle', statements);
    return settled;
  } catch (error) {
    return certainlyRefused(error) ? readBack(work, row) : awaitRefundInquiry(work, row);
  }
}

/**
 * Records that a refund which had been made failed after all: its amount can be refunded again, and the PMS is told of
 * the reversal (decisions: section 5). Doing it again changes nothing.
 */
export async function failRefundLate(
  work: BookingWork,
  refundId: number,
  why: string,
): Promise<RefundRow | null> {
  const found = await findRefund(work, refundId);
  if (!found) return null;
  if (found.refund.status !== 'Refunded') return found.refund;
  const change = { status: 'Failed' as const, settledAtMs: work.now() };
  const failed = { ...found.refund, ...change, version: found.refund.version + 1 };
  const toldOf = await moneyOf(work, found.charge);
  const id = work.ids.next('refund', work.now());
  const reversal = reversalMessage(toldOf, failed, found.charge.gateway, id);
  work.trace.mayBeRecorded = true;
  await work.database.batch('d1.refund.settle', [
    ...settlementStatements(work, found.refund, found.charge, change, why),
    ...queueMessage(work, toldOf.property, reversal),
  ]);
  return failed;
}

/** What the PMS is told besides the refund itself: whose money it is. */
async function moneyOf(work: BookingWork, charge: TransactionRow): Promise<MoneyOf> {
  const state = await bookingState(work);
  if (!state) throw new Error('a charge has no booking');
  const card = charge.cardToken ? await cardByToken(work, state, charge.cardToken) : null;
  return { property: state.property, booking: state.booking, card };
}

/** The card that a charge was made with. */
async function cardOf(work: BookingWork, charge: TransactionRow): Promise<CardRow | null> {
  return (await moneyOf(work, charge)).card;
}

/** Leaves a refund's outcome unknown for now, and sees to it that the alarm asks for it. */
export async function awaitRefundInquiry(work: BookingWork, row: RefundRow): Promise<RefundRow> {
  const dueAtMs = nextInquiryAtMs(row.inquiries, work.now());
  const change = { dueAtMs, inquiries: row.inquiries + 1 };
  try {
    await work.wakeBy(dueAtMs);
    await work.database.batch('d1.refund.postpone', [
      updateRefund(work.database.queries, row, change),
    ]);
    return { ...row, ...change, version: row.version + 1 };
  } catch {
    // The time that stands in D1 is kept: somebody looks a little later, or earlier.
    return row;
  }
}

/** Finds out what became of a refund: looked up first, sent again only when the gateway has no such refund. */
export async function resolveRefund(work: BookingWork, row: RefundRow): Promise<void> {
  const found = await findRefund(work, row.id);
  if (!found) throw new Error('a refund that is due is not there');
  const looked = await lookUpRefund(work, row, found.charge);
  const resend = looked.kind === 'absent' && mayResend(row.createdAtMs, work.now());
  const outcome = resend ? await askRefund(work, row, found.charge) : looked;
  if (outcome.kind === 'unknown' || outcome.kind === 'absent') await awaitRefundInquiry(work, row);
  else await settleRefund(work, row, found.charge, outcome);
}

/** Puts a refund that could not be resolved off, so that it does not stand in the way of others. */
export async function putOffRefund(work: BookingWork, row: RefundRow): Promise<void> {
  const later = updateRefund(work.database.queries, row, { dueAtMs: work.now() + MINUTE_MS });
  await work.database.batch('d1.refund.postpone', [later]);
}

/** Asks the gateway what became of a refund. */
export async function lookUpRefund(
  work: BookingWork,
  row: RefundRow,
  charge: TransactionRow,
): Promise<LookUp> {
  const { reference, propertyId } = row;
  try {
    const card = await cardOf(work, charge);
    const inquiry = {
      kind: 'refund',
      idempotencyKey: reference,
      propertyId,
      reference,
      gatewayToken: card?.gatewayToken ?? '',
      gatewayReference: charge.gatewayReference,
      sinceMs: row.createdAtMs,
    } as const;
    return await work.crossings.cross('gateway.lookUp', () => work.gateway.lookUp(inquiry));
  } catch {
    return { kind: 'unknown', reason: 'the call failed without an answer' };
  }
}

/** A refund of this booking with its charge, read afresh; null when there is none by that id. */
export async function findRefund(
  work: BookingWork,
  refundId: number,
): Promise<{ refund: RefundRow; charge: TransactionRow } | null> {
  const { database, propertyId, reference } = work;
  const [all] = await database.batch('d1.refund.read', [
    selectRefunds(database.queries, propertyId, reference),
  ]);
  const refund = all.find(({ id }) => id === refundId);
  if (!refund) return null;
  const [[charge]] = await database.batch('d1.transaction.read', [
    selectTransaction(database.queries, propertyId, reference, { id: refund.transactionId }),
  ]);
  return charge ? { refund, charge } : null;
}

function settlementStatements(
  work: BookingWork,
  row: RefundRow,
  charge: TransactionRow,
  change: Partial<RefundRow>,
  why?: string,
): [Statement, ...Statement[]] {
  const { queries } = work.database;
  const to = change.status ?? row.status;
  const statements: [Statement, ...Statement[]] = [
    updateRefund(queries, row, change),
    appendAudit(
      queries,
      auditEntry(work, { subject: `refund ${row.id}`, from: row.status, to, detail: why }),
    ),
  ];
  if (to === 'Failed') {
    const refundReservedMinor = charge.refundReservedMinor - row.amountMinor;
    statements.push(updateTransaction(queries, charge, { refundReservedMinor }));
  }
  return statements;
}

async function readBack(work: BookingWork, row: RefundRow): Promise<RefundRow> {
  const found = await findRefund(work, row.id).catch(() => null);
  return found?.refund ?? row;
}
