import { DurableObject } from 'cloudflare:workers';
import { cardFacts } from '../../core/cardNumbers.ts';
import { hex } from '../../core/ids.ts';
import type { Env } from '../../platform/env.ts';
import type { CardEntry, LookUp, OperationKind, Outcome } from '../gateway.ts';
import { approval, rejection } from '../outcome.ts';
import { type Judgement, judge, type Subject } from './judge.ts';
import {
  AcquirerLedger,
  type AcquirerOperation,
  type LedgerEntry,
  type LedgerMovement,
} from './ledger.ts';
import { behaviourOf } from './testCards.ts';

/** A money request to the sandbox acquirer. */
export interface SandboxRequest {
  readonly kind: OperationKind;
  readonly idempotencyKey: string;
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** A vault token for charges and authorizations, else the acquirer's reference of the earlier operation. */
  readonly subject: string;
}

/**
 * An acquirer for development and tests (interface: Sandbox). It keeps a vault, idempotency keys and a ledger in its
 * own storage, so that tests can crash it and the service separately.
 */
export class SandboxAcquirer extends DurableObject<Env> {
  readonly #ledger: AcquirerLedger;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#ledger = new AcquirerLedger(ctx.storage.sql);
  }

  /** Stores a card's brand, last four digits, expiry and test behaviour, but neither its number nor its CVV. */
  async vault(card: CardEntry): Promise<string> {
    const token = `vault_${randomHex()}`;
    this.#ledger.keepCard({
      token,
      brand: cardFacts(card.number)?.brand ?? 'unknown',
      last4: card.number.slice(-4),
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      behaviour: behaviourOf(card.number),
    });
    return token;
  }

  /**
   * Executes a request once per idempotency key; a repeated key returns the recorded outcome. Throws for a test card
   * that loses the answer.
   */
  async perform(request: SandboxRequest): Promise<Outcome> {
    const recorded = this.#ledger.find(request.idempotencyKey);
    if (recorded) return sameRequest(recorded, request) ? outcomeOf(recorded) : mismatch();

    const subject = this.#subject(request);
    const behaviour = subject?.behaviour;
    const loses =
      behaviour?.kind === 'answer-lost' && this.#ledger.firstLoss(request.idempotencyKey);
    if (loses && !behaviour.executes) throw new Error('sandbox: the answer is lost');

    const operation = this.#record(request, judge(request, subject), subject);
    if (loses) throw new Error('sandbox: the answer is lost');
    if (behaviour?.kind === 'slow') await scheduler.wait(behaviour.delayMs);
    return outcomeOf(operation);
  }

  /** The outcome recorded under a key. */
  async lookUp(idempotencyKey: string): Promise<LookUp> {
    const recorded = this.#ledger.find(idempotencyKey);
    return recorded ? outcomeOf(recorded) : { kind: 'absent' };
  }

  /** Everything recorded, oldest first; only one booking reference's when one is given. */
  async ledger(bookingReference: string | null): Promise<LedgerEntry[]> {
    return this.#ledger.entries(bookingReference);
  }

  /** The movements of money after a sequence number, oldest first, at most `limit`. */
  async movements(afterSequence: number, limit: number): Promise<LedgerMovement[]> {
    return this.#ledger.movements(afterSequence, limit);
  }

  #subject(request: SandboxRequest): Subject | null {
    if (request.kind === 'charge' || request.kind === 'authorization') {
      return this.#ledger.card(request.subject);
    }
    return this.#ledger.earlier(request.subject);
  }

  #record(
    request: SandboxRequest,
    judgement: Judgement,
    subject: Subject | null,
  ): AcquirerOperation {
    const operation: AcquirerOperation = {
      ...request,
      gatewayReference: `sandbox_${randomHex()}`,
      vaultToken: subject?.vaultToken ?? null,
      atMs: Date.now(),
      ...judgement,
    };
    this.#ledger.record(operation);
    return operation;
  }
}

function sameRequest(recorded: AcquirerOperation, request: SandboxRequest): boolean {
  return (
    recorded.kind === request.kind &&
    recorded.amountMinor === request.amountMinor &&
    recorded.currency === request.currency &&
    recorded.subject === request.subject
  );
}

function mismatch(): Outcome {
  return rejection('the idempotency key was used for another request');
}

function outcomeOf(operation: AcquirerOperation): Outcome {
  switch (operation.status) {
    case 'succeeded':
      return approval(operation.gatewayReference, {
        amountMinor: operation.amountMinor,
        atMs: operation.atMs,
      });
    case 'declined':
      return {
        kind: 'declined',
        declineCode: operation.code ?? 'generic_decline',
        retryable: operation.retryable,
      };
    case 'failed':
      return rejection(operation.code ?? 'gateway_error');
  }
}

function randomHex(): string {
  return hex(crypto.getRandomValues(new Uint8Array(12)));
}
