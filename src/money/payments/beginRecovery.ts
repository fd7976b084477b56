import { draftEntry, type Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { expiryWarningMs } from '../../records/properties/rules.ts';
import { beginRecovery } from '../../records/recoveries/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { cardExpired } from './rules.ts';

/** The decline code of a payment that its guest must be present for. */
const NEEDS_GUEST = 'authentication_required';

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

/** Plans the recovery of a schedule whose card will have expired; nothing for any other. */
export function planExpiryWarning(
  work: BookingWork,
  property: PropertyRow,
  schedule: TransactionRow,
  card: CardRow,
): Statement[] {
  const dueAtMs = expiryWarningAtMs(property, schedule, card);
  if (dueAtMs === null) return [];
  const cardToken = card.token;
  return [
    beginRecovery(work.database.queries, {
      ...nameOf(schedule),
      cause: 'expiring',
      cardToken,
      dueAtMs,
      nowMs: work.now(),
    }),
  ];
}

/**
 * Begins the recovery of a charge that was just declined for good (interface: Recovery): a schedule's, and any other that
 * its guest was not there for but is needed for. The charge that replaces a declined one starts none: the first goes on.
 */
export function recoverDeclined(
  work: BookingWork,
  { cardRecovery }: Pick<PropertyRow, 'cardRecovery'>,
  declined: TransactionRow,
): Write[] {
  const cause = causeOf(declined);
  if (cause === null || declined.cardToken === null) return [];
  const { queries } = work.database;
  const nowMs = work.now();
  const subject = { kind: 'recovery', id: String(declined.id) } as const;
  return [
    beginRecovery(queries, {
      ...nameOf(declined),
      cause,
      cardToken: declined.cardToken,
      dueAtMs: cardRecovery === null ? null : nowMs,
      nowMs,
    }),
    ...(cardRecovery === null ? [] : [draftEntry(work, nowMs, subject, { to: 'begun' })]),
  ];
}

/** Begins the recovery of a schedule whose card is kept at an account that is no longer the property's. */
export function recoverFormer(
  work: BookingWork,
  schedule: TransactionRow,
  { token: cardToken }: Pick<CardRow, 'token'>,
): Statement {
  const nowMs = work.now();
  return beginRecovery(work.database.queries, {
    ...nameOf(schedule),
    cause: 'former',
    cardToken,
    dueAtMs: nowMs,
    nowMs,
  });
}

function causeOf({
  kind,
  declineCode,
  initiator,
  replacesCharge,
}: TransactionRow): 'declined' | 'authentication' | null {
  const needsGuest = declineCode === NEEDS_GUEST;
  const isUnattended =
    kind === 'schedule' || (kind === 'charge' && needsGuest && initiator === 'property');
  if (!isUnattended || replacesCharge !== null) return null;
  return needsGuest ? 'authentication' : 'declined';
}

function nameOf({ id, propertyId, bookingReference, scheduledAtMs, createdAtMs }: TransactionRow) {
  const chargeAtMs = scheduledAtMs ?? createdAtMs;
  return { transactionId: id, propertyId, bookingReference, chargeAtMs };
}
