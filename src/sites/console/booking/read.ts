import {
  type BookingBalance,
  bookingBalance,
  selectSums,
} from '../../../money/balance/bookingBalance.ts';
import { selectDisputesOfBooking } from '../../../money/disputes/store.ts';
import { selectTransactionCards, selectTransactions } from '../../../money/payments/store.ts';
import { selectRefunds } from '../../../money/refunds/store.ts';
import type { CardRow } from '../../../platform/db/cardTables.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { DisputeRow } from '../../../platform/db/disputeTables.ts';
import type { MailRow } from '../../../platform/db/mailTables.ts';
import type { RefundRow, TransactionRow } from '../../../platform/db/moneyTables.ts';
import type { OutboxRow } from '../../../platform/db/outboxTables.ts';
import type { BookingState } from '../../../records/bookings/rules.ts';
import { selectBooking } from '../../../records/bookings/store.ts';
import {
  type AuditRow,
  type OpenDelivery,
  selectSources,
  type TimelineEvent,
} from './timelineStore.ts';
import { boundsOf, type TimelineView, WHOLE_TIMELINE } from './timelineView.ts';

/** All that the console shows of a booking. */
export interface BookingFile {
  readonly state: BookingState;
  readonly balance: BookingBalance;
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly DisputeRow[];
  /** The cards of the booking, and those that its payments used. */
  readonly cards: readonly CardRow[];
  /** What the shown part of the timeline is made from, the latest first. */
  readonly view: TimelineView;
  readonly changes: readonly AuditRow[];
  readonly messages: readonly OutboxRow[];
  readonly mails: readonly MailRow[];
  readonly events: readonly TimelineEvent[];
  /** Of the events, what was not delivered. */
  readonly deliveries: readonly OpenDelivery[];
  /** The names of people of the staff, by the actor in the audit trail. */
  readonly names: ReadonlyMap<string, string>;
}

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
    [open],
    changes,
    messages,
    mails,
    events,
    deliveries,
    people,
  ] = await database.batch('d1.console.read', [
    ...selectBooking(queries, propertyId, reference),
    selectTransactions(queries, propertyId, reference),
    selectTransactionCards(queries, propertyId, reference),
    selectRefunds(queries, propertyId, reference),
    selectDisputesOfBooking(queries, propertyId, reference),
    ...selectSums(queries, name),
    ...selectSources(queries, name, boundsOf(view)),
  ]);
  if (!property || !booking) return null;
  const none = { scheduledMinor: 0, uncertainMinor: 0, heldMinor: 0 };
  return {
    state: { property, booking, cards: attached },
    balance: bookingBalance(booking.totalCostMinor, totals, open ?? none),
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
