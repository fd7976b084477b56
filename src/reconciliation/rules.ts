import { type Failure, type FieldIssue, failure } from '../core/failure.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/time.ts';
import type { DisputeReport, PaymentRecord } from '../gateways/gateway.ts';
import type { GatewayMovement } from '../gateways/movements.ts';
import type { Movement } from '../schema/historyTables.ts';
import type { RefundRow, TransactionRow } from '../schema/moneyTables.ts';
import type {
  ExceptionRow,
  ExceptionSide,
  ReconciliationRunRow,
} from '../schema/reconciliationTables.ts';

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

/** Scheduled runs leave out the newest movements: their operations may still be under way. */
const SETTLING_MS = 5 * MINUTE_MS;

const HOURLY_WINDOW_MS = 48 * HOUR_MS;
const NIGHTLY_WINDOW_MS = 10 * DAY_MS;

/** When the nightly run is due, after midnight in UTC. */
const NIGHTLY_AT_MS = 2 * HOUR_MS;

/** The longest span that a caller may have compared. */
const MOST_ASKED_MS = 31 * DAY_MS;

/** How long movements may wait for their hourly comparison. */
export const RECONCILIATION_LATE_MS = 3 * HOUR_MS;

/** What tells whether comparing is late. */
export interface Comparing {
  /** Whether an hourly run began longer ago than that and is not complete. */
  readonly hasLateRun: boolean;
  /** When an hourly run was completed within that time; null if none was. */
  readonly comparedAtMs: number | null;
  /** When the first movement was recorded; null while there is none to compare. */
  readonly firstMovementAtMs: number | null;
  readonly nowMs: number;
}

/** Whether movements wait for their comparison for too long. */
export function isLate({ comparedAtMs, firstMovementAtMs, hasLateRun, nowMs }: Comparing): boolean {
  if (hasLateRun) return true;
  const isWaiting =
    firstMovementAtMs !== null && firstMovementAtMs < nowMs - RECONCILIATION_LATE_MS;
  return isWaiting && comparedAtMs === null;
}

/** A run that the clock asks for: of each account one, unless one has started since `dueSinceMs`. */
export interface PlannedRun {
  readonly cause: 'hourly' | 'nightly';
  readonly dueSinceMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The runs that are due by the clock: one in each hour, and one each night from 02:00 UTC on. */
export function plannedRuns(nowMs: number): readonly [PlannedRun, PlannedRun] {
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const nightMs = Math.floor((nowMs - NIGHTLY_AT_MS) / DAY_MS) * DAY_MS + NIGHTLY_AT_MS;
  const toMs = nowMs - SETTLING_MS;
  return [
    { cause: 'hourly', dueSinceMs: hourMs, fromMs: nowMs - HOURLY_WINDOW_MS, toMs },
    { cause: 'nightly', dueSinceMs: nightMs, fromMs: nowMs - NIGHTLY_WINDOW_MS, toMs },
  ];
}

/** Where comparing by a property's moved clock begins: where it ended last, or as far back as a nightly run. */
export function beginningByClock(endedLastMs: number | null, nowMs: number): number {
  return Math.min(endedLastMs ?? Number.POSITIVE_INFINITY, nowMs - NIGHTLY_WINDOW_MS);
}

/** When a property's moved clock is compared next: at the full hour by which nothing of now is too new. */
export function comparesByClockAtMs(nowMs: number): number {
  return Math.ceil((nowMs + SETTLING_MS) / HOUR_MS) * HOUR_MS;
}

/** What is wrong with the span that a caller asks for. */
export function spanIssues({ fromMs, toMs }: { fromMs: number; toMs: number }): FieldIssue[] {
  const code = 'invalid_value';
  if (toMs <= fromMs) return [{ field: 'to', code, message: 'Use a time after `from`.' }];
  if (toMs - fromMs <= MOST_ASKED_MS) return [];
  const message = 'Use times that are at most 31 days apart.';
  return [
    { field: 'from', code, message },
    { field: 'to', code, message },
  ];
}

/** The movements that are looked for at the acquirer: those of the last minutes may still be on their way there. */
export function settlingSinceMs(nowMs: number): number {
  return nowMs - SETTLING_MS;
}

/** The kind that a movement of the acquirer has here. */
export const movementKinds = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'reversal',
  dispute: 'chargeback',
  dispute_reversal: 'chargeback_reversal',
} as const satisfies Record<GatewayMovement['kind'], Movement>;

/** What a difference is about, so that each is told once: both directions give the same difference the same subject. */
export function subjectOf({ kind, subject }: Pick<GatewayMovement, 'kind' | 'subject'>): string {
  return kind === 'refund_failure' || kind === 'dispute_reversal' ? `${subject} ${kind}` : subject;
}

/** A difference between the acquirer's record and ours. */
export interface Difference {
  readonly kind: ExceptionRow['kind'];
  readonly subject: string;
  readonly propertyId: string | null;
  readonly bookingReference: string | null;
  readonly ours: ExceptionSide | null;
  readonly theirs: ExceptionSide | null;
  readonly detail: string;
}

/** The part of a difference that a comparison finds; the caller adds where it belongs. */
export type Found = Omit<Difference, 'propertyId' | 'bookingReference'>;

/** One charge as this service has it. */
export interface OurCharge {
  readonly transaction: TransactionRow;
  /** All its movements, in their order. */
  readonly rows: readonly MovementRow[];
  readonly refunds: readonly RefundRow[];
  /** The card's token at the acquirer; it names the account. */
  readonly gatewayToken: string | null;
}

const movementStatus = {
  charge: 'taken',
  refund: 'refunded',
  refund_failure: 'refund failed',
  dispute: 'withdrawn',
  dispute_reversal: 'returned',
} as const satisfies Record<GatewayMovement['kind'], string>;

/** The acquirer's side of an exception. */
function theirSide(movement: GatewayMovement): ExceptionSide {
  const { amountMinor, atMs, currency, kind, subject } = movement;
  return { status: movementStatus[kind], amountMinor, currency, id: subject, atMs };
}

function ourTransaction({ transaction, rows }: OurCharge): ExceptionSide {
  const { amountMinor, completedAtMs, createdAtMs, currency, id, status } = transaction;
  return {
    status,
    amountMinor: rows.length > 0 ? takenOf(rows) : amountMinor,
    currency,
    id: String(id),
    atMs: completedAtMs ?? createdAtMs,
  };
}

function ourRefund(refund: RefundRow): ExceptionSide {
  const { amountMinor, completedAtMs, createdAtMs, currency, id, status } = refund;
  return {
    status,
    amountMinor: -amountMinor,
    currency,
    id: String(id),
    atMs: completedAtMs ?? createdAtMs,
  };
}

/** What a charge's rows come to before refunds: the charge or capture, as corrected since. */
export function takenOf(rows: readonly MovementRow[]): number {
  return sumOf(rows.filter(isTaken));
}

function isTaken({ kind }: MovementRow): boolean {
  return kind === 'charge' || kind === 'capture' || kind === 'correction';
}

function sumOf(moved: readonly { readonly amountMinor: number }[]): number {
  return moved.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/**
 * A movement of a payment that this service did not make. What happens to the payment later is an exception of its own:
 * who accepted the payment did not know of its chargeback.
 */
export function unknownPayment(movement: GatewayMovement): Found {
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
export function unknownOrigin(movement: GatewayMovement): Found {
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
export function differenceOf(movement: GatewayMovement, charge: OurCharge): Found {
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

type Side = Pick<Found, 'kind' | 'ours' | 'detail'>;

function ofCharge(movement: GatewayMovement, charge: OurCharge): Side {
  const ours = ourTransaction(charge);
  const [taken] = charge.rows;
  if (!taken) {
    return {
      kind: 'state_differs',
      ours,
      detail: 'The acquirer took it; here it is not Accepted.',
    };
  }
  if (taken.gatewayReference !== null && taken.gatewayReference !== movement.subject) {
    const detail = 'The acquirer took a second payment for the same transaction.';
    return { kind: 'missing_here', ours, detail };
  }
  return takenAs(takenOf(charge.rows), movement, ours);
}

function takenAs(oursMinor: number, movement: GatewayMovement, ours: ExceptionSide): Side {
  return oursMinor === movement.amountMinor && ours.currency === movement.currency
    ? { kind: 'state_differs', ours, detail: 'Here it belongs to another booking or payment.' }
    : { kind: 'amount_differs', ours, detail: 'The amounts differ.' };
}

function ofRefund(movement: GatewayMovement, { refunds }: OurCharge): Side {
  const refund = refunds.find(({ gatewayReference }) => gatewayReference === movement.subject);
  if (!refund) {
    return { kind: 'missing_here', ours: null, detail: 'This refund is not here.' };
  }
  const ours = ourRefund(refund);
  const isSame = refund.amountMinor === Math.abs(movement.amountMinor);
  return isSame && refund.currency === movement.currency
    ? { kind: 'state_differs', ours, detail: `Here the refund is ${refund.status}.` }
    : { kind: 'amount_differs', ours, detail: 'The amounts differ.' };
}

function ofDispute(movement: GatewayMovement, { rows }: OurCharge): Side {
  const ofIt = rows.filter(({ disputeId }) => disputeId === movement.subject);
  const last = ofIt.at(-1);
  if (!last) {
    return { kind: 'missing_here', ours: null, detail: 'This dispute is not here.' };
  }
  const ours = rowSide(last);
  const isSame = Math.abs(last.amountMinor) === Math.abs(movement.amountMinor);
  return isSame && last.currency === movement.currency
    ? { kind: 'state_differs', ours, detail: 'The funds of the dispute are elsewhere.' }
    : { kind: 'amount_differs', ours, detail: 'The amounts differ.' };
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
export function holdMissingThere(charge: OurCharge): Found {
  const { gatewayReference, id } = charge.transaction;
  return {
    kind: 'missing_there',
    subject: gatewayReference ?? `charge ${id}`,
    ours: ourTransaction(charge),
    theirs: null,
    detail: 'The acquirer has no such hold.',
  };
}

/** What the acquirer says of one charge; null where it was not asked. */
export interface TheirWord {
  /** Null: it certainly has no such payment, or the charge names none. */
  readonly payment: PaymentRecord | null;
  readonly disputes: ReadonlyMap<string, DisputeReport>;
}

/** The rows of a charge that the acquirer confirms, and how the others differ. */
export interface Confirmation {
  readonly confirmed: readonly MovementRow[];
  readonly differences: readonly Found[];
}

/** Compares a charge's rows with the acquirer's record: the charge, each refund and each dispute by what it comes to. */
export function confirm(charge: OurCharge, word: TheirWord): Confirmation {
  const groups = Map.groupBy(charge.rows, (row) =>
    isTaken(row) ? 'charge' : row.disputeId === null ? `refund ${row.refundId}` : row.disputeId,
  );
  const judged = [...groups.values()].map((rows) => ({ rows, found: judge(rows, charge, word) }));
  return {
    confirmed: judged.flatMap(({ found, rows }) => (found === null ? rows : [])),
    differences: judged.flatMap(({ found }) => (found === null ? [] : [found])),
  };
}

function judge(rows: readonly MovementRow[], charge: OurCharge, word: TheirWord): Found | null {
  const [row] = rows;
  if (row === undefined) return null;
  if (isTaken(row)) return judgeTaken(row, charge, word.payment);
  return row.disputeId === null
    ? judgeRefund(row, rows, word.payment)
    : judgeDispute(row, rows, word.disputes.get(row.disputeId));
}

function missingThere(row: MovementRow, detail: string): Found {
  const subject = row.gatewayReference ?? `charge ${row.transactionId}`;
  return { kind: 'missing_there', subject, ours: rowSide(row), theirs: null, detail };
}

function judgeTaken(
  row: MovementRow,
  charge: OurCharge,
  payment: PaymentRecord | null,
): Found | null {
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
  return takenMinor === takenOf(charge.rows) && currency === row.currency
    ? null
    : { ...found, kind: 'amount_differs', detail: 'The amounts differ.' };
}

function judgeRefund(
  row: MovementRow,
  rows: readonly MovementRow[],
  payment: PaymentRecord | null,
): Found | null {
  const refund = payment?.refunds.find(({ id }) => id === row.gatewayReference);
  if (!payment || !refund) return missingThere(row, 'The acquirer has no such refund.');
  const { amountMinor, atMs, id, status } = refund;
  const theirs = { status, amountMinor: -amountMinor, currency: payment.currency, id, atMs };
  const found = { subject: id, ours: rowSide(row), theirs };
  if (amountMinor !== Math.abs(row.amountMinor)) {
    return { ...found, kind: 'amount_differs', detail: 'The amounts differ.' };
  }
  return (status === 'failed') === (sumOf(rows) === 0)
    ? null
    : { ...found, kind: 'state_differs', detail: `At the acquirer the refund is ${status}.` };
}

function judgeDispute(
  row: MovementRow,
  rows: readonly MovementRow[],
  report: DisputeReport | undefined,
): Found | null {
  if (report?.kind !== 'dispute') return missingThere(row, 'The acquirer has no such dispute.');
  const { currency, id, movements, openedAtMs: atMs, status } = report.dispute;
  const amountMinor = sumOf(movements);
  if (amountMinor === sumOf(rows) && currency === row.currency) return null;
  const theirs = { status, amountMinor, currency, id, atMs };
  const found = { subject: id, ours: { ...rowSide(row), amountMinor: sumOf(rows) }, theirs };
  return {
    ...found,
    kind: 'amount_differs',
    detail: 'What the dispute withdrew and gave back differs.',
  };
}

/** Where a finished phase leads to. */
export function phaseAfter(phase: ReconciliationRunRow['phase']): ReconciliationRunRow['phase'] {
  return phase === 'theirs' ? 'ours' : phase === 'ours' ? 'holds' : 'done';
}

/** The failure for an unknown exception id. */
export function exceptionNotFound(): Failure {
  return failure('exception_not_found', 'No exception has this id.');
}

/** The failure of a run that is not finished yet. */
export function stillComparing(): Failure {
  return {
    code: 'busy',
    detail: 'The comparison goes on. Ask again with the same arguments to get its result.',
    retryAfterSeconds: 10,
  };
}
