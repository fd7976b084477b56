import { selectBooking } from '../bookings/store.ts';
import type { BookingWork } from '../bookings/work.ts';
import type { Failure } from '../core/failure.ts';
import { type Answered, type CallerKey, requireFreshKey } from '../idempotency/actions.ts';
import { selectRefunds } from '../refunds/store.ts';
import { balanceOf } from './balance.ts';
import { create, type PaymentCommand } from './create.ts';
import { declinesOf, type GuestPayment, refuseGuestPayment } from './guestRules.ts';
import { selectTransactions } from './store.ts';
import type { TransactionAnswer } from './views.ts';

/** A guest's payment as it reaches the booking's object; its key is made by the page, so that a double click pays once. */
export interface GuestPaymentCommand extends PaymentCommand, Omit<GuestPayment, 'requestedMinor'> {
  readonly cardToken: string;
  readonly caller: CallerKey;
}

/** Charges a guest's own card with what is due or a part of it (decisions: section 7). */
export function payAsGuest(
  work: BookingWork,
  command: GuestPaymentCommand,
): Promise<Answered<TransactionAnswer>> {
  return create(work, command, () => refusal(work, command));
}

/**
 * Decided in the booking's own turn, so that no other payment can come in between, and on what D1 has now: the price is
 * that of the fees which the guest was shown.
 */
async function refusal(work: BookingWork, command: GuestPaymentCommand): Promise<Failure | null> {
  // What was asked for before has its answer, whatever is due by now.
  await requireFreshKey(work, command.caller);
  const { database, propertyId, reference } = work;
  const { queries } = database;
  const [[property], [booking], cards, rows, refunds] = await database.batch(
    'd1.transactions.read',
    [
      ...selectBooking(queries, propertyId, reference),
      selectTransactions(queries, propertyId, reference),
      selectRefunds(queries, propertyId, reference),
    ],
  );
  const state = property && booking ? { property, booking, cards } : null;
  work.memory.state = state;
  const balance = balanceOf(booking?.totalCostMinor ?? 0, rows, refunds);
  const nowMs = work.now();
  return refuseGuestPayment(state, command, balance, declinesOf(rows, nowMs), nowMs);
}
