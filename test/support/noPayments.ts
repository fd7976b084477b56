import type { BookingTotals } from '../../src/records/history/sums.ts';

/** The sums of a booking without payments. */
export const NO_PAYMENTS: BookingTotals = {
  paidMinor: 0,
  refundedMinor: 0,
  disputedMinor: 0,
  waivedMinor: 0,
  bondsMinor: 0,
  scheduledMinor: 0,
  heldMinor: 0,
  plannedMinor: 0,
  uncertainMinor: 0,
};
