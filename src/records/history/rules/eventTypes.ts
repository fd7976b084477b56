/** The types of events that show a transaction and nothing else. */
export const transactionEventTypes = [
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
] as const;

/** The types of events, in the order of their table (interface: Types of events). */
export const eventTypes = [
  'booking.saved',
  'booking.cancelled',
  ...transactionEventTypes,
  'refund.refunded',
  'refund.failed',
  'card.attached',
  'card.updated',
  'card.expiring',
  'card.virtual_active',
  'card.virtual_lapsing',
  'dispute.opened',
  'dispute.due_soon',
  'dispute.won',
  'dispute.lost',
  'disbursement.paid_out',
  'disbursement.failed',
  'application.moved',
  'balance.overpaid',
  'plan.saved',
  'plan.completed',
  'plan.cancelled',
  'plan.changed',
  'recovery.flagged',
  'settlement.settled',
  'settlement.incomplete',
] as const;

export type EventType = (typeof eventTypes)[number];

/** `*` at the end of a pattern stands for whatever follows. */
const ANYTHING = '*';

/** The types that patterns fit: `payment.*` fits all that begin so, `*` all, and a type only itself (interface: Types of events). */
export function typesFitting(patterns: readonly string[]): readonly EventType[] {
  return eventTypes.filter((type) => patterns.some((pattern) => fits(pattern, type)));
}

/** Whether a type fits a pattern. `queueDeliveries` compares in the same way: by the type's beginning. */
function fits(pattern: string, type: EventType): boolean {
  if (!pattern.endsWith(ANYTHING)) return type === pattern;
  return type.startsWith(pattern.slice(0, -ANYTHING.length));
}
