import { storedDecimal } from '../core/money.ts';
import { offsetTimestamp } from '../core/time.ts';
import type { DisbursementItemRow, DisbursementRow } from '../db/disbursementTables.ts';

/** A disbursement as lists show it (decisions: section 11). */
export function disbursementView(row: DisbursementRow, timeZone: string) {
  return {
    disbursementId: row.id,
    gatewayId: row.gateway,
    status: row.status,
    currency: row.currency,
    ...amountsView(row),
    description: row.description,
    timeEffective: offsetTimestamp(row.effectiveAtMs, timeZone),
    expectedArrivalDate: row.arrivalDate,
  };
}

/** A disbursement with its movements. */
export function detailedView(
  row: DisbursementRow,
  items: readonly DisbursementItemRow[],
  timeZone: string,
) {
  return {
    ...disbursementView(row, timeZone),
    transactions: items.map((item) => itemView(item, timeZone)),
  };
}

function itemView(item: DisbursementItemRow, timeZone: string) {
  return {
    itemId: item.id,
    gatewayTransactionId: item.gatewayTransactionId,
    description: item.description,
    reportingCategory: item.category,
    currency: item.currency,
    ...amountsView(item),
    threeDSAuthenticated: item.threeDsAuthenticated,
    timeEffective: offsetTimestamp(item.effectiveAtMs, timeZone),
    createdOn: offsetTimestamp(item.createdAtMs, timeZone),
    timeAvailable: offsetTimestamp(item.availableAtMs, timeZone),
  };
}

function amountsView({
  currency,
  grossMinor,
  feeMinor,
  netMinor,
}: Pick<DisbursementRow, 'currency' | 'grossMinor' | 'feeMinor' | 'netMinor'>) {
  return {
    grossAmount: storedDecimal(grossMinor, currency),
    fee: storedDecimal(feeMinor, currency),
    netAmount: storedDecimal(netMinor, currency),
  };
}
