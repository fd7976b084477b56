import { hex } from '../../core/ids.ts';
import type { Origin } from '../../gateways/movements.ts';
import type { SandboxAnswer } from '../../gateways/sandbox.ts';
import type { Judgement } from './rules/judge.ts';

/**
 * What the ledger records: the five operations of a gateway, and what only banks and the acquirer itself do; and the sign
 * of what each brings to the property.
 */
const SIGNS = {
  charge: 1,
  authorization: 0,
  capture: 1,
  release: 0,
  refund: -1,
  inquiry: 0,
  dispute: -1,
  dispute_reversal: 1,
  refund_failure: 1,
} as const;

export type LedgerKind = keyof typeof SIGNS;

export const LEDGER_KINDS = Object.keys(SIGNS) as [LedgerKind, ...LedgerKind[]];

/** A recorded operation. Each idempotency key has one; what a person did on the acquirer's dashboard has no key. */
export interface AcquirerOperation extends Judgement {
  readonly kind: LedgerKind;
  readonly idempotencyKey: string | null;
  readonly propertyId: string;
  /** The booking and reference of the service that asked; null for a charge that was made on the dashboard. */
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

/** The reason of a dispute, how it was answered, and how it ended. */
export interface DisputeState {
  readonly reason: string;
  /** The evidence or acceptance that was taken, and when; absent before. */
  readonly answer?: {
    readonly kind: SandboxAnswer['answer'];
    readonly key: string;
    readonly atMs: number;
  };
  readonly closed: { readonly status: 'won' | 'lost'; readonly atMs: number } | null;
}

/** The bank's step of a payment: the name of its page, which cannot be guessed, and where the cardholder goes back to. */
export interface BankStep {
  readonly id: string;
  readonly returnUrl: string;
}

export interface SequencedOperation extends AcquirerOperation {
  readonly sequence: number;
}

/** A ledger line for administrators (interface: Read the sandbox ledger). */
export type LedgerEntry = Pick<
  AcquirerOperation,
  'kind' | 'idempotencyKey' | 'bookingReference' | 'amountMinor' | 'currency' | 'status' | 'atMs'
> & { readonly property: string };

/** What an operation brings to the property when the acquirer carries it out, in minor units. */
function movedBy(kind: LedgerKind, amountMinor: number): number {
  return SIGNS[kind] * amountMinor;
}

/** Whether an operation begins a payment. Every other one is of an earlier operation. */
export function beginsPayment(kind: LedgerKind): kind is 'charge' | 'authorization' {
  return kind === 'charge' || kind === 'authorization';
}

/** An operation under a new reference, as it is judged. `payment` is that of the earlier operation, if there is one. */
export function newOperation(
  facts: Omit<AcquirerOperation, keyof Judgement | 'gatewayReference' | 'movedMinor'>,
  judgement: Judgement,
): AcquirerOperation {
  const { amountMinor, kind, payment } = facts;
  const gatewayReference = newId('sandbox_');
  return {
    ...facts,
    ...judgement,
    gatewayReference,
    payment: beginsPayment(kind) ? gatewayReference : payment,
    movedMinor: judgement.status === 'succeeded' ? movedBy(kind, amountMinor) : 0,
  };
}

/** Whom an operation was made for, as the service that asked said; null for what it did not make. */
export function originOf(operation: AcquirerOperation): Origin | null {
  const { propertyId, bookingReference, reference } = operation;
  if (bookingReference === null || reference === null) return null;
  return { propertyId, bookingReference, reference };
}

/** An operation as an administrator reads it. */
export function entryOf(operation: AcquirerOperation): LedgerEntry {
  const { kind, idempotencyKey, propertyId: property, bookingReference } = operation;
  const { amountMinor, currency, status, atMs } = operation;
  return { kind, idempotencyKey, property, bookingReference, amountMinor, currency, status, atMs };
}

/**
 * The acquirer's id of the charge, refund or dispute that a movement is about: a reversal names what it takes back, and
 * the withdrawal after an inquiry the inquiry.
 */
export function subjectOf(operation: AcquirerOperation): string {
  const { dispute, kind, subject, gatewayReference } = operation;
  const namesAnother =
    kind === 'refund_failure' ||
    kind === 'dispute_reversal' ||
    (kind === 'dispute' && dispute === undefined);
  return namesAnother ? subject : gatewayReference;
}

/** A new id of the acquirer's, with this many random bytes: nobody can guess it. */
export function newId(prefix: string, bytes = 12): string {
  return `${prefix}${hex(crypto.getRandomValues(new Uint8Array(bytes)))}`;
}

export const BANK_PATH = '/bank/v1';

export interface BankStepShown {
  readonly propertyId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** `ended`: it was canceled, or the cardholder refused it. */
  readonly status: 'open' | 'allowed' | 'ended';
  /** Where the cardholder goes back to. */
  readonly returnUrl: string;
}

/** A payment as the bank's page shows it; null for one that no bank asked about. */
export function shownAtBank(payment: AcquirerOperation): BankStepShown | null {
  const { amountMinor, bankStep, currency, propertyId } = payment;
  const ended = payment.status === 'succeeded' ? 'allowed' : 'ended';
  const status = payment.status === 'pending' ? 'open' : ended;
  if (bankStep === undefined) return null;
  return { propertyId, amountMinor, currency, status, returnUrl: bankStep.returnUrl };
}

/** Where the cardholder confirms a payment: a page of the deployment that they came from. */
export function bankUrlOf({ bankStep }: AcquirerOperation): string | null {
  return bankStep ? new URL(`${BANK_PATH}/${bankStep.id}`, bankStep.returnUrl).href : null;
}

/** An open payment as it ends; null if it has ended before. */
export function endOpen(
  payment: AcquirerOperation,
  judgement: Judgement,
  atMs: number,
): AcquirerOperation | null {
  if (payment.status !== 'pending') return null;
  const isTaken = judgement.status === 'succeeded';
  const movedMinor = isTaken ? movedBy(payment.kind, payment.amountMinor) : 0;
  return { ...payment, ...judgement, movedMinor, atMs };
}
