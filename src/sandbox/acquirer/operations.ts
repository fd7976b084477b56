import type { OperationKind } from '../../gateways/gateway.ts';
import type { Origin } from '../../gateways/movements.ts';
import type { Judgement } from './rules/judge.ts';

/** What the ledger records: the five operations of a gateway, and what only banks and the acquirer itself do. */
export type LedgerKind =
  | OperationKind
  | 'inquiry'
  | 'dispute'
  | 'dispute_reversal'
  | 'refund_failure';

/** A recorded operation. Each idempotency key has one; what a person did at the acquirer's desk has no key. */
export interface AcquirerOperation extends Judgement {
  readonly kind: LedgerKind;
  readonly idempotencyKey: string | null;
  readonly propertyId: string;
  /** The booking and reference of the service that asked; null for a charge that was made at the desk. */
  readonly bookingReference: string | null;
  readonly reference: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  /** A vault token for charges and authorizations, else the acquirer's reference of the earlier operation. */
  readonly subject: string;
  /** The charge or authorization that it belongs to: its own reference, or that of an earlier operation. */
  readonly payment: string | null;
  readonly vaultToken: string | null;
  readonly gatewayReference: string;
  /** What it brought to the property, negative for what left it; 0 if no money moved. It never changes. */
  readonly movedMinor: number;
  readonly atMs: number;
  /** Only for an inquiry, and a dispute that began without one. */
  readonly dispute?: DisputeState;
  /** Only for a hold: when it lapses. */
  readonly lapsesAtMs?: number;
  /** Only for a payment that its cardholder's bank wants to verify. */
  readonly bankStep?: BankStep;
}

/** The reason of a dispute, and how it ended. */
export interface DisputeState {
  readonly reason: string;
  readonly closed: { readonly status: 'won' | 'lost'; readonly atMs: number } | null;
}

/** The bank's step of a payment: the name of its page, which cannot be guessed, and where the cardholder goes back to. */
export interface BankStep {
  readonly id: string;
  readonly returnUrl: string;
}

/** A recorded operation with its place in the ledger. */
export interface SequencedOperation extends AcquirerOperation {
  readonly sequence: number;
}

/** A ledger line for administrators (interface: Read the sandbox ledger). */
export interface LedgerEntry {
  readonly kind: LedgerKind;
  readonly idempotencyKey: string | null;
  readonly property: string;
  readonly bookingReference: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: Judgement['status'];
  readonly atMs: number;
}

/** What an operation brings to the property when the acquirer carries it out, in minor units. */
export function movedBy(kind: LedgerKind, amountMinor: number): number {
  switch (kind) {
    case 'charge':
    case 'capture':
    case 'dispute_reversal':
    case 'refund_failure':
      return amountMinor;
    case 'refund':
    case 'dispute':
      return -amountMinor;
    case 'authorization':
    case 'release':
    case 'inquiry':
      return 0;
  }
}

/** Whom an operation was made for, as the service that asked said; null for what it did not make. */
export function originOf({
  propertyId,
  bookingReference,
  reference,
}: AcquirerOperation): Origin | null {
  if (bookingReference === null || reference === null) return null;
  return { propertyId, bookingReference, reference };
}

/** An operation as an administrator reads it. */
export function entryOf(operation: AcquirerOperation): LedgerEntry {
  const { kind, idempotencyKey, propertyId, bookingReference } = operation;
  const { amountMinor, currency, status, atMs } = operation;
  const named = { kind, idempotencyKey, property: propertyId, bookingReference };
  return { ...named, amountMinor, currency, status, atMs };
}
