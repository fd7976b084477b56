import { assertNever } from '../../../core/result.ts';
import type { CardUsed } from '../../../operation/draft.ts';
import { type CardUse, withUse } from '../../../records/cards/rules/virtual.ts';
import type { MoneyMoved, OpenChange } from '../../../records/history/rules/entry.ts';
import type { EventType } from '../../../records/history/rules/eventTypes.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { openAmountsOf } from '../../balance/rules/balance.ts';

/** A transaction before a change and after it; null before for a new one. */
export interface Changed {
  readonly before: TransactionRow | null;
  readonly after: TransactionRow;
}

/** What a change of a transaction is in the history: its event, the money it moves, what it opens, what cards it uses. */
export function historyOf(changed: Changed) {
  return {
    event: eventOf(changed),
    moved: movementOf(changed),
    open: openedBy(changed),
    used: usedBy(changed),
  };
}

/**
 * The event that a change of a transaction is; null for none. A correction is `payment.corrected` alone, whatever the
 * state; a hold that stays after all is an event only if its outcome was said to be unknown.
 */
export function eventOf({ before, after }: Changed): EventType | null {
  if (before !== null && after.correctedAtMs !== before.correctedAtMs) return 'payment.corrected';
  if (after.status === before?.status) {
    const isUnknown = after.status === 'Processing' && before.statusChecks === 0;
    return isUnknown && after.statusChecks > 0 ? 'payment.unknown' : null;
  }
  return eventOfState({ before, after });
}

function eventOfState({ before, after: { kind, planId, status } }: Changed): EventType | null {
  switch (status) {
    case 'Processing':
      return null;
    case 'Accepted':
      return kind === 'authorization' ? 'authorization.captured' : 'payment.accepted';
    case 'Declined':
      return 'payment.declined';
    case 'Failed':
      return 'payment.failed';
    case 'Pending':
      if (before !== null) return 'schedule.retrying';
      return planId === null ? 'schedule.created' : null;
    case 'Cancelled':
      return 'schedule.cancelled';
    case 'Authorized': {
      const isNew = before?.pendingOperation === 'authorize' || (before?.statusChecks ?? 0) > 0;
      return isNew ? 'authorization.authorized' : null;
    }
    case 'Released':
      return 'authorization.released';
    case 'Expired':
      return 'authorization.expired';
    default:
      return assertNever(status);
  }
}

/**
 * The movement that a change of a transaction is: it was taken, or was taken in another amount, or is another payment at
 * the acquirer; null for none.
 */
export function movementOf({ before, after }: Changed): MoneyMoved | null {
  if (after.status !== 'Accepted') return null;
  const { amountMinor, completedAtMs, createdAtMs, currency, gateway, gatewayReference } = after;
  const moved = {
    currency,
    gateway,
    gatewayReference,
    occurredAtMs: completedAtMs ?? createdAtMs,
  };
  if (before?.status !== 'Accepted') {
    const kind = after.kind === 'authorization' ? 'capture' : 'charge';
    return { ...moved, kind, amountMinor, feeMinor: feesOf(after) };
  }
  const isSame =
    amountMinor === before.amountMinor && after.requestedMinor === before.requestedMinor;
  const isNamed = before.gatewayReference !== null && before.gatewayReference !== gatewayReference;
  if (isSame && !isNamed) return null;
  return {
    ...moved,
    kind: 'correction',
    amountMinor: amountMinor - before.amountMinor,
    feeMinor: feesOf(after) - feesOf(before),
  };
}

/** What a change of a transaction does with virtual cards. */
export function usedBy({ before, after }: Changed): CardUsed[] {
  const changes = [
    ...(before ? usedOf(before).map((used) => ({ ...used, use: negative(used.use) })) : []),
    ...usedOf(after),
  ];
  const [one, other] = changes;
  if (!one || one.cardToken !== other?.cardToken) return changes;
  const use = withUse(one.use, other.use);
  return Object.values(use).every((minor) => minor === 0) ? [] : [{ ...one, use }];
}

/** What a transaction has taken from a virtual card, or may have, or holds on it. */
function usedOf({ amountMinor, cardToken, status, virtualCard }: TransactionRow): CardUsed[] {
  if (!virtualCard || cardToken === null) return [];
  const isHeld = status === 'Processing' || status === 'Authorized';
  const takenMinor = status === 'Accepted' ? amountMinor : 0;
  const heldMinor = isHeld ? amountMinor : 0;
  return takenMinor + heldMinor > 0
    ? [{ cardToken, use: { takenMinor, heldMinor, refundedMinor: 0 } }]
    : [];
}

function negative({ takenMinor, heldMinor, refundedMinor }: CardUse): CardUse {
  return {
    takenMinor: 0 - takenMinor,
    heldMinor: 0 - heldMinor,
    refundedMinor: 0 - refundedMinor,
  };
}

/** A card as a change of a transaction leaves it. */
export function cardAfter<Card extends CardUse & Pick<CardRow, 'token' | 'virtual'>>(
  card: Card,
  change: Changed,
): Card {
  if (card.virtual === null) return card;
  const own = usedBy(change).filter(({ cardToken }) => cardToken === card.token);
  return own.reduce((after, { use }) => withUse(after, use), card);
}

function feesOf({ cardFeeMinor, transactionFeeMinor }: TransactionRow): number {
  return cardFeeMinor + transactionFeeMinor;
}

/** What a change of a transaction adds to what its booking has open; null for nothing. */
export function openedBy({ before, after }: Changed): OpenChange | null {
  const was = openAmountsOf(before ? [before] : []);
  const is = openAmountsOf([after]);
  const change = {
    scheduledMinor: is.scheduledMinor - was.scheduledMinor || null,
    uncertainMinor: is.uncertainMinor - was.uncertainMinor || null,
    heldMinor: is.heldMinor - was.heldMinor || null,
  };
  return Object.values(change).every((minor) => minor === null) ? null : change;
}
