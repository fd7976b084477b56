import { assertNever } from '../../core/result.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { Approval, CertainOutcome } from '../../gateways/gateway.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { isFresh } from '../../records/cards/rules/virtual.ts';
import { type FeeTerms, NO_FEES } from '../../records/properties/rules/feeTerms.ts';
import { type Priced, priceTaken } from '../../records/properties/rules/takenPrice.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { price, termsColumns, termsOf } from '../pricing/fees.ts';
import type { UnderWay } from './rules/cases.ts';
import { isCalledOff } from './rules/cases.ts';
import { afterRejectionMs, retryTimeMs } from './rules/retries.ts';
import { cardToTryNext, isOnOtherCard } from './rules.ts';

/** The columns that a change of a transaction may set. */
export type TransactionChange = Partial<
  Omit<TransactionRow, 'id' | 'propertyId' | 'bookingReference' | 'reference' | 'kind' | 'currency'>
>;

/** If the gateway does not release an expired hold: how long to try again, once an hour. Then it ends as expired. */
const EXPIRY_RETRIES_MS = 4 * HOUR_MS;

/** The same if the gateway rejects the release for a temporary reason, such as a refused key. */
const TEMPORARY_RETRIES_MS = 72 * HOUR_MS;

export const DONE = {
  pendingOperation: null,
  dueAtMs: null,
  idempotencyKey: null,
  captureRequestedMinor: null,
  captureAmountMinor: null,
  rejections: 0,
  sentAtMs: null,
  absentAtMs: null,
} as const;

/** Nothing is pending any more; the outcome came about at `atMs`, and this service learns it now. */
function final(atMs: number, nowMs: number) {
  return { ...DONE, completedAtMs: atMs, learntAtMs: nowMs };
}

/** The columns that a certain outcome of the pending operation changes. */
export function outcomeChange(
  state: BookingState,
  row: UnderWay,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  switch (row.pendingOperation) {
    case 'charge':
      return chargeChange(state, row, outcome, nowMs);
    case 'authorize':
      return authorizationChange(state, row, outcome, nowMs);
    case 'capture':
      return captureChange(state, row, outcome, nowMs);
    case 'release':
    case 'expire':
      return releaseChange(state, row, outcome, nowMs);
    default:
      return assertNever(row);
  }
}

/** A hold while it is made, captured or released. */
type HoldUnderWay = Extract<UnderWay, { readonly expiresAtMs: number }>;

function chargeChange(
  state: BookingState,
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  if (outcome.kind !== 'approved' && row.kind === 'schedule' && isCalledOff(state, row)) {
    return { ...final(nowMs, nowMs), status: 'Cancelled' };
  }
  switch (outcome.kind) {
    case 'approved':
      return {
        ...final(outcome.atMs ?? nowMs, nowMs),
        ...takenInstead(termsOf(row), outcome, row.amountMinor),
        status: 'Accepted',
        gatewayReference: outcome.gatewayReference,
      };
    case 'declined': {
      const { declineCode, retryable: declineRetryable } = outcome;
      const retryAtMs = declineRetryable && !isOnOtherCard(row) ? retryTimeMs(row) : null;
      const declined = { declineCode, declineRetryable };
      if (row.kind === 'schedule' && declineRetryable && isOnFreshCard(state, row, nowMs)) {
        return { ...DONE, ...declined, ...uncounted(row), dueAtMs: nowMs + HOUR_MS };
      }
      if (retryAtMs !== null)
        return { ...DONE, ...declined, status: 'Pending', dueAtMs: retryAtMs };
      // The card that the booking used when the schedule was made is tried once.
      const nextCard = cardToTryNext(state, row, nowMs);
      return nextCard === null
        ? { ...final(nowMs, nowMs), ...declined, status: 'Declined' }
        : { ...DONE, ...declined, status: 'Pending', dueAtMs: nowMs, cardToken: nextCard };
    }
    case 'rejected':
      return rejectedChargeChange(row, outcome, nowMs);
    default:
      return assertNever(outcome);
  }
}

/** A schedule that the gateway rejects for a temporary reason waits; the attempt does not count. */
function rejectedChargeChange(
  row: TransactionRow,
  { temporary, retryAfterMs }: CertainOutcome & { kind: 'rejected' },
  nowMs: number,
): TransactionChange {
  const waits = row.kind === 'schedule' && temporary;
  const againAtMs = waits ? afterRejectionMs(row, retryAfterMs, nowMs) : null;
  if (againAtMs === null) return { ...final(nowMs, nowMs), status: 'Failed' };
  return { ...DONE, ...uncounted(row), dueAtMs: againAtMs, rejections: row.rejections + 1 };
}

/** A schedule that is tried again as if the attempt under way had not been made. */
function uncounted({ attempts }: TransactionRow) {
  const before = attempts - 1;
  return {
    status: 'Pending',
    attempts: before,
    ...(before === 0 && { firstAttemptAtMs: null }),
  } as const;
}

/** Whether a schedule was tried on a virtual card whose issuer may not have made it active yet. */
function isOnFreshCard({ cards }: BookingState, { cardToken }: TransactionRow, nowMs: number) {
  const card = cards.find(({ token }) => token === cardToken);
  return card !== undefined && isFresh(card, nowMs);
}

/** The amounts of a row if the gateway took another amount than was asked; none if it took that. */
function takenInstead(
  terms: FeeTerms,
  { amountMinor }: Approval,
  askedMinor: number,
): Partial<Priced> {
  const differs = amountMinor !== null && amountMinor !== askedMinor;
  return differs ? priceTaken(amountMinor, terms) : {};
}

function authorizationChange(
  state: BookingState,
  row: HoldUnderWay,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  const calledOff = isCalledOff(state, row);
  if (outcome.kind !== 'approved' && calledOff) {
    return { ...final(nowMs, nowMs), status: 'Released' };
  }
  if (outcome.kind === 'rejected') return { ...final(nowMs, nowMs), status: 'Failed' };
  if (outcome.kind === 'declined') {
    const { declineCode, retryable: declineRetryable } = outcome;
    return { ...final(nowMs, nowMs), status: 'Declined', declineCode, declineRetryable };
  }
  const expiresAtMs = Math.min(row.expiresAtMs, outcome.lapsesAtMs ?? row.expiresAtMs);
  return {
    ...DONE,
    ...takenInstead(termsOf(row), outcome, row.amountMinor),
    status: 'Authorized',
    gatewayReference: outcome.gatewayReference,
    expiresAtMs,
    // If its end was asked for before the outcome was known, release the hold at once.
    dueAtMs: calledOff ? nowMs : expiresAtMs,
  };
}

function captureChange(
  state: BookingState,
  row: TransactionRow,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  if (outcome.kind !== 'approved') {
    // If the booking was cancelled during the capture, release the hold at once.
    return isCalledOff(state, row) ? { ...heldAgain(row), dueAtMs: nowMs } : heldAgain(row);
  }
  const requestedMinor = row.captureRequestedMinor ?? row.requestedMinor;
  const amountMinor = row.captureAmountMinor ?? row.amountMinor;
  const feesMinor = amountMinor - requestedMinor;
  // Fees that the law of the capture's moment took away stay away if the gateway takes another amount.
  const isWithoutFees = feesMinor === 0 && hasFees(requestedMinor, termsOf(row));
  const terms = isWithoutFees ? NO_FEES : termsOf(row);
  const transactionFeeMinor = Math.min(terms.transactionFeeMinor, feesMinor);
  return {
    ...final(outcome.atMs ?? nowMs, nowMs),
    ...(isWithoutFees && termsColumns(terms)),
    requestedMinor,
    amountMinor,
    transactionFeeMinor,
    cardFeeMinor: feesMinor - transactionFeeMinor,
    ...takenInstead(terms, outcome, amountMinor),
    status: 'Accepted',
    gatewayReference: outcome.gatewayReference ?? row.gatewayReference,
  };
}

/** Whether terms ask for fees on an amount: on a very small one, the card fee is rounded to nothing. */
function hasFees(requestedMinor: number, terms: FeeTerms): boolean {
  const priced = price(requestedMinor, terms, 1);
  return priced.ok && priced.value.amountMinor > requestedMinor;
}

function releaseChange(
  state: BookingState,
  row: HoldUnderWay,
  outcome: CertainOutcome,
  nowMs: number,
): TransactionChange {
  const gone = row.pendingOperation === 'release' ? 'Released' : 'Expired';
  if (outcome.kind === 'approved') {
    return { ...final(outcome.atMs ?? nowMs, nowMs), status: gone };
  }
  if (gone === 'Released') {
    // The service retries the release for a cancelled booking, but not one that a caller asked for and was refused.
    const againAtMs = Math.min(nowMs + HOUR_MS, row.expiresAtMs);
    return isCalledOff(state, row) ? { ...heldAgain(row), dueAtMs: againAtMs } : heldAgain(row);
  }
  // The hold has expired; ask the gateway a few more times to release it.
  const isTemporary = outcome.kind === 'rejected' && outcome.temporary;
  const retriesMs = isTemporary ? TEMPORARY_RETRIES_MS : EXPIRY_RETRIES_MS;
  return nowMs - row.expiresAtMs >= retriesMs
    ? { ...final(nowMs, nowMs), status: 'Expired' }
    : { ...DONE, status: 'Authorized', dueAtMs: nowMs + HOUR_MS };
}

/** The gateway certainly did not capture or release the hold: it is authorized as before. */
function heldAgain(row: TransactionRow): TransactionChange {
  return { ...DONE, status: 'Authorized', dueAtMs: row.expiresAtMs };
}
