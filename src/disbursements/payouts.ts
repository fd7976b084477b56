import type { DisbursementItemRow, DisbursementRow } from '../db/disbursementTables.ts';
import type { Payout, PayoutMovement } from '../gateways/payouts.ts';

/**
 * Divides what a payout is made of among the properties that its account is of: each movement goes to the property
 * that asked for it. Where an account is one property's alone, so is everything else, such as the acquirer's own fees.
 */
export function sharesOf(
  movements: readonly PayoutMovement[],
  propertyIds: readonly string[],
): Map<string, PayoutMovement[]> {
  const [only] = propertyIds.length === 1 ? propertyIds : [];
  const shares = new Map<string, PayoutMovement[]>();
  for (const movement of movements) {
    const asked = movement.about?.propertyId;
    const propertyId = only ?? (asked && propertyIds.includes(asked) ? asked : null);
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
