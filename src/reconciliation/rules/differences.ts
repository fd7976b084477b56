import { failure } from '../../core/failure.ts';
import { sumOf } from '../../core/sum.ts';
import type { DisputeReport, PaymentRecord } from '../../gateways/gateway.ts';
import type { GatewayMovement } from '../../gateways/movements.ts';
import type { NewException } from '../../records/exceptions/exceptions.ts';
import type { Movement } from '../../schema/historyTables.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';
import type { ExceptionSide } from '../../schema/reconciliationTables.ts';

/** A movement of money as the history has it, in minor units. */
export interface MovementRow {
  readonly propertyId: string;
  readonly bookingReference: string;
  readonly sequence: number;
  readonly transactionId: number;
  /** The refund or dispute that it is of; null for the charge itself. */
  readonly refundId: number | null;
  readonly disputeId: string | null;
  readonly kind: Movement;
  readonly currency: string;
  readonly amountMinor: number;
  readonly gatewayReference: string | null;
  readonly occurredAtMs: number;
}

/** The kind that a movement of the acquirer has here, and the status that an exception shows of it. */
export const movementKinds = {
  charge: { here: 'charge', status: 'taken' },
  refund: { here: 'refund', status: 'refunded' },
  refund_failure: { here: 'reversal', status: 'refund failed' },
  dispute: { here: 'chargeback', status: 'withdrawn' },
  dispute_reversal: { here: 'chargeback_reversal', status: 'returned' },
} as const satisfies Record<GatewayMovement['kind'], { here: Movement; status: string }>;

/** The subject of a difference, by which each is recorded once: both directions give the same one. */
export function subjectOf({ kind, subject }: Pick<GatewayMovement, 'kind' | 'subject'>): string {
  return kind === 'refund_failure' || kind === 'dispute_reversal' ? `${subject} ${kind}` : subject;
}

/** A difference between the acquirer's record and ours. */
export type Difference = Omit<NewException, 'gateway'>;

/** The part of a difference that a comparison finds; the caller adds where it belongs. */
export type Finding = Omit<Difference, 'propertyId' | 'bookingReference'>;

export interface OurCharge {
  readonly transaction: TransactionRow;
  /** All its movements, in their order. */
  readonly rows: readonly MovementRow[];
  readonly refunds: readonly RefundRow[];
  /** The card's token at the acquirer; it names the account. */
  readonly gatewayToken: string | null;
}

function theirSide(movement: GatewayMovement): ExceptionSide {
  const { amountMinor, atMs, currency, kind, subject } = movement;
  return { status: movementKinds[kind].status, amountMinor, currency, id: subject, atMs };
}

function ourSide(row: TransactionRow | RefundRow, amountMinor: number): ExceptionSide {
  const { completedAtMs, createdAtMs, currency, id, status } = row;
  return { status, amountMinor, currency, id: String(id), atMs: completedAtMs ?? createdAtMs };
}

function ourTransaction({ transaction, rows }: OurCharge): ExceptionSide {
  return ourSide(transaction, rows.length > 0 ? takenOf(rows) : transaction.amountMinor);
}

/** What a charge's rows come to before refunds: the charge or capture, as corrected since. */
export function takenOf(rows: readonly Pick<MovementRow, 'kind' | 'amountMinor'>[]): number {
  return sumOf(rows.filter(isTaken), 'amountMinor');
}

/** Whether a movement is what a charge took, or a correction of that. */
export function isTaken({ kind }: Pick<MovementRow, 'kind'>): boolean {
  return kind === 'charge' || kind === 'capture' || kind === 'correction';
}

/**
 * A movement of a payment that this service did not make. What happens to the payment later is an exception of its own:
 * who accepted the payment did not know of its chargeback.
 */
export function unknownPayment(movement: GatewayMovement): Finding {
  const { kind, payment, subject } = movement;
  return {
    kind: 'unknown_payment',
    subject: kind === 'charge' ? (payment ?? subject) : subjectOf(movement),
    ours: null,
    theirs: theirSide(movement),
    detail: 'This service did not make this payment.',
  };
}

/** A movement that names a charge of this service which is not here, or not on this account. */
export function unknownOrigin(movement: GatewayMovement): Finding {
  return {
    kind: 'missing_here',
    subject: subjectOf(movement),
    ours: null,
    theirs: theirSide(movement),
    detail: 'The acquirer names a payment of this service that is not here.',
  };
}

/** Whether our outcome of what moved is not known yet. Its own status checks end that; a later run compares it. */
export function isUnderWay(movement: GatewayMovement, charge: OurCharge | undefined): boolean {
  if (movement.kind === 'charge') return charge?.transaction.status === 'Processing';
  const refund = charge?.refunds.find((one) => one.gatewayReference === movement.subject);
  const isUnnamed = charge?.refunds.some(
    (one) => one.status === 'Processing' && one.gatewayReference === null,
  );
  return refund ? refund.status === 'Processing' : movement.kind === 'refund' && isUnnamed === true;
}

/** How a movement differs from our record of its charge, after the acquirer was asked for it once more. */
export function differenceOf(movement: GatewayMovement, charge: OurCharge): Finding {
  const found = { subject: subjectOf(movement), theirs: theirSide(movement) };
  switch (movement.kind) {
    case 'charge':
      return { ...found, ...ofCharge(movement, charge) };
    case 'refund':
    case 'refund_failure':
      return { ...found, ...ofRefund(movement, charge) };
    case 'dispute':
    case 'dispute_reversal':
      return { ...found, ...ofDispute(movement, charge) };
  }
}

type Side = Pick<Finding, 'kind' | 'ours' | 'detail'>;

const AMOUNT_DIFFERS = { kind: 'amount_differs', detail: 'The amounts differ.' } as const;

function ofCharge(movement: GatewayMovement, charge: OurCharge): Side {
  const ours = ourTransaction(charge);
  const [taken] = charge.rows;
  if (!taken) {
    const detail = 'The acquirer took it; here it is not Accepted.';
    return { kind: 'state_differs', ours, detail };
  }
  if (taken.gatewayReference !== null && taken.gatewayReference !== movement.subject) {
    const detail = 'The acquirer took a second payment for the same transaction.';
    return { kind: 'missing_here', ours, detail };
  }
  const detail = 'Here it belongs to another booking or payment.';
  return stateUnlessAmount(ours, takenOf(charge.rows), movement, detail);
}

function ofRefund(movement: GatewayMovement, { refunds }: OurCharge): Side {
  const refund = refunds.find(({ gatewayReference }) => gatewayReference === movement.subject);
  if (!refund) return { kind: 'missing_here', ours: null, detail: 'This refund is not here.' };
  const { amountMinor, status } = refund;
  const ours = ourSide(refund, -amountMinor);
  return stateUnlessAmount(ours, amountMinor, movement, `Here the refund is ${status}.`);
}

function ofDispute(movement: GatewayMovement, { rows }: OurCharge): Side {
  const last = rows.findLast(({ disputeId }) => disputeId === movement.subject);
  if (!last) return { kind: 'missing_here', ours: null, detail: 'This dispute is not here.' };
  const detail = "The dispute's funds are in a different state here.";
  return stateUnlessAmount(rowSide(last), last.amountMinor, movement, detail);
}

/** Our side differs in its amount or currency, or else in its state. Either record may have either sign. */
function stateUnlessAmount(
  ours: ExceptionSide,
  oursMinor: number,
  { amountMinor, currency }: GatewayMovement,
  detail: string,
): Side {
  return Math.abs(oursMinor) === Math.abs(amountMinor) && ours.currency === currency
    ? { kind: 'state_differs', ours, detail }
    : { ours, ...AMOUNT_DIFFERS };
}

function rowSide(row: MovementRow): ExceptionSide {
  const { amountMinor, currency, kind, occurredAtMs, refundId, transactionId } = row;
  return {
    status: kind,
    amountMinor,
    currency,
    id: String(refundId ?? transactionId),
    atMs: occurredAtMs,
  };
}

/** A hold that the acquirer certainly does not have. */
export function holdMissingThere(charge: OurCharge): Finding {
  const { gatewayReference, id } = charge.transaction;
  return {
    kind: 'missing_there',
    subject: gatewayReference ?? `charge ${id}`,
    ours: ourTransaction(charge),
    theirs: null,
    detail: 'The acquirer has no such hold.',
  };
}

export interface TheirRecord {
  /** Null: it certainly has no such payment, or the charge names none. */
  readonly payment: PaymentRecord | null;
  readonly disputes: ReadonlyMap<string, DisputeReport>;
}

/** The rows of a charge that the acquirer confirms, and how the others differ. */
export interface Confirmation {
  readonly confirmed: readonly MovementRow[];
  readonly differences: readonly Finding[];
}

/** Compares a charge's rows with the acquirer's record: the charge, each refund and each dispute by what it comes to. */
export function confirm(charge: OurCharge, theirs: TheirRecord): Confirmation {
  const groups = Map.groupBy(charge.rows, (row) =>
    isTaken(row) ? 'charge' : row.disputeId === null ? `refund ${row.refundId}` : row.disputeId,
  );
  const compared = [...groups.values()].map((rows) => ({
    rows,
    found: compare(rows, charge, theirs),
  }));
  return {
    confirmed: compared.flatMap(({ found, rows }) => (found === null ? rows : [])),
    differences: compared.flatMap(({ found }) => (found === null ? [] : [found])),
  };
}

function compare(
  rows: readonly MovementRow[],
  charge: OurCharge,
  { disputes, payment }: TheirRecord,
): Finding | null {
  const [row] = rows;
  if (row === undefined) return null;
  if (isTaken(row)) return compareTaken(row, charge, payment);
  return row.disputeId === null
    ? compareRefund(row, rows, payment)
    : compareDispute(row, rows, disputes.get(row.disputeId));
}

function missingThere(row: MovementRow, detail: string): Finding {
  const subject = row.gatewayReference ?? `charge ${row.transactionId}`;
  return { kind: 'missing_there', subject, ours: rowSide(row), theirs: null, detail };
}

function compareTaken(
  row: MovementRow,
  charge: OurCharge,
  payment: PaymentRecord | null,
): Finding | null {
  if (payment === null) return missingThere(row, 'The acquirer has no such payment.');
  if (payment.about !== null && payment.about.reference !== charge.transaction.reference) {
    return missingThere(row, 'The acquirer took this payment for another transaction.');
  }
  const ours = ourTransaction(charge);
  const { atMs, currency, gatewayReference, status, takenMinor } = payment;
  const theirs = { status, amountMinor: takenMinor, currency, id: gatewayReference, atMs };
  const found = { subject: row.gatewayReference ?? gatewayReference, ours, theirs };
  if (status !== 'taken') {
    return { ...found, kind: 'state_differs', detail: `At the acquirer the payment is ${status}.` };
  }
  const isSame = takenMinor === takenOf(charge.rows) && currency === row.currency;
  return isSame ? null : { ...found, ...AMOUNT_DIFFERS };
}

function compareRefund(
  row: MovementRow,
  rows: readonly MovementRow[],
  payment: PaymentRecord | null,
): Finding | null {
  const refund = payment?.refunds.find(({ id }) => id === row.gatewayReference);
  if (!payment || !refund) return missingThere(row, 'The acquirer has no such refund.');
  const { amountMinor, atMs, id, status } = refund;
  const theirs = { status, amountMinor: -amountMinor, currency: payment.currency, id, atMs };
  const found = { subject: id, ours: rowSide(row), theirs };
  if (amountMinor !== Math.abs(row.amountMinor)) return { ...found, ...AMOUNT_DIFFERS };
  return (status === 'failed') === (sumOf(rows, 'amountMinor') === 0)
    ? null
    : { ...found, kind: 'state_differs', detail: `At the acquirer the refund is ${status}.` };
}

function compareDispute(
  row: MovementRow,
  rows: readonly MovementRow[],
  report: DisputeReport | undefined,
): Finding | null {
  if (report?.kind !== 'dispute') return missingThere(row, 'The acquirer has no such dispute.');
  const { currency, id, movements, openedAtMs: atMs, status } = report.dispute;
  const amountMinor = sumOf(movements, 'amountMinor');
  if (amountMinor === sumOf(rows, 'amountMinor') && currency === row.currency) return null;
  return {
    kind: 'amount_differs',
    subject: id,
    ours: { ...rowSide(row), amountMinor: sumOf(rows, 'amountMinor') },
    theirs: { status, amountMinor, currency, id, atMs },
    detail: 'What the dispute withdrew and gave back differs.',
  };
}

export const EXCEPTION_NOT_FOUND = failure('exception_not_found', 'No exception has this id.');
