import type { Stripe } from 'stripe';
import { withTimeout } from '../../core/timeout.ts';
import type { DisputeAnswer } from '../../schema/disputeTables.ts';
import { GATEWAY_DEADLINE_MS, withinDeadline } from '../deadline.ts';
import type {
  CardPaymentRequest,
  DisputeReport,
  DisputeRequest,
  DocumentRequest,
  EvidenceRequest,
  FollowUpRequest,
  Gateway,
  LookUp,
  LookUpRequest,
  MoneyRequest,
  Outcome,
  PaymentDisputes,
  PaymentOutcome,
  PaymentReport,
} from '../gateway.ts';
import type { DisputePage, MovementPage, MovementQuery, Unanswered } from '../movements.ts';
import { isAnswer, outcomeOfAnswer } from '../rules/disputeAnswer.ts';
import { ofFollowUp, rejection } from '../rules/outcome.ts';
import type { CardEntry, CardReport, Detachment, TakeOverOutcome, VaultOutcome } from '../vault.ts';
import { stripeStepMinor, toStripeAmount } from './amounts.ts';
import { accountOptions, detachCard, partsOf, readCard } from './cards.ts';
import { dashboardPage } from './dashboard.ts';
import {
  acceptDispute,
  keepDocument,
  readDispute,
  readDisputes,
  readDisputesOf,
  submitEvidence,
} from './disputes.ts';
import {
  isMissing,
  isRefusedFor,
  outcomeOfError,
  outcomeOfExpanding,
  unreadable,
} from './errors.ts';
import { findOperation } from './lookUps.ts';
import { readMovements } from './movements.ts';
import { metadataOf } from './origin.ts';
import {
  outcomeOfAuthorization,
  outcomeOfCharge,
  outcomeOfRefund,
  outcomeOfRelease,
  PAYMENT_PARTS,
} from './outcomes.ts';
import { LONG_HOLD, paymentParams } from './paymentParams.ts';
import { abandonPayment, readPayment } from './payments.ts';
import { stored, takeOverCard, vaultCard } from './vault.ts';

/**
 * The gateway to Stripe. Each card is a PaymentMethod of its own Customer, set up for charges while the cardholder is
 * away; `gatewayToken` names both. The metadata of a payment or refund holds its idempotency key for look-ups.
 */
export class StripeGateway implements Gateway {
  readonly name = 'stripe';
  readonly traits = { accounts: 'named', movesClocks: false, needsReference: true } as const;
  readonly #stripe: Stripe;
  readonly #isTest: boolean;

  /** @param isTest Whether its key is one of Stripe's test mode. */
  constructor(stripe: Stripe, isTest = false) {
    this.#stripe = stripe;
    this.#isTest = isTest;
  }

  amountStepMinor(currency: string): number {
    return stripeStepMinor(currency);
  }

  /** Sends the card number to Stripe's API, which Stripe must have allowed for the account. Others use its form. */
  tokenize(card: CardEntry, account: string | null, isPresent: boolean): Promise<VaultOutcome> {
    return stored(vaultCard(this.#stripe, card, account, isPresent));
  }

  takeOver(id: string, account: string | null): Promise<TakeOverOutcome> {
    return stored(takeOverCard(this.#stripe, id, account));
  }

  card(gatewayToken: string): Promise<CardReport> {
    return withinDeadline<CardReport>(readCard(this.#stripe, gatewayToken));
  }

  detach(gatewayToken: string): Promise<Detachment> {
    return asked(detachCard(this.#stripe, gatewayToken));
  }

  charge(request: CardPaymentRequest): Promise<PaymentOutcome> {
    return this.#pay(request, async (params) => {
      const charge = { ...params, capture_method: 'automatic' as const };
      const { paymentIntents } = this.#stripe;
      return outcomeOfCharge(checked(await paymentIntents.create(charge, optionsOf(request))));
    });
  }

  authorize(request: CardPaymentRequest): Promise<PaymentOutcome> {
    return this.#pay(request, async (params) => {
      const hold = { ...params, capture_method: 'manual' as const };
      return outcomeOfAuthorization(checked(await this.#hold(hold, request)));
    });
  }

  /**
   * Makes a hold, as long as the card's network gives it. Stripe refuses the longer hold of an account to which it does
   * not give them, before anything is done; then this asks for an ordinary one, under a key of its own, because the
   * first one is bound to its parameters.
   */
  async #hold(
    hold: Stripe.PaymentIntentCreateParams,
    request: MoneyRequest,
  ): Promise<Stripe.PaymentIntent> {
    const { paymentIntents } = this.#stripe;
    const card = { ...hold.payment_method_options?.card, ...LONG_HOLD };
    try {
      return await paymentIntents.create(
        { ...hold, payment_method_options: { card } },
        optionsOf(request),
      );
    } catch (error) {
      if (!refusesLongHold(error)) throw error;
      const idempotencyKey = `${request.idempotencyKey}/ordinary`;
      return paymentIntents.create(hold, optionsOf({ ...request, idempotencyKey }));
    }
  }

  abandon(id: string, gatewayToken: string): Promise<PaymentOutcome> {
    return asked(abandonPayment(this.#stripe, id, partsOf(gatewayToken).account));
  }

  capture(request: FollowUpRequest): Promise<Outcome> {
    const amount = toStripeAmount(request.amountMinor, request.currency);
    if (amount === null) return Promise.resolve(unsupportedAmount());
    return this.#send(async () => {
      const params = {
        amount_to_capture: amount,
        metadata: { captureKey: request.idempotencyKey },
        expand: PAYMENT_PARTS,
      };
      const { paymentIntents } = this.#stripe;
      const intent = await paymentIntents.capture(
        request.gatewayReference,
        params,
        optionsOf(request),
      );
      return ofFollowUp(outcomeOfCharge(checked(intent)));
    }, outcomeOfExpanding);
  }

  release(request: FollowUpRequest): Promise<Outcome> {
    return this.#send(async () => {
      const { paymentIntents } = this.#stripe;
      const options = optionsOf(request);
      const intent = await paymentIntents.cancel(request.gatewayReference, {}, options);
      return outcomeOfRelease(checked(intent));
    });
  }

  refund(request: FollowUpRequest): Promise<Outcome> {
    const amount = toStripeAmount(request.amountMinor, request.currency);
    if (amount === null) return Promise.resolve(unsupportedAmount());
    return this.#send(async () => {
      const refund = await this.#stripe.refunds.create(
        { payment_intent: request.gatewayReference, amount, metadata: metadataOf(request) },
        optionsOf(request),
      );
      return outcomeOfRefund(checked(refund));
    });
  }

  /** Reads the outcome of an operation from Stripe's records. */
  lookUp(lookUpRequest: LookUpRequest): Promise<LookUp> {
    const { kind } = lookUpRequest;
    return asked(
      isAnswer(kind)
        ? this.#findAnswer(kind, lookUpRequest)
        : findOperation(this.#stripe, kind, lookUpRequest),
    );
  }

  accountOf(gatewayToken: string): string | null {
    return partsOf(gatewayToken).account;
  }

  pageOfPayment(id: string, gatewayToken: string): string {
    return dashboardPage(id, gatewayToken, this.#isTest);
  }

  payment(id: string, account: string | null): Promise<PaymentReport> {
    return read<PaymentReport>(readPayment(this.#stripe, id, account));
  }

  dispute(id: string, account: string | null): Promise<DisputeReport> {
    return read<DisputeReport>(readDispute(this.#stripe, id, account));
  }

  submitEvidence(request: EvidenceRequest): Promise<Outcome> {
    const options = optionsOf(request);
    return this.#send(() => submitEvidence(this.#stripe, request, options));
  }

  keepDocument(request: DocumentRequest): Promise<string | null> {
    const options = optionsOf(request);
    const kept = keepDocument(this.#stripe, request.pdf, options).catch(() => null);
    return withTimeout(kept, GATEWAY_DEADLINE_MS, () => null);
  }

  acceptDispute(request: DisputeRequest): Promise<Outcome> {
    const options = optionsOf(request);
    return this.#send(() => acceptDispute(this.#stripe, request.disputeId, options));
  }

  disputesOf(payment: string, account: string | null): Promise<PaymentDisputes> {
    return asked(readDisputesOf(this.#stripe, payment, account));
  }

  disputes(query: MovementQuery): Promise<DisputePage> {
    return asked(readDisputes(this.#stripe, query));
  }

  movements(query: MovementQuery): Promise<MovementPage> {
    return asked(readMovements(this.#stripe, query));
  }

  /** What became of an answer to a dispute, by the dispute itself. */
  async #findAnswer(
    kind: DisputeAnswer,
    { gatewayReference, gatewayToken }: LookUpRequest,
  ): Promise<LookUp> {
    const { account } = partsOf(gatewayToken);
    return outcomeOfAnswer(kind, await readDispute(this.#stripe, gatewayReference ?? '', account));
  }

  #pay(
    request: CardPaymentRequest,
    send: (params: Stripe.PaymentIntentCreateParams) => Promise<PaymentOutcome>,
  ): Promise<PaymentOutcome> {
    const params = paymentParams(request);
    if (params === null) return Promise.resolve(unsupportedAmount());
    return this.#send(() => send(params), outcomeOfExpanding);
  }

  #send<T extends PaymentOutcome>(
    request: () => Promise<T>,
    ofError: (error: unknown) => Outcome = outcomeOfError,
  ): Promise<T | Outcome> {
    return withinDeadline<T | Outcome>(request().catch(ofError));
  }
}

/** What a request came to: unknown if Stripe did not answer it, or in another way than it has to. */
function asked<Answer>(call: Promise<Answer>) {
  return withinDeadline<Answer | ReturnType<typeof unreadable>>(call.catch(unreadable));
}

/** What a question about one thing came to: `absent` if Stripe certainly does not have it. */
function read<Report>(asked: Promise<Report>) {
  return withinDeadline<Report | { kind: 'absent' } | Unanswered>(
    asked.catch((error: unknown) => (isMissing(error) ? { kind: 'absent' } : unreadable(error))),
  );
}

function optionsOf({
  gatewayToken,
  idempotencyKey,
}: Pick<MoneyRequest, 'gatewayToken' | 'idempotencyKey'>): Stripe.RequestOptions {
  return { idempotencyKey, ...accountOptions(partsOf(gatewayToken).account) };
}

/** Whether Stripe refused a hold only because it gives the account no longer ones. It has no code for that. */
function refusesLongHold(error: unknown): boolean {
  const words = /not eligible for the requested card features/;
  return isRefusedFor(error, 'request_extended_authorization', words);
}

/** Throws for an answer that is not a Stripe object, such as an error page: it leaves the outcome unknown. */
function checked<T extends { readonly id?: string; readonly status?: string | null }>(
  answer: T,
): T {
  const { id, status } = answer;
  if (typeof id !== 'string' || typeof status !== 'string')
    throw new Error('Stripe sent an invalid response');
  return answer;
}

function unsupportedAmount(): Outcome {
  return rejection('Stripe does not support this amount');
}
