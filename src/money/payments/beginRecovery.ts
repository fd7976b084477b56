import { sql } from 'drizzle-orm';
import { draftEntry, type Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { expiryWarningMs } from '../../records/properties/rules.ts';
import { beginRecoveries } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { cardExpired } from './rules.ts';

/** The decline code of a payment that its guest must be present for. */
export const NEEDS_GUEST = 'authentication_required';

/**
 * The time of the warning about the expiring card of a new schedule, by the property's clock; null for a card that will
 * still be valid then, and for other payments.
 */
export function expiryWarningAtMs(
  { timeZone, cardRecovery }: Pick<PropertyRow, 'timeZone' | 'cardRecovery'>,
  { kind, scheduledAtMs }: Pick<TransactionRow, 'kind' | 'scheduledAtMs'>,
  card: Pick<CardRow, 'expiryMonth' | 'expiryYear'>,
): number | null {
  if (kind !== 'schedule' || scheduledAtMs === null) return null;
  if (!cardExpired(card, timeZone, scheduledAtMs)) return null;
  return scheduledAtMs - expiryWarningMs(cardRecovery);
}

/** Plans the recoveries of those schedules whose card will have expired, however many, by one statement. */
export function planExpiryWarnings(
  work: BookingWork,
  property: PropertyRow,
  schedules: readonly TransactionRow[],
  card: CardRow,
): Statement[] {
  const expiring = schedules.filter((one) => expiryWarningAtMs(property, one, card) !== null);
  if (expiring.length === 0) return [];
  const dueAtMs = sql`t.scheduled_at_ms - ${expiryWarningMs(property.cardRecovery)}`;
  return [begin(work, expiring, { cause: 'expiring', cardToken: card.token, dueAtMs })];
}

/**
 * Begins the recovery of a charge, if it was just declined for good (interface: Recovery): a schedule's, and any other that
 * its guest was not there for but is needed for. The charge that replaces a declined one starts none: the first goes on.
 */
export function recoverDeclined(
  work: BookingWork,
  { cardRecovery }: Pick<PropertyRow, 'cardRecovery'>,
  declined: TransactionRow,
): Write[] {
  const cause = causeOf(declined);
  if (cause === null || declined.cardToken === null) return [];
  const nowMs = work.now();
  const subject = { kind: 'recovery', id: String(declined.id) } as const;
  const dueAtMs = cardRecovery === null ? null : nowMs;
  return [
    begin(work, [declined], { cause, cardToken: declined.cardToken, dueAtMs }),
    ...(cardRecovery === null ? [] : [draftEntry(work, nowMs, subject, { to: 'begun' })]),
  ];
}

/** Begins the recovery of a schedule whose card is kept at an account that is no longer the property's. */
export function recoverFormer(
  work: BookingWork,
  schedule: TransactionRow,
  { token: cardToken }: Pick<CardRow, 'token'>,
): Statement {
  return begin(work, [schedule], { cause: 'former', cardToken, dueAtMs: work.now() });
}

function causeOf(declined: TransactionRow): 'declined' | 'authentication' | null {
  const { kind, declineCode, initiator, replacesCharge, status } = declined;
  const needsGuest = declineCode === NEEDS_GUEST;
  const isUnattended =
    kind === 'schedule' || (kind === 'charge' && needsGuest && initiator === 'property');
  if (status !== 'Declined' || !isUnattended || replacesCharge !== null) return null;
  return needsGuest ? 'authentication' : 'declined';
}

function begin(
  work: BookingWork,
  charges: readonly TransactionRow[],
  start: Omit<Parameters<typeof beginRecoveries>[1], 'nowMs'>,
): Statement {
  const which = { propertyId: work.propertyId, ids: charges.map(({ id }) => id) };
  return beginRecoveries(which, { ...start, nowMs: work.now() });
}
