import type { DueTable } from '../records/bookings/dueStore.ts';
import { cards } from '../schema/cardTables.ts';
import { disputes } from '../schema/disputeTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { paymentPlans } from '../schema/planTables.ts';
import { recoveries } from '../schema/recoveryTables.ts';
import { settlements } from '../schema/settlementTables.ts';

/** The tables of all that a booking's alarm does. */
export const DUE_TABLES: readonly DueTable[] = [
  transactions,
  refunds,
  disputes,
  paymentPlans,
  recoveries,
  settlements,
  cards,
];
