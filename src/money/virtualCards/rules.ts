import { DAY_MS } from '../../core/time.ts';
import {
  autoChargeAtMs,
  lapsesFromMs,
  remainingOf,
  type VirtualState,
} from '../../records/cards/rules/virtual.ts';
import type { BookingTotals } from '../../records/history/sums.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRow, VirtualTerms } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { dueOf, totalFor } from '../balance/rules/balance.ts';

/** What a virtual card's own charge is planned on. */
export interface PlanSituation {
  readonly property: Pick<PropertyRow, 'timeZone'>;
  readonly booking: Pick<BookingRow, 'status' | 'totalCostMinor' | 'knownTotalMinor'>;
  readonly totals: BookingTotals;
  /** The schedule that was planned last, if it may still be charged. */
  readonly latest: TransactionRow | null;
  readonly nowMs: number;
  /** The acquirer takes multiples of this. */
  readonly stepMinor: number;
}

/** What becomes of the schedule by which a virtual card charges by itself; amounts in minor units. */
export type Plan =
  | { readonly kind: 'make'; readonly amountMinor: number; readonly atMs: number }
  | {
      readonly kind: 'change';
      readonly schedule: TransactionRow;
      readonly amountMinor: number;
    }
  | { readonly kind: 'cancel'; readonly schedule: TransactionRow };

/**
 * Plans what a virtual card charges by itself (interface: Virtual cards): what is due, at most what remains on it, once it
 * is active. Null if nothing changes. What is under way is not planned a second time.
 */
export function planOf(
  card: Pick<CardRow, 'virtual' | 'takenMinor' | 'heldMinor' | 'refundedMinor'>,
  { property, booking, totals, latest, nowMs, stepMinor }: PlanSituation,
): Plan | null {
  if (!card.virtual?.autoCharge) return null;
  const underWayMinor = latest?.status === 'Processing' ? latest.requestedMinor : 0;
  const totalMinor = totalFor(booking, { limitToDue: true }) ?? 0;
  const dueMinor = Math.max(0, dueOf(totalMinor, totals) - underWayMinor);
  const mostMinor = Math.min(dueMinor, remainingOf(card) ?? dueMinor);
  const amountMinor = Math.floor(mostMinor / stepMinor) * stepMinor;
  if (latest?.status === 'Pending') {
    if (amountMinor === 0) return { kind: 'cancel', schedule: latest };
    if (amountMinor === latest.requestedMinor) return null;
    return { kind: 'change', schedule: latest, amountMinor };
  }
  const atMs = autoChargeAtMs(card.virtual, nowMs, property.timeZone);
  if (amountMinor === 0 || atMs === null || booking.status === 'cancelled') return null;
  return { kind: 'make', amountMinor, atMs };
}

/** How long a card that nothing can be charged on is left until it is looked at again before its end. */
const LOOK_AGAIN_MS = DAY_MS;

/** What is told of a virtual card now, and when it is looked at next: null for never. */
export interface Told {
  readonly event: 'card.virtual_active' | 'card.virtual_lapsing' | null;
  readonly dueAtMs: number | null;
}

/**
 * Decides what is told of a virtual card that is due (interface: Virtual cards): once that it is active, and once that it
 * will soon end while something can still be charged on it. It is due at its `activeFromMs` until the first is told, and
 * later afterwards.
 */
export function toldOf(
  terms: VirtualTerms,
  dueAtMs: number,
  state: VirtualState,
  nowMs: number,
): Told {
  if (nowMs < terms.activeFromMs) return { event: null, dueAtMs: terms.activeFromMs };
  if (state === 'ended') return { event: null, dueAtMs: null };
  const lapsesMs = lapsesFromMs(terms);
  if (dueAtMs <= terms.activeFromMs) {
    const laterMs = terms.activeFromMs + 1;
    const nextMs = lapsesMs === null ? null : Math.max(lapsesMs, laterMs);
    return { event: 'card.virtual_active', dueAtMs: nextMs };
  }
  if (lapsesMs === null) return { event: null, dueAtMs: null };
  if (nowMs < lapsesMs) return { event: null, dueAtMs: lapsesMs };
  return state === 'lapsing'
    ? { event: 'card.virtual_lapsing', dueAtMs: null }
    : { event: null, dueAtMs: nowMs + LOOK_AGAIN_MS };
}
