import { selectDisputesOfBooking, selectRefunds } from '../../operation/shownStore.ts';
import { type BookingWork, bookingState } from '../../operation/work.ts';
import type { Database } from '../../platform/db/database.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { type BookingName, selectBooking } from '../../records/bookings/store.ts';
import type { Sums } from '../../records/history/sums.ts';
import { knownHistory, selectHistory } from '../../records/history/sumsStore.ts';
import { selectPlan } from '../../records/plans/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { DisputeRow } from '../../schema/disputeTables.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';
import type { PlanRow } from '../../schema/planTables.ts';
import { selectTransactionCards, selectTransactions } from '../payments/store.ts';
import { readPlan } from '../plans/open.ts';
import { refundable } from '../refunds/charges.ts';
import type { CancellationFacts } from './rules/decideCancellation.ts';

/** When a cancellation is decided, and the step of the amounts that its acquirer takes. */
export interface Moment {
  readonly nowMs: number;
  readonly stepMinor: number;
}

interface Read extends Sums {
  readonly state: BookingState;
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly DisputeRow[];
  readonly cards: readonly CardRow[];
  /** Its plan, the active one or else the last. */
  readonly plan: PlanRow | null;
}

/** Reads all that a cancellation is decided on, as D1 has it; one round trip. Null if there is no such booking. */
export async function readCancellationFacts(
  database: Database,
  name: BookingName,
  moment: Moment,
): Promise<CancellationFacts | null> {
  const { propertyId, reference } = name;
  const [[property], [booking], own, [plan], transactions, used, refunds, disputes, ...entries] =
    await database.batch('d1.transactions.read', [
      ...selectBooking(propertyId, reference),
      selectPlan(name),
      ...selectPayments(name),
    ]);
  if (!property || !booking) return null;
  const state = { property, booking, cards: own };
  const { open, totals } = knownHistory(...entries);
  const read = { state, transactions, refunds, disputes, cards: used, open, totals };
  return factsOf({ ...read, plan: plan ?? null }, moment);
}

/** The same in the booking's turn, from memory as far as it is remembered. Null if there is no such booking. */
export async function cancellationFacts(work: BookingWork): Promise<CancellationFacts | null> {
  const state = await bookingState(work);
  if (!state) return null;
  const { database, memory, propertyId, reference } = work;
  const stepMinor = work.gateway.amountStepMinor(state.booking.currency);
  const moment = { nowMs: work.now(), stepMinor };
  const plan = await readPlan(work);
  const { history, rows } = memory;
  const tokens = new Set(state.cards.map(({ token }) => token));
  if (rows && history && rows.transactions.every(({ cardToken }) => tokens.has(cardToken ?? ''))) {
    return factsOf({ ...rows, ...history, state, plan, cards: state.cards }, moment);
  }
  const [transactions, used, refunds, disputes, ...entries] = await database.batch(
    'd1.transaction.read',
    selectPayments({ propertyId, reference }),
  );
  const sums = knownHistory(...entries);
  memory.history = sums;
  return factsOf({ state, plan, transactions, refunds, disputes, cards: used, ...sums }, moment);
}

function selectPayments(name: BookingName) {
  const { propertyId, reference } = name;
  return [
    selectTransactions(name),
    selectTransactionCards(name),
    selectRefunds(propertyId, reference),
    selectDisputesOfBooking(propertyId, reference),
    ...selectHistory(name),
  ] as const;
}

function factsOf(
  { cards, disputes, open, plan, refunds, state, totals, transactions }: Read,
  moment: Moment,
): CancellationFacts {
  const charges = refundable({ rows: transactions, disputes }, null);
  return {
    state,
    totals,
    open,
    transactions,
    refunds,
    disputes,
    refundable: charges.ok ? charges.value : [],
    cardOf: (token) => cards.find((card) => card.token === token) ?? null,
    plan: plan?.status === 'active' ? plan : null,
    ...moment,
  };
}
