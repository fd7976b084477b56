import type { PaymentRecord } from '../../../gateways/gateway.ts';
import type { BookingState } from '../../../records/bookings/rules.ts';
import { priceTaken } from '../../../records/properties/rules/takenPrice.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { termsOf } from '../../pricing/fees.ts';
import { DONE, type TransactionChange } from '../states.ts';
import { isCalledOff } from './cases.ts';

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

/** A hold that is held there although it counted here as never made. It ends as it would have. */
function heldCorrection(
  state: BookingState,
  row: TransactionRow,
  { gatewayReference, lapsesAtMs }: PaymentRecord,
  nowMs: number,
): TransactionChange | null {
  if (row.kind !== 'authorization' || !countsAsNeverMade(row)) return null;
  const askedMs = row.expiresAtMs ?? nowMs;
  const expiresAtMs = Math.min(askedMs, lapsesAtMs ?? askedMs);
  return {
    ...DONE,
    status: 'Authorized',
    gatewayReference,
    expiresAtMs,
    dueAtMs: isCalledOff(state, row) ? nowMs : Math.max(nowMs, expiresAtMs),
    completedAtMs: null,
    correctedAtMs: nowMs,
    declineCode: null,
    declineRetryable: null,
  };
}

/** One that was called off before its outcome was known counts as released without a payment at the acquirer. */
function countsAsNeverMade({ gatewayReference, status }: TransactionRow): boolean {
  const isReleased = status === 'Released' && gatewayReference === null;
  return status === 'Failed' || status === 'Declined' || isReleased;
}

function corrected({ atMs }: PaymentRecord, nowMs: number): TransactionChange {
  return { ...DONE, completedAtMs: atMs, learntAtMs: nowMs, correctedAtMs: nowMs };
}
