import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { transactionNotFound, wrongState } from '../payments/rules.ts';
import { selectTransactionCards, selectTransactions } from '../payments/store.ts';

/** A booking's charges as D1 has them, with the card of each. */
export interface Charges {
  readonly rows: readonly TransactionRow[];
  readonly cardOf: (chargeId: number) => CardRow | null;
}

/** Reads a booking's charges and their cards in one round trip. */
export async function readCharges(work: BookingWork): Promise<Charges> {
  const { queries } = work.database;
  const [rows, cards] = await work.database.batch('d1.transaction.read', [
    selectTransactions(queries, work.propertyId, work.reference),
    selectTransactionCards(queries, work.propertyId, work.reference),
  ]);
  return {
    rows,
    cardOf: (chargeId) => {
      const charge = rows.find(({ id }) => id === chargeId);
      return cards.find(({ token }) => token === charge?.cardToken) ?? null;
    },
  };
}

/** The charges that a refund may use: the one that it names, or every accepted one. */
export function refundable(
  { rows }: Charges,
  chargeId: number | null,
): Result<readonly TransactionRow[], Failure> {
  const known = rows.filter(({ gatewayReference }) => gatewayReference !== null);
  if (chargeId === null) return ok(known.filter(({ status }) => status === 'Accepted'));
  const row = rows.find(({ id }) => id === chargeId);
  if (!row) return err(transactionNotFound());
  if (row.status !== 'Accepted') return err(wrongState('charge', row));
  return known.includes(row)
    ? ok([row])
    : err(
        failure('invalid_state', 'The gateway does not know this charge, so it cannot refund it.'),
      );
}
