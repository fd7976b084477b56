import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { RefundRow } from '../db/moneyTables.ts';
import type { CertainOutcome } from '../gateways/gateway.ts';

/** A charge that may be refunded from, with what is left of it. */
export interface Refundable {
  readonly id: number;
  /** Minor units not yet refunded or reserved for a refund. */
  readonly roomMinor: number;
}

/** A part of a refund: one record against one charge. */
export interface RefundPart {
  readonly chargeId: number;
  readonly amountMinor: number;
}

/**
 * Divides a refund over charges so that the fewest records result (decisions: section 5): one charge that covers
 * it all if there is one, the newest such; else the largest first, the newest first among equals. Ids grow with
 * time, so a greater id is newer.
 */
export function allocate(
  amountMinor: number,
  charges: readonly Refundable[],
): Result<RefundPart[], Failure> {
  const open = charges.filter(({ roomMinor }) => roomMinor > 0);
  const room = open.reduce((sum, { roomMinor }) => sum + roomMinor, 0);
  if (amountMinor > room) return err(exceedsCharge());

  const newestFirst = open.toSorted((a, b) => b.id - a.id);
  const single = newestFirst.find(({ roomMinor }) => roomMinor >= amountMinor);
  if (single) return ok([{ chargeId: single.id, amountMinor }]);

  const parts: RefundPart[] = [];
  let leftMinor = amountMinor;
  for (const { id, roomMinor } of newestFirst.toSorted((a, b) => b.roomMinor - a.roomMinor)) {
    if (leftMinor === 0) break;
    const partMinor = Math.min(leftMinor, roomMinor);
    parts.push({ chargeId: id, amountMinor: partMinor });
    leftMinor -= partMinor;
  }
  return ok(parts);
}

/** More was asked back than can be given. */
export function exceedsCharge(): Failure {
  return failure(
    'refund_exceeds_charge',
    'More than can be refunded was asked for. Nothing was refunded.',
  );
}

/** The columns of a refund that a certain outcome changes. A refund that is not made reopens its amount. */
export function settledRefund(outcome: CertainOutcome, nowMs: number): Partial<RefundRow> {
  const settled = { dueAtMs: null, settledAtMs: nowMs };
  return outcome.kind === 'approved'
    ? { ...settled, status: 'Refunded', gatewayReference: outcome.gatewayReference }
    : { ...settled, status: 'Failed' };
}
