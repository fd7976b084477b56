import type { DisbursementItemRow, DisbursementRow } from '../db/disbursementTables.ts';
import type { Payout, PayoutMovement } from '../gateways/payouts.ts';

/** Which property a charge or refund is of, by our own records of it and the account that its card is kept for. */
export interface Owner {
  readonly reference: string;
  readonly propertyId: string;
}

/**
 * Divides what a payout is made of among properties: what one of them asked for, by our own records (`owners`), is its
 * own, whichever account it has by now. Anything else, such as the acquirer's own fees, belongs to the account's
 * property, if it is one property's alone (`propertyIds`).
 */
export function sharesOf(
  movements: readonly PayoutMovement[],
  owners: readonly Owner[],
  propertyIds: readonly string[],
): Map<string, PayoutMovement[]> {
  const [only = null] = propertyIds.length === 1 ? propertyIds : [];
  const known = new Map(owners.map(({ reference, propertyId }) => [reference, propertyId]));
  const shares = new Map<string, PayoutMovement[]>();
  for (const movement of movements) {
    const asked = movement.about && known.get(movement.about.reference);
    const propertyId = asked === movement.about?.propertyId && asked ? asked : only;
    if (propertyId === null) continue;
    shares.set(propertyId, [...(shares.get(propertyId) ?? []), movement]);
  }
  return shares;
}

/** A payout as a property's disbursement, before any item is in it. */
export function disbursementOfPayout(propertyId: string, payout: Payout): DisbursementRow {
  const { id, status, currency, description, createdAtMs, arrivalDate } = payout;
  return {
    propertyId,
    id,
    gateway: 'stripe',
    status,
    currency,
    grossMinor: 0,
    feeMinor: 0,
    netMinor: 0,
    description: description || `Payout ${id}`,
    effectiveAtMs: createdAtMs,
    arrivalDate,
    dueAtMs: null,
    paysAtMs: null,
  };
}

/** A movement as an item of its payout's disbursement. */
export function itemOfPayout(
  propertyId: string,
  disbursementId: string,
  movement: PayoutMovement,
): DisbursementItemRow {
  const { about: _about, ...described } = movement;
  return {
    ...described,
    propertyId,
    disbursementId,
    netMinor: movement.grossMinor - movement.feeMinor,
    effectiveAtMs: movement.createdAtMs,
  };
}
