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

/** What a pattern is made of: parts of types, dots and `*`, which stands for anything. */
const PATTERN = /^[a-z_.*]{1,64}$/;

/** Whether a pattern of types fits at least one type: `payment.*`, `*.failed`, `*`, or a type itself. */
export function isTypePattern(pattern: string): boolean {
  return PATTERN.test(pattern) && eventTypes.some((type) => fits(pattern, type));
}

/** Whether a type fits a pattern. The database compares in the same way, with `GLOB`. */
function fits(pattern: string, type: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'));
  return new RegExp(`^${parts.join('.*')}$`).test(type);
}
