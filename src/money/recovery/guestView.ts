import { cardInUse } from '../../records/bookings/rules.ts';
import { isOfFormerAccount } from '../../records/cards/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';
import type { History } from '../folio/history.ts';
import { cardExpired, cardTokenNow, hasOwnCard } from '../payments/rules.ts';
import { isChargedAgain, isOpen, takesOver } from '../payments/takeCard.ts';
import { chargeOf, ownCharge, type RecoveredCharge } from './foretold.ts';
import { isToCome } from './rules.ts';
import { openOfCharge } from './situation.ts';

/** What a guest is asked about: the charge, why, its card, and until when an answer counts. */
export interface AskedOfGuest {
  readonly cause: RecoveryRow['cause'];
  readonly charge: RecoveredCharge;
  readonly card: CardRow;
  /** Null where the guest was not asked by message. */
  readonly deadlineAtMs: number | null;
}

/** The amount that a guest is asked to pay because cards fail (interface: Recovery). */
export interface AskedFor {
  /** Minor units without fees. */
  readonly amountMinor: number;
  /** The ids of the pending schedules among it: a guest who pays it pays instead of them. */
  readonly schedules: readonly number[];
}

/** What a booking's new card changes: which scheduled charges move to it, and what it is charged at once. */
export interface NewCardEffect {
  readonly moved: readonly TransactionRow[];
  /** Amounts in minor units, without card fees. */
  readonly charged: readonly { readonly charge: TransactionRow; readonly amountMinor: number }[];
}

/** What the guest of a booking is asked about at the moment, the earliest charge first. */
export function askedOfGuest(history: History): AskedOfGuest[] {
  return history.recoveries.flatMap((row): AskedOfGuest[] => {
    const charge = chargeOf(history, row);
    const isAsked = row.endedAtMs === null && row.askedForCause > 0;
    if (!isAsked || !isStillAsked(history, row, charge)) return [];
    const card = cardOf(history, charge);
    return card ? [{ cause: row.cause, charge, card, deadlineAtMs: row.deadlineAtMs }] : [];
  });
}

/** The amount that a booking's guest is asked to pay now. The page takes no Bonds. */
export function askedFor(history: History): AskedFor {
  const asked = askedOfGuest(history)
    .map(({ charge }) => charge)
    .filter(({ purpose }) => purpose !== 'Bond');
  const amounts = asked.map((charge) =>
    charge.status === 'Pending' ? charge.requestedMinor : openOfCharge({ facts: history, charge }),
  );
  return {
    amountMinor: amounts.reduce((sum, amountMinor) => sum + amountMinor, 0),
    // Not parts of a plan: whatever is paid covers those in their order.
    schedules: asked
      .filter(({ status }) => status === 'Pending')
      .map(({ id }) => id)
      .filter((id) => history.transactions.some((row) => row.id === id)),
  };
}

/** Whether the charge still fails, so that its guest is rightly asked. */
function isStillAsked(history: History, row: RecoveryRow, charge: RecoveredCharge): boolean {
  if (isToCome(row)) {
    const card = cardOf(history, charge);
    const { property } = history.state;
    if (charge.status !== 'Pending' || card === null) return false;
    return row.cause === 'former'
      ? isOfFormerAccount(property, card)
      : cardExpired(card, property.timeZone, row.chargeAtMs);
  }
  return charge.status === 'Declined' && openOfCharge({ facts: history, charge }) > 0;
}

/** What a card that the guest adds now would change (interface: Recovery). */
export function effectOfNewCard(history: History, nowMs: number): NewCardEffect {
  const { state, transactions, recoveries } = history;
  const rowOf = (id: number) => recoveries.find(({ transactionId }) => transactionId === id);
  const moved = transactions.filter((charge) => {
    if (charge.status !== 'Pending') return false;
    const row = rowOf(charge.id);
    return !hasOwnCard(charge) || (row !== undefined && isOpen(row) && takesOver(row, charge));
  });
  const charged = recoveries.flatMap((row) => {
    const charge = ownCharge(history, row);
    if (charge?.status !== 'Declined' || !isChargedAgain(state.property, row, nowMs)) return [];
    const amountMinor = openOfCharge({ facts: history, charge });
    return amountMinor > 0 ? [{ charge, amountMinor }] : [];
  });
  return { moved, charged };
}

/** What the newest card of a booking was charged in place of what was declined. */
export function chargedOnNewest({ state, transactions }: History): TransactionRow[] {
  const token = state.booking.cardToken;
  return transactions.filter(
    ({ replacesCharge, cardToken }) => replacesCharge !== null && cardToken === token,
  );
}

/** The scheduled charges that will be made on the booking's card in use. */
export function scheduledOnNewest({ state, transactions }: History): TransactionRow[] {
  const token = state.booking.cardToken;
  return transactions.filter(
    (row) => row.status === 'Pending' && cardTokenNow(row, state.booking) === token,
  );
}

function cardOf({ state, usedCards }: History, charge: RecoveredCharge): CardRow | null {
  if (!hasOwnCard(charge)) return cardInUse(state);
  return [...state.cards, ...usedCards].find(({ token }) => token === charge.cardToken) ?? null;
}
