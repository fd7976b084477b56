import { type Result, refuse } from '../../core/result.ts';
import type { LookUpRequest, PaymentRecord, PaymentReport } from '../../gateways/gateway.ts';
import { commit } from '../../operation/commit.ts';
import type { BookingWork } from '../../operation/work.ts';
import { storedCardRow } from '../../records/cards/actions.ts';
import { insertCard, selectByGatewayToken } from '../../records/cards/store.ts';
import { priceTaken } from '../../records/properties/rules/takenPrice.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { ask, lookUp } from '../gateway/operation.ts';
import { sentUntilMs } from '../gateway/rules/statusChecks.ts';
import { termsOf } from '../pricing/fees.ts';
import { withEffects } from './gatewayOperation.ts';
import type { LoadedTransaction } from './loadTransaction.ts';
import { correction } from './rules/corrections.ts';
import { cardAfter } from './rules/history.ts';
import { wrongState } from './rules.ts';
import type { TransactionChange } from './states.ts';
import { problemTransaction, recordedAnswer, type TransactionAnswer } from './views.ts';

/**
 * Corrects a transaction by the acquirer's certain record of its payment (parts: Corrections), with everything
 * that follows: the audit entry, the message to the PMS, the application and the caller's kept answer. Returns the
 * transaction as D1 has it then, and whether anything was corrected. Throws if D1 does not commit the change.
 */
export async function correctTransaction(
  work: BookingWork,
  subject: LoadedTransaction,
  payment: PaymentRecord,
  further: TransactionChange = {},
): Promise<{ readonly row: TransactionRow; readonly corrected: boolean }> {
  const { state, row } = subject;
  const corrected = correction(state, row, payment, work.now());
  if (corrected === null) return { row, corrected: false };
  const why = 'corrected by the record of the gateway';
  const after = await commitCorrection(work, subject, { ...corrected, ...further }, why);
  return { row: after, corrected: true };
}

/** Commits a correction with all that follows from it, as the acquirer's. Returns the row after it. */
async function commitCorrection(
  work: BookingWork,
  subject: LoadedTransaction,
  change: TransactionChange,
  why: string,
): Promise<TransactionRow> {
  const { row, writes } = await withEffects(asGateway(work), subject, change, {
    why,
    answerOf: (after) => correctedAnswer(subject, after),
  });
  if (row.dueAtMs !== null) await work.wakeBy(row.dueAtMs);
  await commit(work, 'd1.transaction.apply', writes);
  return row;
}

/**
 * Corrects which payment at the acquirer an accepted transaction is, and its amount. `payment` was taken for it; what
 * the transaction names certainly is another's, or nobody's. Throws if D1 does not commit the change.
 */
export async function correctReference(
  work: BookingWork,
  subject: LoadedTransaction,
  payment: PaymentRecord,
): Promise<void> {
  const { row } = subject;
  const { gatewayReference, takenMinor } = payment;
  const price = row.amountMinor === takenMinor ? {} : priceTaken(takenMinor, termsOf(row));
  const change = { ...price, gatewayReference, correctedAtMs: work.now() };
  const why = `the gateway took ${gatewayReference} for it, not ${row.gatewayReference}`;
  await commitCorrection(work, subject, change, why);
}

/**
 * Answers a capture or release that the acquirer's record overtook. A capture always fails: this operation did not take
 * the money. A release succeeds if the hold was let go.
 */
export function correctedAnswer(
  { state, row, card }: LoadedTransaction,
  after: TransactionRow,
): Result<TransactionAnswer> {
  const { timeZone } = state.property;
  const left = cardAfter(card, { before: row, after });
  const asked = row.pendingOperation;
  const isRuledOut = asked === 'capture' || (asked === 'release' && after.status !== 'Released');
  if (!isRuledOut) return recordedAnswer(after, left, timeZone);
  const { code, detail } = wrongState('pre-authorization', after);
  const transaction = problemTransaction(after, left, timeZone);
  return refuse(code, detail, { transaction });
}

/** The same work under the acquirer's name: what it did there is entered as its own. */
export function asGateway(work: BookingWork): BookingWork {
  return { ...work, actor: 'gateway', actorName: null };
}

/** Reads the acquirer's record of a transaction's payment. Never throws. */
export function readPayment(
  work: BookingWork,
  id: string,
  gatewayToken: string,
): Promise<PaymentReport> {
  const account = work.gateway.accountOf(gatewayToken);
  return ask(work, 'gateway.payment', (gateway) => gateway.payment(id, account));
}

/**
 * Looks for the payment that the acquirer took for an accepted transaction, by this service's own reference: what an
 * administrator named by hand may be none, or another. Never throws.
 */
export async function findOwnPayment(
  work: BookingWork,
  { row, card }: Pick<LoadedTransaction, 'row' | 'card'>,
): Promise<PaymentReport> {
  // A captured hold was made with the transaction.
  const askedAtMs = row.kind === 'authorization' ? null : row.askedAtMs;
  const request = requestByReference(work, row, card, askedAtMs ?? row.createdAtMs);
  const found = await lookUp(work, request);
  if (found.kind === 'approved' && found.gatewayReference !== null) {
    return readPayment(work, found.gatewayReference, card.gatewayToken);
  }
  return found.kind === 'absent'
    ? { kind: 'absent' }
    : { kind: 'unknown', reason: 'the gateway did not say' };
}

/**
 * What the acquirer is asked to find a charge by our own reference, whatever its key. It was sent at `askedAtMs` or, if D1
 * was restored to a time before, at a schedule's own time.
 */
export function requestByReference(
  work: BookingWork,
  { reference, scheduledAtMs }: TransactionRow,
  { gatewayToken }: CardRow,
  askedAtMs: number,
): LookUpRequest {
  return {
    kind: 'charge',
    idempotencyKey: null,
    propertyId: work.propertyId,
    reference,
    gatewayToken,
    gatewayReference: null,
    sinceMs: Math.min(askedAtMs, scheduledAtMs ?? askedAtMs),
    untilMs: sentUntilMs(askedAtMs, work.now()),
  };
}

/** Whether the acquirer's record says that a payment certainly is not the one that it took for this transaction. */
export function isAnothers(report: PaymentReport, { reference }: TransactionRow): boolean {
  if (report.kind !== 'payment') return report.kind === 'absent';
  const { about, status } = report.payment;
  return status === 'failed' || (about !== null && about.reference !== reference);
}

/**
 * The card that a payment is on: `isNew` if it is not in D1. `absent`: on none that this service could charge; `unknown`:
 * the acquirer did not say.
 */
export type CardOfPayment =
  | { readonly kind: 'card'; readonly card: CardRow; readonly isNew: boolean }
  | { readonly kind: 'absent' | 'unknown' };

/** Finds the card of a payment. One that is not here is as the acquirer has it, and belongs to no booking. */
export async function cardOfPayment(
  work: BookingWork,
  { gatewayToken }: PaymentRecord,
): Promise<CardOfPayment> {
  const { database, propertyId } = work;
  if (gatewayToken === null) return { kind: 'absent' };
  const [cards] = await database.batch('d1.card.find', [selectByGatewayToken(gatewayToken)]);
  const known = cards.find((card) => card.propertyId === propertyId);
  if (known) return { kind: 'card', card: known, isNew: false };
  const report = await ask(work, 'gateway.card', (gateway) => gateway.card(gatewayToken));
  if (report.kind !== 'card') return { kind: report.kind };
  const kept = { propertyId, createdAtMs: work.now() };
  const card = await storedCardRow(work.gateway.name, gatewayToken, report, kept);
  return { kind: 'card', card, isNew: true };
}

/**
 * The card that was charged: `asked`, or one that D1 does not know for this booking any more, and that is kept now. Null if
 * the acquirer does not say.
 */
export async function chargedCard(
  work: BookingWork,
  asked: CardRow,
  payment: PaymentRecord,
): Promise<CardRow | null> {
  if (payment.gatewayToken === asked.gatewayToken) return asked;
  const found = await cardOfPayment(work, payment);
  if (found.kind !== 'card') return found.kind === 'absent' ? asked : null;
  if (found.isNew) await work.database.batch('d1.card.save', [insertCard(found.card)]);
  return found.card;
}
