import { err, ok, type Result, refuse } from '../../core/result.ts';
import { selectDisputesOfBooking } from '../../operation/shownStore.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { disputeFailure } from '../disputes/rules.ts';
import { correctTransaction, findOwnPayment } from '../payments/correct.ts';
import { type AtGateway, isAtGateway } from '../payments/rules/cases.ts';
import { TRANSACTION_NOT_FOUND, wrongState } from '../payments/rules.ts';
import { selectTransactionCards, selectTransactions } from '../payments/store.ts';

/** A booking's charges as D1 has them, with the card of each and their disputes. */
export interface Charges {
  readonly rows: readonly TransactionRow[];
  readonly disputes: readonly DisputeRow[];
  readonly cardOf: (chargeId: number) => CardRow;
}

/** A booking's charges with their cards and disputes, from memory or by one round trip. */
export async function readCharges(work: BookingWork): Promise<Charges> {
  const { rows: known, state } = work.memory;
  const tokens = state?.cards.map(({ token }) => token);
  if (known && state && known.transactions.every((row) => tokens?.includes(row.cardToken ?? ''))) {
    return chargesOf(known.transactions, state.cards, known.disputes);
  }
  const { database, propertyId, reference } = work;
  const [rows, cards, disputes] = await database.batch('d1.transaction.read', [
    selectTransactions({ propertyId, reference }),
    selectTransactionCards({ propertyId, reference }),
    selectDisputesOfBooking(propertyId, reference),
  ]);
  return chargesOf(rows, cards, disputes);
}

function chargesOf(
  rows: readonly TransactionRow[],
  cards: readonly CardRow[],
  disputes: readonly DisputeRow[],
): Charges {
  return {
    rows,
    disputes,
    cardOf: (chargeId) => {
      const charge = rows.find(({ id }) => id === chargeId);
      const card = cards.find(({ token }) => token === charge?.cardToken);
      if (!card) throw new Error('a charge has no card');
      return card;
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
    if (!isWanted || row.status !== 'Accepted' || isAtGateway(row)) continue;
    const card = charges.cardOf(row.id);
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
): Result<readonly AtGateway[]> {
  if (chargeId === null) {
    const taken = rows.filter(isAtGateway).filter(({ status }) => status === 'Accepted');
    return ok(taken.filter(({ id }) => disputeFailure(id, disputes) === null));
  }
  const row = rows.find(({ id }) => id === chargeId);
  if (!row) return err(TRANSACTION_NOT_FOUND);
  if (row.status !== 'Accepted') return err(wrongState('charge', row));
  if (!isAtGateway(row)) {
    return refuse(
      'invalid_state',
      'The gateway does not know this charge, so it cannot refund it.',
    );
  }
  const disputed = disputeFailure(row.id, disputes);
  return disputed ? err(disputed) : ok([row]);
}
