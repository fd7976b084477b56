/** The types of events, in the order of their table (interface: Types of events). */
export const eventTypes = [
  'booking.saved',
  'booking.cancelled',
  'payment.accepted',
  'payment.declined',
  'payment.failed',
  'payment.unknown',
  'payment.corrected',
  'schedule.created',
  'schedule.retrying',
  'schedule.cancelled',
  'authorization.authorized',
  'authorization.captured',
  'authorization.released',
  'authorization.expired',
  'refund.refunded',
  'refund.failed',
  'card.attached',
  'card.updated',
  'card.expiring',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
  'disbursement.paid_out',
  'disbursement.failed',
  'application.moved',
  'balance.overpaid',
  'recovery.flagged',
] as const;

/** The type of an event. */
export type EventType = (typeof eventTypes)[number];
