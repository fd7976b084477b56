import { type Failure, failure } from '../../core/failure.ts';
import { money } from '../../core/format.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { sumOf } from '../../core/sum.ts';
import { DAY_MS, localDate, startOfDayMs } from '../../core/time.ts';
import type { CertainOutcome, RefundRecord } from '../../gateways/gateway.ts';
import { approval, rejection } from '../../gateways/rules/outcome.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';

/** A charge that may be refunded, with the amount that is left of it. */
export interface Refundable {
  readonly id: number;
  /** Minor units not yet refunded or reserved for a refund. */
  readonly refundableMinor: number;
}

export interface RefundPart {
  readonly chargeId: number;
  readonly amountMinor: number;
}

/**
 * Divides a refund, of at most what the charges have left, over them so that the fewest records result (interface:
 * Refunds): the newest charge that covers the whole amount, if there is one; else the charges with the most left first,
 * the newest first among equals. Ids grow with time, so a greater id is newer.
 */
export function allocate(amountMinor: number, charges: readonly Refundable[]): RefundPart[] {
  if (amountMinor === 0) return [];
  const newestFirst = charges.toSorted((a, b) => b.id - a.id);
  const single = newestFirst.find(({ refundableMinor }) => refundableMinor >= amountMinor);
  if (single) return [{ chargeId: single.id, amountMinor }];

  const parts: RefundPart[] = [];
  let leftMinor = amountMinor;
  for (const { id, refundableMinor } of newestFirst.toSorted(
    (a, b) => b.refundableMinor - a.refundableMinor,
  )) {
    if (leftMinor === 0) break;
    const partMinor = Math.min(leftMinor, refundableMinor);
    parts.push({ chargeId: id, amountMinor: partMinor });
    leftMinor -= partMinor;
  }
  return parts;
}

/** A charge that a refund may use. */
export interface Candidate extends Refundable {
  /** A Bond that the request does not name. */
  readonly isSpared: boolean;
  readonly isRejecting: boolean;
}

/**
 * Divides a refund over charges, Bonds last: they give only what all else together does not have, whatever the gateway
 * rejects of that. `isWhole`: all of the amount or nothing; otherwise what there is.
 */
export function allocateSparingBonds(
  amountMinor: number,
  charges: readonly Candidate[],
  isWhole: boolean,
): Result<RefundPart[]> {
  const isOpen = ({ isRejecting }: Candidate) => !isRejecting;
  const others = charges.filter(({ isSpared }) => !isSpared);
  const bonds = charges.filter(({ isSpared }) => isSpared).filter(isOpen);
  const ofBondsMinor = Math.min(
    sumOf(bonds, 'refundableMinor'),
    Math.max(0, amountMinor - sumOf(others, 'refundableMinor')),
  );
  const open = others.filter(isOpen);
  const ofOthersMinor = Math.min(sumOf(open, 'refundableMinor'), amountMinor - ofBondsMinor);
  if (isWhole && ofOthersMinor + ofBondsMinor < amountMinor) return err(EXCEEDS_CHARGE);
  return ok([...allocate(ofOthersMinor, open), ...allocate(ofBondsMinor, bonds)]);
}

export const EXCEEDS_CHARGE = failure(
  'refund_exceeds_charge',
  'The amount is more than can be refunded. Nothing was refunded.',
);

/** What is given of a new refund; what is left out is as of one that waits for its outcome. */
type NewRefund = Partial<RefundRow> &
  Pick<
    RefundRow,
    | 'id'
    | 'reference'
    | 'commandReference'
    | 'amountMinor'
    | 'actor'
    | 'propertyVersion'
    | 'createdAtMs'
  >;

export function newRefund(charge: TransactionRow, given: NewRefund): RefundRow {
  const { bookingReference, currency, id: transactionId, propertyId } = charge;
  return {
    transactionId,
    propertyId,
    bookingReference,
    currency,
    status: 'Processing',
    description: null,
    waived: false,
    gatewayReference: null,
    origin: 'service',
    statusChecks: 0,
    rejections: 0,
    sentAtMs: null,
    absentAtMs: null,
    dueAtMs: null,
    idempotencyKey: null,
    version: 1,
    completedAtMs: null,
    learntAtMs: null,
    correctedAtMs: null,
    ...given,
  };
}

/** How often to ask whether a refund that the acquirer accepted has arrived, or failed after all. */
const WATCHED_EVERY_MS = DAY_MS;

/** The columns of a refund that a certain outcome changes. A refund that is on its way can still fail: it is watched. */
export function refundChange(outcome: CertainOutcome, nowMs: number): Partial<RefundRow> {
  const completed = { dueAtMs: null, learntAtMs: nowMs, sentAtMs: null, absentAtMs: null };
  return outcome.kind === 'approved'
    ? {
        ...completed,
        status: 'Refunded',
        gatewayReference: outcome.gatewayReference,
        completedAtMs: outcome.atMs ?? nowMs,
        dueAtMs: outcome.pending ? nowMs + WATCHED_EVERY_MS : null,
      }
    : { ...completed, status: 'Failed', completedAtMs: nowMs };
}

const WATCHED_FOR_MS = 60 * DAY_MS;

/** When to ask again after a refund that is on its way; null when it has been watched for long enough. */
export function nextWatchMs({ completedAtMs }: RefundRow, nowMs: number): number | null {
  return nowMs - (completedAtMs ?? nowMs) < WATCHED_FOR_MS ? nowMs + WATCHED_EVERY_MS : null;
}

/** What the acquirer's record of a refund says of its outcome. */
export function outcomeOfRecord(record: RefundRecord): CertainOutcome {
  const { amountMinor, atMs, id, reason, status } = record;
  return status === 'failed'
    ? rejection(reason ?? 'failed at the gateway')
    : approval(id, { amountMinor, atMs, pending: status === 'pending' });
}

/** Whether the acquirer's record is of this refund: made under its key, or learnt by the acquirer's id. */
export function isSameRefund(
  row: Pick<RefundRow, 'reference' | 'gatewayReference'>,
  { id, idempotencyKey }: Pick<RefundRecord, 'id' | 'idempotencyKey'>,
): boolean {
  return row.reference === idempotencyKey || row.gatewayReference === id;
}

export interface DailyLimit {
  /** What they give back of one booking in a day at most, in minor units. */
  readonly limitMinor: number;
  readonly actor: string;
  /** The property's zone, in which the day begins. */
  readonly timeZone: string;
  readonly nowMs: number;
}

/** Why a refund of this amount exceeds what its actor may still give back today; null if it does not (interface: Staff). */
export function beyondDailyLimit(
  { amountMinor, currency }: Pick<RefundRow, 'amountMinor' | 'currency'>,
  refunds: readonly Pick<RefundRow, 'actor' | 'amountMinor' | 'createdAtMs' | 'status'>[],
  { actor, limitMinor, nowMs, timeZone }: DailyLimit,
): Failure | null {
  const sinceMs = startOfDayMs(localDate(nowMs, timeZone), timeZone);
  const given = refunds.filter(
    (one) => one.actor === actor && one.status !== 'Failed' && one.createdAtMs >= sinceMs,
  );
  const leftMinor = Math.max(0, limitMinor - sumOf(given, 'amountMinor'));
  if (amountMinor <= leftMinor) return null;
  return failure(
    'not_permitted',
    `Your role refunds up to the limit of the property, ${money(limitMinor, currency)} of one booking in a day. ${money(leftMinor, currency)} of that is left today. Ask a manager: that role refunds any amount.`,
  );
}
