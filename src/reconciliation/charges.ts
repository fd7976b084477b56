import type { OurCharge } from './rules.ts';
import { selectCharges, selectMovements, selectRefunds } from './store.ts';
import type { ReconciliationWork } from './work.ts';

/** Reads charges with all their movements and refunds, by their ids. One round trip, none without ids. */
export async function readCharges(
  { database }: ReconciliationWork,
  ids: readonly number[],
): Promise<Map<number, OurCharge>> {
  if (ids.length === 0) return new Map();
  const { queries } = database;
  const [charges, rows, refunds] = await database.batch('d1.reconciliation.read', [
    selectCharges(queries, ids),
    selectMovements(queries, ids),
    selectRefunds(queries, ids),
  ]);
  const rowsOf = Map.groupBy(rows, ({ transactionId }) => transactionId);
  const refundsOf = Map.groupBy(refunds, ({ refund }) => refund.transactionId);
  return new Map(
    charges.map(({ gatewayToken, transaction }) => [
      transaction.id,
      {
        transaction,
        gatewayToken,
        rows: rowsOf.get(transaction.id) ?? [],
        refunds: (refundsOf.get(transaction.id) ?? []).map(({ refund }) => refund),
      },
    ]),
  );
}

/** The acquirer's account that a charge is on; undefined for a charge without a card. */
export function accountOf(
  { gateway }: ReconciliationWork,
  { gatewayToken }: OurCharge,
): string | null | undefined {
  return gatewayToken === null ? undefined : gateway.accountOf(gatewayToken);
}
