import type { PaymentRecord } from '../../gateways/gateway.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { type BookingState, endsWithBooking } from '../../records/bookings/rules.ts';
import { termsOf } from './feeColumns.ts';
import { priceTaken } from './fees.ts';
import { DONE, type TransactionChange } from './states.ts';

/**
 * What the acquirer's certain record of a payment corrects in ours (parts: Corrections); null if nothing. What
 * was taken there is accepted here, with the amount that was taken; a hold that was let go there is released here. The
 * same record again corrects nothing.
 */
export function correction(
  state: BookingState,
  row: TransactionRow,
  payment: PaymentRecord,
  nowMs: number,
): TransactionChange | null {
  switch (payment.status) {
    case 'taken':
      return takenCorrection(row, payment, nowMs);
    case 'released':
      return isHeld(row) ? { ...corrected(payment, nowMs), status: 'Released' } : null;
    case 'held':
      return heldCorrection(state, row, payment, nowMs);
    case 'pending':
    case 'open':
    case 'failed':
      return null;
  }
}

/** Whether a hold counts as held here, at rest or while it is captured or released. */
function isHeld({ status, pendingOperation }: TransactionRow): boolean {
  const followUps: readonly (string | null)[] = ['capture', 'release', 'expire'];
  return status === 'Authorized' || followUps.includes(pendingOperation);
}

function takenCorrection(
  row: TransactionRow,
  payment: PaymentRecord,
  nowMs: number,
): TransactionChange | null {
  const { takenMinor: amountMinor, gatewayReference } = payment;
  const price = row.amountMinor === amountMinor ? {} : priceTaken(amountMinor, termsOf(row));
  if (row.status === 'Accepted') {
    const isSame = row.amountMinor === amountMinor && row.gatewayReference !== null;
    if (isSame) return null;
    return {
      ...price,
      gatewayReference: row.gatewayReference ?? gatewayReference,
      correctedAtMs: nowMs,
    };
  }
  return {
    ...corrected(payment, nowMs),
    ...price,
    status: 'Accepted',
    gatewayReference,
    declineCode: null,
    declineRetryable: null,
  };
}

/** A hold that is held there although it counted as failed here. It ends as it would have. */
function heldCorrection(
  state: BookingState,
  row: TransactionRow,
  { gatewayReference, lapsesAtMs }: PaymentRecord,
  nowMs: number,
): TransactionChange | null {
  const counted = row.status === 'Failed' || row.status === 'Declined';
  if (row.kind !== 'authorization' || !counted) return null;
  const askedMs = row.expiresAtMs ?? nowMs;
  const expiresAtMs = Math.min(askedMs, lapsesAtMs ?? askedMs);
  return {
    ...DONE,
    status: 'Authorized',
    gatewayReference,
    expiresAtMs,
    dueAtMs: endsWithBooking(state, row) ? nowMs : Math.max(nowMs, expiresAtMs),
    completedAtMs: null,
    correctedAtMs: nowMs,
    declineCode: null,
    declineRetryable: null,
  };
}

function corrected({ atMs }: PaymentRecord, nowMs: number): TransactionChange {
  return { ...DONE, completedAtMs: atMs, learntAtMs: nowMs, correctedAtMs: nowMs };
}
