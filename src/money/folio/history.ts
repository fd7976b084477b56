import { selectRefunds } from '../../operation/shownStore.ts';
import type { Database } from '../../platform/db/database.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import { type BookingName, selectBooking } from '../../records/bookings/store.ts';
import type { ChargeTotals } from '../../records/history/sums.ts';
import { selectChargeTotals } from '../../records/history/sumsStore.ts';
import { selectPlan } from '../../records/plans/store.ts';
import { selectRecoveries } from '../../records/recoveries/store.ts';
import { selectLastSettlement } from '../../records/settlements/store.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';
import type { PlanRow } from '../../schema/planTables.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';
import type { SettlementRow } from '../../schema/settlementTables.ts';
import { selectTransactionCards, selectTransactions } from '../payments/store.ts';

/** A booking with all its transactions and refunds, whatever their status. */
export interface History {
  readonly state: BookingState;
  /** Its plan, the active one or else the last; null for none. */
  readonly plan: PlanRow | null;
  /** Oldest first. */
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly RefundRow[];
  /** The sums of the history for each charge that was taken. */
  readonly totals: readonly ChargeTotals[];
  /** The cards of the transactions, attached to the booking or not. */
  readonly usedCards: readonly CardRow[];
  /** What is wrong with the cards of its charges, and what is done about it. */
  readonly recoveries: readonly RecoveryRow[];
  /** What its last cancellation by a quote came to; null for none. */
  readonly settlement: SettlementRow | null;
}

/** Reads a booking's history in one round trip; null if the booking does not exist. */
export async function readHistory(database: Database, name: BookingName): Promise<History | null> {
  const [
    [property],
    [booking],
    cards,
    [plan = null],
    transactions,
    usedCards,
    refunds,
    totals,
    recoveries,
    [settlement = null],
  ] = await database.batch('d1.transactions.read', [
    ...selectBooking(name.propertyId, name.reference),
    selectPlan(name),
    selectTransactions(name),
    selectTransactionCards(name),
    selectRefunds(name.propertyId, name.reference),
    selectChargeTotals(name),
    selectRecoveries(name),
    selectLastSettlement(name),
  ]);
  if (!property || !booking) return null;
  const state = { property, booking, cards };
  return { state, plan, transactions, refunds, totals, usedCards, recoveries, settlement };
}
