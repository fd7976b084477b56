import { MINUTE_MS } from '../../core/time.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';

/** How long a guest has to confirm a payment at their bank (interface: The bank's step). */
const BANK_STEP_MS = 30 * MINUTE_MS;

/**
 * Until when a guest can confirm a payment at their bank, in milliseconds. Where no guest is there, or they or the
 * cancellation of their booking stopped it, that is over.
 */
export function bankStepUntilMs(
  { booking }: Pick<BookingState, 'booking'>,
  {
    bankAskedAtMs,
    initiator,
    unwantedSinceMs,
  }: Pick<TransactionRow, 'bankAskedAtMs' | 'initiator' | 'unwantedSinceMs'>,
  nowMs: number,
): number {
  const isStopped = booking.status === 'cancelled' || unwantedSinceMs !== null;
  if (initiator !== 'guest' || isStopped) return nowMs;
  return (bankAskedAtMs ?? nowMs) + BANK_STEP_MS;
}

/** Whether a payment waits for its guest to confirm it at their bank, as far as D1 knows. */
export function isAtBank({
  bankAskedAtMs,
  status,
}: Pick<TransactionRow, 'bankAskedAtMs' | 'status'>): boolean {
  return status === 'Processing' && bankAskedAtMs !== null;
}
