import { pick } from '../../core/pick.ts';
import type { Payout, PayoutMovement } from '../../gateways/payouts.ts';
import type { GatewayName } from '../../platform/config.ts';
import type { PaidOut } from '../../records/history/rules/entry.ts';
import type { DisbursementItemRow, DisbursementRow } from '../../schema/disbursementTables.ts';

/** The property of a charge or refund, from this service's records and the account of its card. */
export interface Owner {
  readonly reference: string;
  readonly propertyId: string;
}

/**
 * Divides the movements of a payout among properties. A charge or refund belongs to the property that made it, as our
 * records say (`owners`), even if that property has another account now. Any other movement, such as the acquirer's
 * fees, belongs to the account's property if the account has only one (`propertyIds`).
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
    const owner = movement.about && known.get(movement.about.reference);
    const propertyId = owner === movement.about?.propertyId && owner ? owner : only;
    if (propertyId === null) continue;
    shares.set(propertyId, [...(shares.get(propertyId) ?? []), movement]);
  }
  return shares;
}

/** The sums of a disbursement without items. */
export const NO_ITEMS = {
  grossMinor: 0,
  feeMinor: 0,
  netMinor: 0,
  postedNetMinor: 0,
  postedFeeMinor: 0,
  itemCount: 0,
} as const satisfies Partial<DisbursementRow>;

/** A payout as a property's disbursement, without items. */
export function disbursementOfPayout(
  gateway: GatewayName,
  propertyId: string,
  payout: Payout,
): DisbursementRow {
  return {
    propertyId,
    gateway,
    ...pick(payout, 'id', 'status', 'currency', 'arrivalDate'),
    ...NO_ITEMS,
    description: payout.description || `Payout ${payout.id}`,
    effectiveAtMs: payout.createdAtMs,
    dueAtMs: null,
    paysAtMs: null,
  };
}

export function itemOfPayout(
  propertyId: string,
  disbursementId: string,
  movement: PayoutMovement,
): DisbursementItemRow {
  const { about, ...described } = movement;
  return {
    ...described,
    description: about?.bookingReference ?? movement.description,
    propertyId,
    disbursementId,
    netMinor: movement.grossMinor - movement.feeMinor,
    effectiveAtMs: movement.createdAtMs,
  };
}

/**
 * What the books do not have yet of a disbursement as it is, in minor units; null for nothing. One that failed comes back
 * from the bank: the acquirer pays it out once more, without the fees that it kept.
 */
export function toPost(
  row: Pick<
    DisbursementRow,
    'status' | 'netMinor' | 'feeMinor' | 'postedNetMinor' | 'postedFeeMinor'
  >,
): Pick<PaidOut, 'netMinor' | 'feeMinor'> | null {
  const { feeMinor, netMinor, postedFeeMinor, postedNetMinor, status } = row;
  if (status !== 'paid_out' && status !== 'failed') return null;
  const missing = {
    netMinor: (status === 'paid_out' ? netMinor : 0) - postedNetMinor,
    feeMinor: feeMinor - postedFeeMinor,
  };
  return missing.netMinor === 0 && missing.feeMinor === 0 ? null : missing;
}
