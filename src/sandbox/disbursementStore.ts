import { inArray, sql } from 'drizzle-orm';
import type { Queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import { type DisbursementRow, disbursements } from '../schema/disbursementTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { properties } from '../schema/propertyTables.ts';

export function openDisbursement(queries: Queries, row: DisbursementRow) {
  return queries.insert(disbursements).values(row).onConflictDoNothing();
}

/** Selects which of these disbursements accept no more items. */
export function selectClosed(
  queries: Queries,
  names: readonly (readonly [propertyId: string, id: string])[],
) {
  const { propertyId, id, status } = disbursements;
  return queries
    .select({ propertyId, id })
    .from(disbursements)
    .where(
      sql`${status} <> 'not_paid_out' AND (${propertyId}, ${id}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(names)}))`,
    );
}

/** This service's record of a charge: its amounts with fees, and the terms of these. */
export type KnownCharge = ReturnType<typeof selectKnownCharges>['_']['result'][number];

/** Selects the records of charges and captures by their references. */
export function selectKnownCharges(queries: Queries, references: readonly string[]) {
  const { captureAmountMinor, captureRequestedMinor, createdAtMs, reference, status } =
    transactions;
  const { amountMinor: amount, requestedMinor: requested } = transactions;
  // While a capture's outcome is unknown, the row keeps the amounts of the hold as well.
  const amountMinor = sql<number>`CASE ${status} WHEN 'Processing' THEN coalesce(${captureAmountMinor}, ${amount}) ELSE ${amount} END`;
  const requestedMinor = sql<number>`CASE ${status} WHEN 'Processing' THEN coalesce(${captureRequestedMinor}, ${requested}) ELSE ${requested} END`;
  return queries
    .select({
      reference,
      amountMinor,
      feeMinor: sql<number>`${amountMinor} - ${requestedMinor}`,
      terms: {
        cardFeeBasisPoints: transactions.feeBasisPoints,
        method: transactions.feeMethod,
        maximumMinor: transactions.feeMaximumMinor,
        transactionFeeMinor: transactions.transactionFeeMinor,
      },
      createdAtMs,
    })
    .from(transactions)
    .where(inArray(reference, listed(references)));
}

export function selectKnownRefunds(queries: Queries, references: readonly string[]) {
  const { createdAtMs, reference } = refunds;
  return queries
    .select({ reference, createdAtMs })
    .from(refunds)
    .where(inArray(reference, listed(references)));
}

export function selectZones(queries: Queries, propertyIds: readonly string[]) {
  const { id, timeZone, clockAheadMs, clockFrozenAtMs } = properties;
  return queries
    .select({ id, timeZone, clockAheadMs, clockFrozenAtMs })
    .from(properties)
    .where(inArray(id, listed(propertyIds)));
}
