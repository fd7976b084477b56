import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { selectDisputesOfBooking } from '../../operation/shownStore.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { disputeFailure } from '../disputes/rules.ts';
import { correctTransaction, findOwnPayment } from '../payments/correct.ts';
import { transactionNotFound, wrongState } from '../payments/rules.ts';
import { selectTransactionCards, selectTransactions } from '../payments/store.ts';

/** A booking's charges as D1 has them, with the card of each and their disputes. */
export interface Charges {
  readonly rows: readonly TransactionRow[];
  readonly disputes: readonly DisputeRow[];
  readonly cardOf: (chargeId: number) => CardRow | null;
}

/** Reads a booking's charges with their cards and disputes in one round trip. */
export async function readCharges(work: BookingWork): Promise<Charges> {
  const { queries } = work.database;
  const [rows, cards, disputes] = await work.database.batch('d1.transaction.read', [
    selectTransactions(queries, work.propertyId, work.reference),
    selectTransactionCards(queries, work.propertyId, work.reference),
    selectDisputesOfBooking(queries, work.propertyId, work.reference),
  ]);
  return {
    rows,
    disputes,
    cardOf: (chargeId) => {
      const charge = rows.find(({ id }) => id === chargeId);
      return cards.find(({ token }) => token === charge?.cardToken) ?? null;
    },
  };
}

/**
 * Reads a booking's charges for a refund. One that was accepted by hand may have no reference of the acquirer, without
 * which it cannot be refunded: the acquirer is asked for its payment by our own reference.
 */
export async function readNamedCharges(
  work: BookingWork,
  state: BookingState,
  chargeId: number | null,
): Promise<Charges> {
  const charges = await readCharges(work);
  let hasLearnt = false;
  for (const row of charges.rows) {
    const isWanted = chargeId === null || chargeId === row.id;
    const card = charges.cardOf(row.id);
    if (!isWanted || row.status !== 'Accepted' || row.gatewayReference !== null || !card) continue;
    const report = await findOwnPayment(work, { row, card });
    if (report.kind !== 'payment') continue;
    const { corrected } = await correctTransaction(work, { state, row, card }, report.payment);
    hasLearnt ||= corrected;
  }
  return hasLearnt ? readCharges(work) : charges;
}

/**
 * The charges that a refund may use: the one that it names, or every accepted one; none that is under dispute or was
 * lost to one (interface: Refunds). The schema refuses the refund if a dispute comes in between.
 */
export function refundable(
  { rows, disputes }: Pick<Charges, 'rows' | 'disputes'>,
  chargeId: number | null,
): Result<readonly TransactionRow[], Failure> {
  if (chargeId === null) {
    return ok(
      rows.filter(
        ({ id, status, gatewayReference }) =>
          status === 'Accepted' &&
          gatewayReference !== null &&
          disputeFailure(id, disputes) === null,
      ),
    );
  }
  const row = rows.find(({ id }) => id === chargeId);
  if (!row) return err(transactionNotFound());
  const refused = refusal(row, disputes);
  return refused ? err(refused) : ok([row]);
}

/** Why a named charge cannot be refunded; null if it can. */
function refusal(row: TransactionRow, disputes: readonly DisputeRow[]): Failure | null {
  if (row.status !== 'Accepted') return wrongState('charge', row);
  if (row.gatewayReference === null) {
    return failure(
      'invalid_state',
      'The gateway does not know this charge, so it cannot refund it.',
    );
  }
  return disputeFailure(row.id, disputes);
}
