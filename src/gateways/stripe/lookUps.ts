import type { Stripe } from 'stripe';
import { MINUTE_MS, SECOND_MS } from '../../core/time.ts';
import { GATEWAY_DEADLINE_MS } from '../deadline.ts';
import type { LookUp, LookUpRequest, OperationKind } from '../gateway.ts';
import { accountOptions, partsOf } from './cards.ts';
import { isNotForUs } from './errors.ts';
import {
  outcomeOfAuthorization,
  outcomeOfCharge,
  outcomeOfRefund,
  outcomeOfRelease,
  PAYMENT_PARTS,
} from './outcomes.ts';

/** How far Stripe's clock and a request's way there may differ from ours. */
const SLACK_MS = 10 * MINUTE_MS;

/** The most records that Stripe lists at once. */
export const PAGE = 100;

/**
 * Reads the outcome of an operation from Stripe's records. Stripe's lists are always current; its search index may lag.
 * Throws if Stripe does not answer.
 */
export function findOperation(
  stripe: Stripe,
  kind: OperationKind,
  lookUpRequest: LookUpRequest,
): Promise<LookUp> {
  switch (kind) {
    case 'charge':
    case 'authorization':
      return findPayment(stripe, lookUpRequest);
    case 'capture':
      return findFollowUp(stripe, lookUpRequest, outcomeOfCharge);
    case 'release':
      return findFollowUp(stripe, lookUpRequest, outcomeOfRelease);
    case 'refund':
      return findRefund(stripe, lookUpRequest);
  }
}

/** Reads the customer's payments of the time in which the request can have arrived, page by page. */
async function findPayment(stripe: Stripe, lookUpRequest: LookUpRequest): Promise<LookUp> {
  const { gatewayToken, idempotencyKey, kind, reference, sinceMs, untilMs } = lookUpRequest;
  const { account, customer } = partsOf(gatewayToken);
  const created = {
    gte: Math.floor((sinceMs - SLACK_MS) / SECOND_MS),
    lte: Math.ceil((untilMs + SLACK_MS) / SECOND_MS),
  };
  const expand = PAYMENT_PARTS.map((part) => `data.${part}`);
  const list = stripe.paymentIntents.list(
    { customer, created, limit: PAGE, expand },
    accountOptions(account),
  );
  const listed = await firstOf(list, ({ metadata, status }) =>
    idempotencyKey === null
      ? metadata['reference'] === reference && status === 'succeeded'
      : metadata['key'] === idempotencyKey,
  );
  const found =
    listed ?? (idempotencyKey === null ? await searchTaken(stripe, lookUpRequest) : null);
  if (found === null) return { kind: 'absent' };
  return kind === 'charge' ? outcomeOfCharge(found) : outcomeOfAuthorization(found);
}

/**
 * Searches the whole account for a charge that was taken, on whichever card: this service may not know the card any more.
 * The search index may lag, so it only adds to the list. Where Stripe offers no search, the list alone counts.
 */
async function searchTaken(
  stripe: Stripe,
  { gatewayToken, reference }: LookUpRequest,
): Promise<Stripe.PaymentIntent | null> {
  const query = `metadata['reference']:'${reference}' AND status:'succeeded'`;
  const params = { query, limit: 1, expand: PAYMENT_PARTS.map((part) => `data.${part}`) };
  const options = accountOptions(partsOf(gatewayToken).account);
  const found = await stripe.paymentIntents.search(params, options).catch((error: unknown) => {
    if (isNotForUs(error)) return null;
    throw error;
  });
  return found?.data.find(({ metadata }) => metadata['reference'] === reference) ?? null;
}

async function findRefund(stripe: Stripe, lookUpRequest: LookUpRequest): Promise<LookUp> {
  const { gatewayReference, gatewayToken, idempotencyKey } = lookUpRequest;
  const list = stripe.refunds.list(
    { payment_intent: gatewayReference ?? '', limit: PAGE },
    accountOptions(partsOf(gatewayToken).account),
  );
  const found = await firstOf(list, ({ metadata }) => metadata?.['key'] === idempotencyKey);
  return found === null ? { kind: 'absent' } : outcomeOfRefund(found);
}

/** A capture or release changes its payment; as long as that is held, neither was made. */
async function findFollowUp(
  stripe: Stripe,
  { gatewayReference, gatewayToken }: LookUpRequest,
  outcomeOf: (intent: Stripe.PaymentIntent) => LookUp,
): Promise<LookUp> {
  const intent = await stripe.paymentIntents.retrieve(
    gatewayReference ?? '',
    { expand: PAYMENT_PARTS },
    accountOptions(partsOf(gatewayToken).account),
  );
  return intent.status === 'requires_capture' ? { kind: 'absent' } : outcomeOf(intent);
}

/** The first that fits; null after the last page. Stops when the answer would come too late. */
async function firstOf<T>(all: AsyncIterable<T>, fits: (one: T) => boolean): Promise<T | null> {
  const until = Date.now() + GATEWAY_DEADLINE_MS;
  for await (const one of all) {
    if (fits(one)) return one;
    if (Date.now() > until) throw new Error('no answer in time');
  }
  return null;
}
