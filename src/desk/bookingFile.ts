import { type Balance, balanceOfRows } from '../money/balance/rules/balance.ts';
import { selectDisputes } from '../money/disputes/store.ts';
import type { ListedDispute } from '../money/disputes/views.ts';
import { selectTransactionCards, selectTransactions } from '../money/payments/store.ts';
import { selectRefunds } from '../operation/shownStore.ts';
import type { Database } from '../platform/db/database.ts';
import type { BookingState } from '../records/bookings/rules.ts';
import { selectBooking } from '../records/bookings/store.ts';
import { selectChargeTotals } from '../records/history/sumsStore.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { MailRow } from '../schema/mailTables.ts';
import type { RefundRow, TransactionRow } from '../schema/moneyTables.ts';
import type { OutboxRow } from '../schema/outboxTables.ts';
import {
  boundsOf,
  type OpenDelivery,
  selectSources,
  type TimelineChange,
  type TimelineEvent,
  type TimelineView,
  WHOLE_TIMELINE,
} from './timelineStore.ts';

export interface BookingFile {
  readonly state: BookingState;
  readonly balance: Balance;
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly ListedDispute[];
  /** The cards of the booking, and those that its payments used. */
  readonly cards: readonly CardRow[];
  /** What the shown part of the timeline is made from, the latest first. */
  readonly view: TimelineView;
  readonly changes: readonly TimelineChange[];
  readonly messages: readonly OutboxRow[];
  readonly mails: readonly MailRow[];
  readonly events: readonly TimelineEvent[];
  /** Of the events, what was not delivered. */
  readonly deliveries: readonly OpenDelivery[];
  /** Today's names of people of the staff, by the actor in the audit trail, for entries that hold none. */
  readonly names: ReadonlyMap<string, string>;
}

/** The most disputes of a booking that are read. */
const DISPUTES_READ = 200;

/** Reads a booking's file; null if the booking does not exist. One round trip. */
export async function readBookingFile(
  database: Database,
  propertyId: string,
  reference: string,
  view: TimelineView = WHOLE_TIMELINE,
): Promise<BookingFile | null> {
  const { queries } = database;
  const name = { propertyId, reference };
  const [
    [property],
    [booking],
    attached,
    transactions,
    used,
    refunds,
    disputes,
    totals,
    changes,
    messages,
    mails,
    events,
    deliveries,
    people,
  ] = await database.batch('d1.console.read', [
    ...selectBooking(queries, propertyId, reference),
    selectTransactions(queries, { propertyId, reference }),
    selectTransactionCards(queries, { propertyId, reference }),
    selectRefunds(queries, propertyId, reference),
    selectDisputes(queries, propertyId, { reference }, { limit: DISPUTES_READ }),
    selectChargeTotals(queries, name),
    ...selectSources(queries, name, boundsOf(view)),
  ]);
  if (!property || !booking) return null;
  return {
    state: { property, booking, cards: attached },
    balance: balanceOfRows(booking.totalCostMinor, transactions, totals),
    transactions,
    refunds,
    disputes,
    cards: [...new Map([...attached, ...used].map((card) => [card.token, card])).values()],
    view,
    changes,
    messages,
    mails,
    events,
    deliveries,
    names: new Map(people.map(({ id, name: called }) => [id, called])),
  };
}
