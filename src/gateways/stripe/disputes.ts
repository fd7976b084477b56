import type { Stripe } from 'stripe';
import { sumOf } from '../../core/sum.ts';
import { SECOND_MS } from '../../core/time.ts';
import type { DisputeStatus } from '../../schema/disputeTables.ts';
import type {
  DisputeMovement,
  DisputeRecord,
  DisputeReport,
  EvidenceRequest,
  Outcome,
  PaymentDisputes,
} from '../gateway.ts';
import type { DisputePage, MovementQuery } from '../movements.ts';
import { approval, unknown } from '../rules/outcome.ts';
import { fromStripeAmount } from './amounts.ts';
import { accountOptions } from './cards.ts';
import { isRefusedFor } from './errors.ts';
import { PAGE } from './lookUps.ts';
import { nextCursor, pageOf } from './movements.ts';
import { originOf } from './origin.ts';

export async function readDispute(
  stripe: Stripe,
  id: string,
  account: string | null,
): Promise<DisputeReport> {
  const expand = { expand: ['payment_intent'] };
  return reportOf(await stripe.disputes.retrieve(id, expand, accountOptions(account)));
}

/** Converts a dispute of Stripe; `absent` if it is about a payment that this service did not make. */
function reportOf(dispute: Stripe.Dispute): DisputeReport {
  const { payment_intent: payment } = dispute;
  if (payment === null || typeof payment === 'string') return { kind: 'absent' };
  const about = originOf(payment.metadata);
  const record = recordOf(dispute);
  if (about === null || record === null) return { kind: 'absent' };
  return { kind: 'dispute', about, payment: payment.id, dispute: record };
}

/** A dispute of Stripe as the gateway reports it; null in a currency that no property of this service can have. */
function recordOf(dispute: Stripe.Dispute): DisputeRecord | null {
  const { amount, created, id, reason } = dispute;
  const { due_by: dueBy } = dispute.evidence_details;
  const currency = dispute.currency.toUpperCase();
  const amountMinor = fromStripeAmount(amount, currency);
  if (amountMinor === null) return null;
  const status = statusOf(dispute);
  const closed = status === 'won' || status === 'lost';
  return {
    id,
    status,
    reason,
    currency,
    amountMinor,
    feeMinor: feeOf(dispute),
    movements: movementsOf(dispute, amountMinor),
    openedAtMs: created * SECOND_MS,
    // Stripe says 0 where the bank takes no answer.
    respondByMs: closed || !dueBy ? null : dueBy * SECOND_MS,
    closedAtMs: closed ? reinstatedAtMs(dispute) : null,
    // Stripe does not say whether a lost dispute was given up.
    ...(dispute.evidence_details.submission_count > 0 && { answer: 'evidence' as const }),
  };
}

/**
 * Sends the evidence to the bank: Stripe takes it as final, and the dispute is no longer to be answered. Where Stripe refuses
 * the document, before anything is done, the texts go without it, under a key of their own, because the first one is bound
 * to its parameters.
 */
export async function submitEvidence(
  stripe: Stripe,
  { disputeId, document, idempotencyKey, texts }: EvidenceRequest,
  options: Stripe.RequestOptions,
): Promise<Outcome> {
  const submitted = async (
    evidence: Stripe.DisputeUpdateParams.Evidence,
    idempotencyKey: string,
  ) => {
    const answer = { evidence, submit: true };
    const own = { ...options, idempotencyKey };
    return outcomeOfAnswered(await stripe.disputes.update(disputeId, answer, own));
  };
  if (document === null) return submitted(texts, idempotencyKey);
  try {
    return await submitted({ ...texts, uncategorized_file: document }, idempotencyKey);
  } catch (error) {
    if (!isRefusedFor(error, 'uncategorized_file')) throw error;
    return submitted(texts, `${idempotencyKey}/texts`);
  }
}

/** Uploads a PDF that evidence can name, and returns Stripe's id of it; null where the answer has none. */
export async function keepDocument(
  stripe: Stripe,
  pdf: Uint8Array,
  options: Stripe.RequestOptions,
): Promise<string | null> {
  const file = { data: pdf, name: 'evidence.pdf', type: 'application/pdf' };
  const kept = await stripe.files.create({ purpose: 'dispute_evidence', file }, options);
  return typeof kept.id === 'string' ? kept.id : null;
}

/** Closes a dispute: Stripe counts it as lost. */
export async function acceptDispute(
  stripe: Stripe,
  disputeId: string,
  options: Stripe.RequestOptions,
): Promise<Outcome> {
  return outcomeOfAnswered(await stripe.disputes.close(disputeId, {}, options));
}

/** What Stripe did with an answer, by the dispute that it returns. One that still waits for an answer has not taken it. */
function outcomeOfAnswered(dispute: Stripe.Dispute): Outcome {
  const isDispute = typeof dispute.id === 'string' && typeof dispute.status === 'string';
  return isDispute && statusOf(dispute) !== 'needs_response'
    ? approval(dispute.id)
    : unknown('the dispute still waits for an answer');
}

/** Reads the disputes of a payment: few, so that a page has them all. */
export async function readDisputesOf(
  stripe: Stripe,
  payment: string,
  account: string | null,
): Promise<PaymentDisputes> {
  const of = { payment_intent: payment, limit: PAGE };
  const { data } = await stripe.disputes.list(of, accountOptions(account));
  return { kind: 'disputes', disputes: data.flatMap((one) => recordOf(one) ?? []) };
}

/** Reads one page of an account's disputes, inquiries among them. */
export async function readDisputes(stripe: Stripe, query: MovementQuery): Promise<DisputePage> {
  const list = await stripe.disputes.list(
    { ...pageOf(query), expand: ['data.payment_intent'] },
    accountOptions(query.account),
  );
  const disputes = list.data.map(({ id, payment_intent: payment }) => ({
    id,
    about: typeof payment === 'object' ? originOf(payment?.metadata) : null,
  }));
  return { kind: 'page', disputes, nextCursor: nextCursor(list) };
}

/**
 * What Stripe withdrew and gave back, oldest first. An account that settles in another currency has its balance in that
 * one: there each movement counts with the whole dispute, as in the list of movements.
 */
function movementsOf(
  { balance_transactions: moved, currency }: Stripe.Dispute,
  wholeMinor: number,
): DisputeMovement[] {
  return moved
    .filter(({ amount }) => amount !== 0)
    .toSorted((one, other) => one.created - other.created)
    .map((transaction) => ({
      amountMinor:
        transaction.currency === currency
          ? (fromStripeAmount(transaction.amount, currency) ?? 0)
          : Math.sign(transaction.amount) * wholeMinor,
      atMs: transaction.created * SECOND_MS,
    }));
}

/** What Stripe took for the dispute itself and did not give back, where it counts that in the dispute's currency. */
function feeOf({ balance_transactions: moved, currency }: Stripe.Dispute): number {
  const fee = moved
    .filter((transaction) => transaction.currency === currency)
    .reduce((sum, transaction) => sum + transaction.fee, 0);
  return Math.max(0, fromStripeAmount(fee, currency) ?? 0);
}

/** Stripe does not say when a dispute was closed. It brings the funds of one that was won back then. */
function reinstatedAtMs({ balance_transactions: moved }: Stripe.Dispute): number | null {
  const back = moved.filter(({ amount }) => amount > 0).map(({ created }) => created);
  return back.length === 0 ? null : Math.max(...back) * SECOND_MS;
}

/**
 * An inquiry (`warning_…`) is a dispute before the bank withdraws anything. One that was `prevented` is over: lost if the
 * cardholder got the money for it.
 */
function statusOf(dispute: Stripe.Dispute): DisputeStatus {
  switch (dispute.status) {
    case 'needs_response':
    case 'warning_needs_response':
    case 'appeal_needs_response':
      return 'needs_response';
    case 'lost':
      return 'lost';
    case 'won':
    case 'warning_closed':
      return 'won';
    case 'prevented':
      return sumOf(dispute.balance_transactions, 'amount') < 0 ? 'lost' : 'won';
    default:
      return 'under_review';
  }
}
