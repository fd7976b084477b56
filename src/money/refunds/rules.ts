import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { CertainOutcome } from '../../gateways/gateway.ts';
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

/** The columns of a refund that a certain outcome changes. */
export function refundChange(outcome: CertainOutcome, nowMs: number): Partial<RefundRow> {
  const completed = { dueAtMs: null, completedAtMs: nowMs };
  return outcome.kind === 'approved'
    ? { ...completed, status: 'Refunded', gatewayReference: outcome.gatewayReference }
    : { ...completed, status: 'Failed' };
}
