import { localDate } from '../../../../core/time.ts';
import type { ApplicationRow } from '../../../../schema/applicationTables.ts';
import type { BookingRow } from '../../../../schema/bookingTables.ts';

/** The stay as the PMS told of it; times by the property's clock. */
export interface Stay {
  /** Whether it took place: the PMS told of the arrival, or the departure is past and the booking not cancelled. */
  readonly happened: boolean;
  /** The state of the booking's application; null without one. */
  readonly status: ApplicationRow['currentStatus'] | null;
  readonly arrivedAtMs: number | null;
  readonly departedAtMs: number | null;
}

/** The states of an application whose guest was there. */
const THERE: readonly ApplicationRow['currentStatus'][] = ['In Room', 'History'];

/** What is known of a booking's stay at some time. Of several applications the one that came furthest counts. */
export function stayOf(
  { departure, status }: Pick<BookingRow, 'departure' | 'status'>,
  applications: readonly ApplicationRow[],
  nowMs: number,
  timeZone: string,
): Stay {
  const there = applications.find(({ currentStatus }) => THERE.includes(currentStatus));
  const application = there ?? applications[0];
  const isPast = status !== 'cancelled' && departure < localDate(nowMs, timeZone);
  return {
    happened: there !== undefined || isPast,
    status: application?.currentStatus ?? null,
    arrivedAtMs: application?.inRoomAtMs ?? null,
    departedAtMs: application?.historyAtMs ?? null,
  };
}
