import { appendAudit } from '../audit/store.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Dispute, LookUp } from '../gateways/gateway.ts';
import { lookUp } from '../payments/ask.ts';
import { cardByToken } from '../payments/find.ts';
import { transactionNotFound } from '../payments/rules.ts';
import { settle } from '../payments/settle.ts';
import { selectTransaction, updateTransaction } from '../payments/store.ts';
import { failRefundLate, findRefund, lookUpRefund, settleRefund } from '../refunds/settle.ts';
import { selectRefunds } from '../refunds/store.ts';
import { uncertain } from './rules.ts';
import { auditEntry, type BookingWork, bookingState } from './work.ts';

/** What an acquirer has news of: our reference of the transaction or refund, and the account that tells of it. */
export interface NewsOf {
  readonly kind: 'payment' | 'refund';
  readonly reference: string;
  readonly account: string | null;
}

/**
 * Asks the acquirer at once about an operation that it has news of: an outcome that is unknown is settled without waiting
 * for the alarm, and a refund that was made may have failed since. What is known already stays as it is. Refused as
 * uncertain while the acquirer does not say, so that it tells of it again; when the alarm looks stays as it was.
 */
export async function lookAgain(work: BookingWork, news: NewsOf): Promise<Result<null, Failure>> {
  const looked = news.kind === 'payment' ? await payment(work, news) : await refund(work, news);
  if (looked === null) return err(transactionNotFound());
  return looked.kind === 'unknown' ? err(uncertain()) : ok(null);
}

/** What came of looking: nothing is to be done, or the acquirer's own word. */
type Looked = LookUp | { readonly kind: 'settled' };

async function payment(work: BookingWork, { account, reference }: NewsOf): Promise<Looked | null> {
  const charge = await findCharge(work, reference, account);
  if (charge === null) return null;
  const { state, row, card } = charge;
  if (row.status !== 'Processing') return { kind: 'settled' };
  const looked = await lookUp(work, row, card);
  if (looked.kind !== 'unknown' && looked.kind !== 'absent') {
    await settle(work, state, row, card, looked);
  }
  return looked;
}

async function refund(work: BookingWork, { account, reference }: NewsOf): Promise<Looked | null> {
  const { database, propertyId, reference: booking } = work;
  const [all] = await database.batch('d1.refund.read', [
    selectRefunds(database.queries, propertyId, booking),
  ]);
  const row = all.find((one) => one.reference === reference);
  const found = row && (await findRefund(work, row.id));
  const charge = found && (await findCharge(work, found.charge.reference, account));
  if (!row || !found || !charge) return null;
  if (row.status === 'Failed') return { kind: 'settled' };
  const looked = await lookUpRefund(work, row, found.charge);
  if (row.status === 'Processing' && looked.kind !== 'unknown' && looked.kind !== 'absent') {
    await settleRefund(work, row, found.charge, looked);
  }
  if (row.status === 'Refunded' && looked.kind === 'refused') {
    await failRefundLate(work, row.id, looked.reason);
  }
  return looked;
}

/**
 * Notes on a charge what the cardholder's bank disputes, as the acquirer says that it stands now (decisions:
 * section 12). Told again, it changes nothing.
 */
export async function recordDispute(
  work: BookingWork,
  reference: string,
  disputeId: string,
  account: string | null,
): Promise<Result<null, Failure>> {
  const charge = await findCharge(work, reference, account);
  if (charge === null) return err(transactionNotFound());
  const { row } = charge;
  const report = await work.crossings.cross('gateway.dispute', () =>
    work.gateway.dispute(disputeId, account),
  );
  if (report.kind === 'unknown') return err(uncertain());
  if (report.kind === 'absent') return err(transactionNotFound());
  const { dispute } = report;
  if (isSame(row.dispute, dispute)) return ok(null);
  const { queries } = work.database;
  const from = row.dispute?.id === dispute.id ? row.dispute.status : null;
  const subject = `charge ${row.id} dispute ${dispute.id}`;
  await work.database.batch('d1.dispute.save', [
    updateTransaction(queries, row, { dispute }),
    appendAudit(
      queries,
      auditEntry(work, { subject, from, to: dispute.status, detail: dispute.reason }),
    ),
  ]);
  return ok(null);
}

function isSame(known: Dispute | null, told: Dispute): boolean {
  return (
    known?.id === told.id && known.status === told.status && known.amountMinor === told.amountMinor
  );
}

/**
 * A charge with its card, read afresh; null when there is none, or when another account than its card's speaks of it:
 * whoever has an account of their own can write what they like into it.
 */
async function findCharge(work: BookingWork, own: string, account: string | null) {
  work.memory.state = null;
  const state = await bookingState(work);
  if (!state) return null;
  const { database, propertyId, reference } = work;
  const [[row]] = await database.batch('d1.transaction.read', [
    selectTransaction(database.queries, propertyId, reference, { reference: own }),
  ]);
  const card = row?.cardToken ? await cardByToken(work, state, row.cardToken) : null;
  if (!row || !card || work.gateway.accountOf(card.gatewayToken) !== account) return null;
  return { state, row, card };
}
