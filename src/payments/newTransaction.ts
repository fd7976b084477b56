import type { BookingState } from '../bookings/rules.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import type { GatewayName } from '../gateways/gateway.ts';
import { SAFETY_NET_MS } from './inquiries.ts';
import type { AllowedPayment, PaymentRequest } from './rules.ts';

/** What makes a new transaction: the request, its kind, and a reference made before it reached the object. */
export interface TransactionCommand extends PaymentRequest {
  readonly kind: TransactionRow['kind'];
  /** 32 hex digits, made before the object is asked. */
  readonly transactionReference: string;
  /** When a schedule is charged or a hold ends, as the caller wrote it and as an instant; null for a charge. */
  readonly time: { readonly text: string; readonly atMs: number } | null;
}

/** What a new transaction is made under. */
interface Circumstances {
  readonly state: BookingState;
  readonly allowed: AllowedPayment;
  readonly gateway: GatewayName;
  readonly id: number;
  readonly nowMs: number;
  /** The caller's key, whose kept answer is completed with the outcome. */
  readonly idempotencyKey: string | null;
}

/** The row of a new transaction: a schedule waits for its time, anything else is about to be asked for. */
export function newTransaction(
  command: TransactionCommand,
  { state, allowed, gateway, id, nowMs, idempotencyKey }: Circumstances,
): TransactionRow {
  const { kind, time } = command;
  const waits = kind === 'schedule';
  const reference = command.transactionReference;
  return {
    id,
    propertyId: state.property.id,
    bookingReference: state.booking.reference,
    reference,
    kind,
    purpose: command.purpose,
    status: waits ? 'Pending' : 'Processing',
    currency: state.booking.currency,
    ...allowed.priced,
    refundReservedMinor: 0,
    virtualCard: command.virtualCard,
    feeBasisPoints: allowed.terms.cardFeeBasisPoints,
    description: command.description,
    cardToken: allowed.card.token,
    cardNamed: command.cardToken !== null,
    scheduledTime: waits ? (time?.text ?? null) : null,
    scheduledAtMs: waits ? (time?.atMs ?? null) : null,
    expiryTime: kind === 'authorization' ? (time?.text ?? null) : null,
    expiresAtMs: kind === 'authorization' ? (time?.atMs ?? null) : null,
    firstAttemptAtMs: null,
    pendingOperation: pendingOperation(kind),
    captureRequestedMinor: null,
    captureAmountMinor: null,
    gateway,
    gatewayKey: waits ? null : `${reference}-1`,
    gatewayReference: null,
    attempts: waits ? 0 : 1,
    askedAtMs: waits ? null : nowMs,
    inquiries: 0,
    declineCode: null,
    declineRetryable: null,
    dispute: null,
    dueAtMs: waits ? (time?.atMs ?? null) : nowMs + SAFETY_NET_MS,
    // A schedule's answer is kept as soon as it is recorded.
    idempotencyKey: waits ? null : idempotencyKey,
    bookingVersion: state.booking.version,
    propertyVersion: state.property.version,
    version: 1,
    createdAtMs: nowMs,
    settledAtMs: null,
  };
}

function pendingOperation(kind: TransactionRow['kind']): TransactionRow['pendingOperation'] {
  switch (kind) {
    case 'charge':
      return 'charge';
    case 'authorization':
      return 'authorize';
    case 'schedule':
      return null;
  }
}
