import type { Stripe } from 'stripe';
import { SECOND_MS } from '../../core/time.ts';
import type { GatewayMovement, MovementPage, MovementQuery } from '../movements.ts';
import { fromStripeAmount } from './amounts.ts';
import { accountOptions } from './cards.ts';
import { PAGE } from './lookUps.ts';
import { originOf } from './origin.ts';

export async function readMovements(stripe: Stripe, query: MovementQuery): Promise<MovementPage> {
  const list = await stripe.balanceTransactions.list(
    { ...pageOf(query), expand: ['data.source', 'data.source.payment_intent'] },
    accountOptions(query.account),
  );
  const movements = list.data.flatMap((transaction) => movementOf(transaction) ?? []);
  return { kind: 'page', movements, nextCursor: nextCursor(list) };
}

/** The parameters of one page of a list. Stripe counts in whole seconds. */
export function pageOf({ cursor, fromMs, toMs }: MovementQuery) {
  return {
    created: { gte: Math.ceil(fromMs / SECOND_MS), lt: Math.ceil(toMs / SECOND_MS) },
    limit: PAGE,
    ...(cursor !== null && { starting_after: cursor }),
  };
}

/** After which record the next page begins; null after the last page. */
export function nextCursor(list: Stripe.ApiList<{ readonly id: string }>): string | null {
  return (list.has_more && list.data.at(-1)?.id) || null;
}

type Kind = GatewayMovement['kind'];

/** The kinds of movements, and the sign of each. Stripe has more, such as fees and payouts, which are left out. */
const SIGNS: Readonly<Record<Kind, 1 | -1>> = {
  charge: 1,
  refund: -1,
  refund_failure: 1,
  dispute: -1,
  dispute_reversal: 1,
};

function movementOf(transaction: Stripe.BalanceTransaction): GatewayMovement | null {
  const { created, id, reporting_category: kind, source } = transaction;
  if (!isKind(kind) || !isSubject(source)) return null;
  const intent = typeof source.payment_intent === 'object' ? source.payment_intent : null;
  const payment = intent?.id ?? null;
  const currency = source.currency.toUpperCase();
  const amountMinor = fromStripeAmount(amountOf(transaction, kind, source), currency);
  // Only somebody else's payment can have an amount that no property of this service can have.
  if (amountMinor === null) return null;
  return {
    id,
    kind,
    payment,
    subject: source.object === 'charge' ? (payment ?? source.id) : source.id,
    about: originOf(intent?.metadata),
    amountMinor,
    currency,
    atMs: created * SECOND_MS,
  };
}

function isKind(category: string): category is Kind {
  return category in SIGNS;
}

/** What this service keeps a movement under: a charge, a refund or a dispute. */
type Subject = Stripe.Charge | Stripe.Refund | Stripe.Dispute;

function isSubject(source: Stripe.BalanceTransaction['source']): source is Subject {
  const isRead = source !== null && typeof source === 'object';
  return isRead && ['charge', 'refund', 'dispute'].includes(source.object);
}

/**
 * The amount in the currency of the payment. A capture in part has two balance transactions, the whole hold and what it
 * left; the charge says what was taken. An account that settles in another currency has its balance in that one.
 */
function amountOf(transaction: Stripe.BalanceTransaction, kind: Kind, source: Subject): number {
  if (source.object === 'charge') return source.amount_captured;
  return transaction.currency === source.currency
    ? transaction.amount
    : SIGNS[kind] * source.amount;
}
