import type { Stripe } from 'stripe';
import { SECOND_MS, utcDate } from '../../core/time.ts';
import type { Origin } from '../movements.ts';
import type { Payout, PayoutMovement, PayoutSource } from '../payouts.ts';
import { minorOf } from './amounts.ts';
import { accountOptions, idOf } from './cards.ts';
import { unlessMissing } from './errors.ts';
import { PAGE } from './lookUps.ts';
import { originOf } from './origin.ts';

/** Stripe's payouts and their balance transactions. */
export class StripePayouts implements PayoutSource {
  readonly gateway = 'stripe';
  readonly #stripe: Stripe;

  constructor(stripe: Stripe) {
    this.#stripe = stripe;
  }

  async payout(id: string, account: string | null): Promise<Payout | null> {
    const options = accountOptions(account);
    const payout = await unlessMissing(this.#stripe.payouts.retrieve(id, {}, options));
    return payout && payoutOf(payout);
  }

  async payoutsSince(sinceMs: number, account: string | null): Promise<Payout[]> {
    const found: Payout[] = [];
    const since = { created: { gte: Math.floor(sinceMs / SECOND_MS) }, limit: PAGE };
    for await (const payout of this.#stripe.payouts.list(since, accountOptions(account))) {
      found.push(payoutOf(payout));
    }
    return found;
  }

  async movements(payoutId: string, account: string | null): Promise<PayoutMovement[]> {
    const found: PayoutMovement[] = [];
    const of = { payout: payoutId, limit: PAGE, expand: ['data.source'] };
    const list = this.#stripe.balanceTransactions.list(of, accountOptions(account));
    for await (const transaction of list) {
      const source = sourceOf(transaction);
      // Stripe lists the payout itself too. Another payout in the list failed earlier, and its money comes back.
      if (source?.id === payoutId) continue;
      found.push(movementOf(transaction, await this.#originOf(source, account)));
    }
    return found;
  }

  /** The origin in the record's own metadata (charges, refunds) or in that of the payment it names (disputes). */
  async #originOf(source: Source | null, account: string | null): Promise<Origin | null> {
    if (source === null) return null;
    const own = 'metadata' in source ? originOf(source.metadata) : null;
    const payment = 'payment_intent' in source ? idOf(source.payment_intent) : null;
    if (own !== null || payment === null) return own;
    const options = accountOptions(account);
    const intent = await unlessMissing(this.#stripe.paymentIntents.retrieve(payment, {}, options));
    return originOf(intent?.metadata);
  }
}

/** The Stripe object that caused a movement. */
type Source = Exclude<Stripe.BalanceTransaction['source'], string | null>;

function sourceOf({ source }: Stripe.BalanceTransaction): Source | null {
  return typeof source === 'object' ? source : null;
}

function payoutOf(payout: Stripe.Payout): Payout {
  return {
    id: payout.id,
    status: statusOf(payout.status),
    currency: payout.currency.toUpperCase(),
    description: payout.description ?? payout.statement_descriptor ?? '',
    createdAtMs: payout.created * SECOND_MS,
    arrivalDate: utcDate(payout.arrival_date * SECOND_MS),
    itemised: payout.automatic,
    reconciled: payout.reconciliation_status === 'completed',
  };
}

function statusOf(status: string): Payout['status'] {
  switch (status) {
    case 'paid':
      return 'paid_out';
    case 'in_transit':
      return 'in_transit';
    case 'failed':
    case 'canceled':
      return 'failed';
    default:
      return 'not_paid_out';
  }
}

function movementOf(transaction: Stripe.BalanceTransaction, about: Origin | null): PayoutMovement {
  const source = sourceOf(transaction);
  const currency = transaction.currency.toUpperCase();
  const grossMinor = minorOf(transaction.amount, currency);
  const charge = source?.object === 'charge' ? source : null;
  return {
    id: transaction.id,
    gatewayTransactionId: idOf(charge?.payment_intent) ?? source?.id ?? null,
    about,
    description: transaction.description ?? '',
    category: categoryOf(transaction.reporting_category, grossMinor),
    currency,
    grossMinor,
    feeMinor: minorOf(transaction.fee, currency),
    threeDsAuthenticated:
      charge?.payment_method_details?.card?.three_d_secure?.result === 'authenticated',
    createdAtMs: transaction.created * SECOND_MS,
    availableAtMs: transaction.available_on * SECOND_MS,
  };
}

/** The category of a movement. A sale that takes money or a refund that brings money is an adjustment. */
function categoryOf(reported: string, grossMinor: number): PayoutMovement['category'] {
  switch (reported) {
    case 'charge':
      return grossMinor > 0 ? 'sale' : 'adjustment';
    case 'refund':
    case 'partial_capture_reversal':
      return grossMinor < 0 ? 'refund' : 'adjustment';
    case 'dispute':
    case 'dispute_reversal':
      return 'dispute';
    case 'refund_failure':
      return 'refund_failure';
    default:
      return 'adjustment';
  }
}
