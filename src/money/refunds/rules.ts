import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { DAY_MS } from '../../core/time.ts';
import type { CertainOutcome, RefundRecord } from '../../gateways/gateway.ts';
import { approval, rejection } from '../../gateways/outcome.ts';
import type { RefundRow } from '../../platform/db/moneyTables.ts';

/** A charge that may be refunded, with the amount that is left of it. */
export interface Refundable {
  readonly id: number;
  /** Minor units not yet refunded or reserved for a refund. */
  readonly refundableMinor: number;
}

/** A part of a refund: one record against one charge. */
export interface RefundPart {
  readonly chargeId: number;
  readonly amountMinor: number;
}

/**
 * Divides a refund over charges so that the fewest records result (interface: Refunds): the newest charge that covers
 * the whole amount, if there is one; else the charges with the most left first, the newest first among equals. Ids grow
 * with time, so a greater id is newer.
 */
export function allocate(
  amountMinor: number,
  charges: readonly Refundable[],
): Result<RefundPart[], Failure> {
  const available = charges.filter(({ refundableMinor }) => refundableMinor > 0);
  const totalMinor = available.reduce((sum, { refundableMinor }) => sum + refundableMinor, 0);
  if (amountMinor > totalMinor) return err(exceedsCharge());

  const newestFirst = available.toSorted((a, b) => b.id - a.id);
  const single = newestFirst.find(({ refundableMinor }) => refundableMinor >= amountMinor);
  if (single) return ok([{ chargeId: single.id, amountMinor }]);

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
  return ok(parts);
}

/** The request asks for more than can be refunded. */
export function exceedsCharge(): Failure {
  return failure(
    'refund_exceeds_charge',
    'The amount is more than can be refunded. Nothing was refunded.',
  );
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

/** For how long a refund that is on its way is watched. */
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
