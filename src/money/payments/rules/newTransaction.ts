import { pick } from '../../../core/pick.ts';
import type { GatewayName } from '../../../platform/config.ts';
import type { BookingState } from '../../../records/bookings/rules.ts';
import type { LoweredSchedule, TransactionRow } from '../../../schema/moneyTables.ts';
import { SAFETY_NET_MS } from '../../gateway/rules/statusChecks.ts';
import { termsColumns } from '../../pricing/fees.ts';
import type { PaymentRequest } from '../rules.ts';
import type { DecidedCharge } from './decideCharge.ts';

export interface TransactionCommand extends PaymentRequest {
  readonly kind: TransactionRow['kind'];
  /** 32 hex digits, made before the call to the booking's object. */
  readonly transactionReference: string;
  /** When a schedule is charged or a hold expires, as the caller wrote it and as an instant; null for a charge. */
  readonly time: { readonly text: string; readonly atMs: number } | null;
  /** Whether the payment takes what is due, at most: a schedule when it fires, everything else now. */
  readonly limitToDue: boolean;
  readonly initiator: TransactionRow['initiator'];
  /** The page below which each payment of a guest has its own, to which their bank returns them; null for others. */
  readonly returnBase: string | null;
  /** The schedules that end when the payment is accepted, because it pays what they would have charged. */
  readonly replaces: readonly number[];
  /** The schedule that takes less once the payment is accepted; null for none. */
  readonly lowers: LoweredSchedule | null;
  /** The declined charge that this one is made in place of; null for none. */
  readonly replacesCharge: number | null;
  /** The part of a plan that the payment charges. */
  readonly part?: Pick<TransactionRow, 'planId' | 'partId'>;
}

interface Circumstances {
  readonly state: BookingState;
  readonly decided: Pick<DecidedCharge, 'priced' | 'terms' | 'warnings'> & {
    readonly amount: Pick<DecidedCharge['amount'], 'askedMinor' | 'warnings'>;
    /** Null for a part of a plan that has none. */
    readonly card: Pick<DecidedCharge['card'], 'token' | 'virtual'> | null;
  };
  readonly gateway: GatewayName;
  readonly id: number;
  readonly nowMs: number;
  /** The caller's key; the outcome becomes its kept answer. */
  readonly idempotencyKey: string | null;
  readonly quoteId: string | null;
}

/** The row of a new transaction: a schedule waits for its time; a charge or hold is sent to the gateway next. */
export function newTransaction(
  command: TransactionCommand,
  { state, decided, gateway, id, nowMs, idempotencyKey, quoteId }: Circumstances,
): TransactionRow {
  const { kind, time } = command;
  const isScheduled = kind === 'schedule';
  const reference = command.transactionReference;
  return {
    id,
    propertyId: state.property.id,
    bookingReference: state.booking.reference,
    reference,
    ...pick(command, 'kind', 'purpose', 'description', 'initiator'),
    status: isScheduled ? 'Pending' : 'Processing',
    currency: state.booking.currency,
    ...decided.priced,
    refundReservedMinor: 0,
    virtualCard: command.virtualCard || (decided.card?.virtual ?? null) !== null,
    ...termsColumns(decided.terms),
    askedMinor: decided.amount.askedMinor,
    limitToDue: isScheduled && command.limitToDue,
    warnings: [...decided.amount.warnings, ...decided.warnings],
    ...pick(command, 'replaces', 'lowers', 'replacesCharge'),
    replacedBy: null,
    quoteId,
    planId: command.part?.planId ?? null,
    partId: command.part?.partId ?? null,
    returnUrl: command.returnBase && `${command.returnBase}/${id}`,
    bankAskedAtMs: null,
    cardToken: decided.card?.token ?? null,
    cardNamed: command.cardToken !== null,
    otherCard: null,
    ...timesOf(command),
    firstAttemptAtMs: null,
    putOffUntilMs: null,
    pendingOperation: FIRST_OPERATION[kind],
    captureRequestedMinor: null,
    captureAmountMinor: null,
    gateway,
    gatewayKey: isScheduled ? null : `${reference}-1`,
    gatewayReference: null,
    attempts: isScheduled ? 0 : 1,
    askedAtMs: isScheduled ? null : nowMs,
    statusChecks: 0,
    declineCode: null,
    declineRetryable: null,
    rejections: 0,
    sentAtMs: null,
    absentAtMs: null,
    unwantedSinceMs: null,
    dueAtMs: isScheduled ? (time?.atMs ?? null) : nowMs + SAFETY_NET_MS,
    // The batch that records a schedule keeps its answer too.
    idempotencyKey: isScheduled ? null : idempotencyKey,
    bookingVersion: state.booking.version,
    propertyVersion: state.property.version,
    version: 1,
    createdAtMs: nowMs,
    completedAtMs: null,
    learntAtMs: null,
    correctedAtMs: null,
    changedAtMs: null,
  };
}

/** When a schedule is charged, and when a hold ends. */
function timesOf({ kind, time }: TransactionCommand) {
  const scheduled = kind === 'schedule' ? time : null;
  const expiry = kind === 'authorization' ? time : null;
  return {
    scheduledTime: scheduled?.text ?? null,
    scheduledAtMs: scheduled?.atMs ?? null,
    expiryTime: expiry?.text ?? null,
    expiresAtMs: expiry?.atMs ?? null,
  };
}

const FIRST_OPERATION = { charge: 'charge', authorization: 'authorize', schedule: null } as const;
