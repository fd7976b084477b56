import { type FeeTerms, NO_FEES } from '../../src/records/properties/rules/feeTerms.ts';
import type { BookingRow } from '../../src/schema/bookingTables.ts';
import type { CardRow } from '../../src/schema/cardTables.ts';
import type { DisputeRow } from '../../src/schema/disputeTables.ts';
import type { RefundRow, TransactionRow } from '../../src/schema/moneyTables.ts';
import type { PropertyRow } from '../../src/schema/propertyTables.ts';

/** A property as a row, with what a test is about. */
export function propertyRow(changes: Partial<PropertyRow> = {}): PropertyRow {
  return {
    id: 'demo',
    name: 'Demo Property',
    site: 'demo.localhost',
    currency: 'AUD',
    timeZone: 'Australia/Perth',
    portfolio: 'default',
    cardFeeBasisPoints: 0,
    cardFeeByBrand: {},
    transactionFeeMinor: 0,
    refundLimitMinor: null,
    keepSchedulesOnCancellation: false,
    planTemplates: [],
    cardRecovery: null,
    cancellationPolicy: null,
    guestCancellation: false,
    merchantAccount: null,
    feeRules: [],
    country: null,
    feeLaw: null,
    overchargeGuard: 'warn',
    duplicateWindowSeconds: 0,
    pmsUrl: null,
    pmsUsername: null,
    pmsPasswordSealed: null,
    pmsTransactionFormat: 'JSON',
    pmsNamespace: null,
    bookingsFromPms: false,
    channelCode: null,
    contact: null,
    guestMails: null,
    branding: null,
    retention: null,
    webhookEndpoints: [],
    clockAheadMs: 0,
    clockFrozenAtMs: null,
    version: 1,
    createdAtMs: 0,
    ...changes,
  };
}

/** Fee terms by gross-up without a maximum, and without fees, with what a test is about. */
export function feeTerms(changes: Partial<FeeTerms> = {}): FeeTerms {
  return { ...NO_FEES, ...changes };
}

/** A booking as a row, with what a test is about. */
export function bookedRow(changes: Partial<BookingRow> = {}): BookingRow {
  return {
    propertyId: 'demo',
    reference: 'RES-1',
    status: 'booked',
    arrival: '2027-02-14',
    departure: '2027-02-17',
    lastName: 'Nguyen',
    searchWords: '',
    email: 'guest@hotel.com',
    currency: 'AUD',
    totalCostMinor: 98_050,
    knownTotalMinor: 98_050,
    firstNightCostMinor: 20_000,
    firstName: null,
    phone: null,
    source: null,
    pmsConfirmationNumber: null,
    roomStays: null,
    eta: null,
    notes: null,
    guest: null,
    fromPms: false,
    cardToken: null,
    linkVersion: 1,
    version: 1,
    propertyVersion: null,
    pendingCancelledVersion: null,
    cancellationPolicy: null,
    createdAtMs: 1_000,
    updatedAtMs: 1_000,
    erasedAtMs: null,
    ...changes,
  };
}

/** A card as a row: a Visa good through 11/2026. */
export function cardRow(token: string, changes: Partial<CardRow> = {}): CardRow {
  return {
    token,
    propertyId: 'demo',
    bookingReference: 'RES-1',
    gateway: 'sandbox',
    gatewayToken: `vault_${token}`,
    gatewayAccount: null,
    enteredToPay: false,
    brand: 'visa',
    last4: '1111',
    masked: 'XXXX-XXXX-XXXX-X111',
    holderName: 'A Nguyen',
    expiryMonth: 11,
    expiryYear: 2026,
    funding: 'unknown',
    issuerCountry: null,
    enteredBy: 'api',
    requestId: null,
    createdAtMs: 0,
    removedAtMs: null,
    detachedAtMs: null,
    virtual: null,
    takenMinor: 0,
    heldMinor: 0,
    refundedMinor: 0,
    autoChargeId: null,
    dueAtMs: null,
    ...changes,
  };
}

/** A transaction as a row: a charge of 150.00 without fees whose outcome is awaited. */
export function transactionRow(changes: Partial<TransactionRow> = {}): TransactionRow {
  const reference = 'ab'.repeat(16);
  return {
    id: 41,
    propertyId: 'demo',
    bookingReference: 'RES-1',
    reference,
    kind: 'charge',
    purpose: 'Manual',
    status: 'Processing',
    currency: 'AUD',
    requestedMinor: 15_000,
    transactionFeeMinor: 0,
    cardFeeMinor: 0,
    amountMinor: 15_000,
    refundReservedMinor: 0,
    virtualCard: false,
    feeBasisPoints: 0,
    feeMethod: 'grossUp',
    feeMaximumMinor: null,
    askedMinor: null,
    limitToDue: false,
    warnings: [],
    replaces: [],
    lowers: null,
    replacedBy: null,
    replacesCharge: null,
    quoteId: null,
    planId: null,
    partId: null,
    initiator: 'property',
    returnUrl: null,
    bankAskedAtMs: null,
    description: null,
    cardToken: 'visa-card',
    otherCard: null,
    cardNamed: false,
    scheduledTime: null,
    scheduledAtMs: null,
    expiryTime: null,
    expiresAtMs: null,
    firstAttemptAtMs: null,
    putOffUntilMs: null,
    pendingOperation: 'charge',
    captureRequestedMinor: null,
    captureAmountMinor: null,
    gateway: 'sandbox',
    gatewayKey: `${reference}-1`,
    gatewayReference: null,
    attempts: 1,
    askedAtMs: 1_000,
    statusChecks: 0,
    declineCode: null,
    declineRetryable: null,
    rejections: 0,
    sentAtMs: null,
    absentAtMs: null,
    unwantedSinceMs: null,
    dueAtMs: 61_000,
    idempotencyKey: 'caller-key',
    bookingVersion: 1,
    propertyVersion: 1,
    version: 1,
    createdAtMs: 1_000,
    completedAtMs: null,
    learntAtMs: null,
    correctedAtMs: null,
    changedAtMs: null,
    ...changes,
  };
}

/** The columns of a transaction that waits for nothing. */
export const SETTLED = {
  pendingOperation: null,
  dueAtMs: null,
  idempotencyKey: null,
  captureRequestedMinor: null,
  captureAmountMinor: null,
  rejections: 0,
  sentAtMs: null,
  absentAtMs: null,
} as const;

/** A refund as a row: 20.00 that were sent back. */
export function refundRow(changes: Partial<RefundRow> = {}): RefundRow {
  const reference = 'cd'.repeat(16);
  return {
    id: 42,
    transactionId: 41,
    propertyId: 'demo',
    bookingReference: 'RES-1',
    reference,
    commandReference: reference,
    status: 'Refunded',
    amountMinor: 2_000,
    currency: 'AUD',
    description: null,
    waived: false,
    gatewayReference: 'g-refund',
    origin: 'service',
    actor: 'demo-engine',
    statusChecks: 0,
    rejections: 0,
    sentAtMs: null,
    absentAtMs: null,
    propertyVersion: null,
    dueAtMs: null,
    idempotencyKey: null,
    version: 2,
    createdAtMs: 1_000,
    completedAtMs: 2_000,
    learntAtMs: 2_000,
    correctedAtMs: null,
    ...changes,
  };
}

/** A dispute as a row, with what a test is about. */
export function disputeRow(changes: Partial<DisputeRow> = {}): DisputeRow {
  return {
    propertyId: 'demo',
    id: 'dp_1',
    bookingReference: 'RES-1',
    transactionId: 1,
    status: 'needs_response',
    reason: 'fraudulent',
    currency: 'AUD',
    amountMinor: 100,
    feeMinor: 0,
    fundsWithdrawn: true,
    openedAtMs: 1,
    respondByMs: null,
    closedAtMs: null,
    changedAtMs: 1,
    learntAtMs: 1,
    pendingAnswer: null,
    answer: null,
    answeredAtMs: null,
    answerReference: null,
    askedAtMs: null,
    sentAtMs: null,
    statusChecks: 0,
    absentAtMs: null,
    toldDeadlineMs: null,
    dueAtMs: null,
    version: 1,
    ...changes,
  };
}

/** What a transaction's row breaks of what must hold for every one, whatever its life was. */
export function brokenRules(row: TransactionRow): string[] {
  const waits = row.status === 'Pending' || row.status === 'Authorized';
  const asked = row.status === 'Processing';
  const rules = {
    'the amount is the sum of its parts':
      row.amountMinor === row.requestedMinor + row.transactionFeeMinor + row.cardFeeMinor,
    'no part is below zero':
      row.requestedMinor > 0 && row.transactionFeeMinor >= 0 && row.cardFeeMinor >= 0,
    'only a schedule is Pending or Cancelled':
      row.kind === 'schedule' || !['Pending', 'Cancelled'].includes(row.status),
    'only a hold is Authorized, Released or Expired':
      row.kind === 'authorization' || !['Authorized', 'Released', 'Expired'].includes(row.status),
    'something is under way exactly while it is Processing':
      asked === (row.pendingOperation !== null),
    'what is under way has a key, a card and the time when it was asked':
      !asked || (row.gatewayKey !== null && row.cardToken !== null && row.askedAtMs !== null),
    'it is due exactly until it is final': (row.dueAtMs !== null) === (waits || asked),
    'it is settled exactly when it is final': (row.completedAtMs !== null) === !(waits || asked),
    'a caller waits only for what is under way': asked || row.idempotencyKey === null,
    'a key belongs to its transaction and attempt':
      row.gatewayKey === null || row.gatewayKey === `${row.reference}-${row.attempts}`,
    'a hold has an end': row.kind !== 'authorization' || row.expiresAtMs !== null,
    'a schedule has a time': row.kind !== 'schedule' || row.scheduledAtMs !== null,
    'only a capture under way has a captured amount':
      row.pendingOperation === 'capture' || row.captureAmountMinor === null,
  };
  return Object.entries(rules).flatMap(([name, holds]) => (holds ? [] : [name]));
}
