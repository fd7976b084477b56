import type { Failure } from '../../../core/failure.ts';
import { HOUR_MS, MINUTE_MS } from '../../../core/time.ts';
import { type BookingState, cardInUse, endsWithBooking } from '../../../records/bookings/rules.ts';
import { isOfFormerAccount } from '../../../records/cards/rules.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { hasOwnCard } from '../rules.ts';
import { DONE, type TransactionChange } from '../states.ts';
import { nominalTimeMs } from './retries.ts';

/** An attempt overdue by more than this, after an outage, is not made. */
const MOST_OVERDUE_MS = 72 * HOUR_MS;

/** What happens to a schedule that is due: a charge, a wait for a card that may be charged, or its end. */
export type Firing =
  | { readonly kind: 'charge'; readonly card: CardRow }
  | { readonly kind: 'former'; readonly card: CardRow }
  | FiringEnd;

/** The end of a schedule without a charge. */
export interface FiringEnd {
  readonly kind: 'end';
  readonly change: TransactionChange;
  readonly why: string;
}

/**
 * Decides what happens to a due schedule (interface: Schedules). It charges the card that its request named, else the
 * booking's card in use, or it ends without a charge. `named` is the row's card, which may be removed. The acquirer judges
 * whether the card has expired: issuers renew cards in place.
 */
export function fire(
  state: BookingState,
  row: TransactionRow,
  named: CardRow | null,
  nowMs: number,
): Firing {
  if (endsWithBooking(state, row)) return cancellation(nowMs, 'the booking is cancelled');
  if (nowMs - nominalTimeMs(row) > MOST_OVERDUE_MS) {
    return failed(nowMs, 'overdue by more than 72 hours');
  }
  const card = hasOwnCard(row) ? named : cardInUse(state);
  if (card === null || card.removedAtMs !== null) return endWithoutCard(nowMs);
  return { kind: isOfFormerAccount(state.property, card) ? 'former' : 'charge', card };
}

/** A schedule that fires later than this is late: alarms and the sweep need at most two minutes. */
export const LATE_MS = 2 * MINUTE_MS;

/**
 * Whether a schedule that is due may have been charged before D1 was restored to an earlier state: it is late, or it has
 * an earlier attempt. Its key does not always prevent a second charge, so the gateway is asked first: the key may be too
 * old, and the charge may have had another one, after a rejection.
 */
export function mayHaveBeenCharged(row: TransactionRow, nowMs: number): boolean {
  return row.attempts > 0 || nowMs - nominalTimeMs(row) > LATE_MS;
}

/** The cancellation of a schedule, with the columns that it changes. */
export function cancellation(nowMs: number, why: string): FiringEnd {
  return ended('Cancelled', nowMs, why);
}

/** The end of what has no card to be charged on. */
export function endWithoutCard(nowMs: number): FiringEnd {
  return failed(nowMs, 'no card');
}

/** The end of a schedule that nobody gave a card for that may be charged. */
export function endOfFormerCard(nowMs: number): FiringEnd {
  return failed(nowMs, 'card of a former account');
}

/** The end of a schedule that its virtual card refuses, as if its bank had: nothing reaches the acquirer. */
export function refusedByCard({ code, detail }: Failure, nowMs: number): FiringEnd {
  const { change } = ended('Declined', nowMs, detail);
  return {
    kind: 'end',
    change: { ...change, declineCode: code, declineRetryable: false },
    why: detail,
  };
}

function failed(nowMs: number, why: string): FiringEnd {
  return ended('Failed', nowMs, why);
}

function ended(status: 'Cancelled' | 'Failed' | 'Declined', nowMs: number, why: string): FiringEnd {
  const change = { status, ...DONE, completedAtMs: nowMs, learntAtMs: nowMs };
  return { kind: 'end', change, why };
}
