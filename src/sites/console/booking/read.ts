import { and, desc, eq, inArray } from 'drizzle-orm';
import {
  type BookingBalance,
  bookingBalance,
  selectSums,
} from '../../../money/balance/bookingBalance.ts';
import { selectDisputesOfBooking } from '../../../money/disputes/store.ts';
import { selectTransactionCards, selectTransactions } from '../../../money/payments/store.ts';
import { selectRefunds } from '../../../money/refunds/store.ts';
import type { CardRow } from '../../../platform/db/cardTables.ts';
import type { Database, Queries } from '../../../platform/db/database.ts';
import type { DisputeRow } from '../../../platform/db/disputeTables.ts';
import type { RefundRow, TransactionRow } from '../../../platform/db/moneyTables.ts';
import { type OutboxRow, outbox } from '../../../platform/db/outboxTables.ts';
import { audit } from '../../../platform/db/recordTables.ts';
import { users } from '../../../platform/db/staffTables.ts';
import type { BookingState } from '../../../records/bookings/rules.ts';
import { selectBooking } from '../../../records/bookings/store.ts';

/** How many changes and messages of a booking are shown: the latest ones. */
const MOST_CHANGES = 300;
const MOST_MESSAGES = 100;

export type AuditRow = typeof audit.$inferSelect;

/** All that the console shows of a booking. */
export interface BookingFile {
  readonly state: BookingState;
  readonly balance: BookingBalance;
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly DisputeRow[];
  /** The cards of the booking, and those that its payments used. */
  readonly cards: readonly CardRow[];
  /** The latest first. */
  readonly changes: readonly AuditRow[];
  readonly messages: readonly OutboxRow[];
  /** The names of people of the staff, by the actor in the audit trail. */
  readonly names: ReadonlyMap<string, string>;
}

/** Reads a booking's file; null if the booking does not exist. One round trip. */
export async function readBookingFile(
  database: Database,
  propertyId: string,
  reference: string,
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
    people,
  ] = await database.batch('d1.console.read', [
    ...selectBooking(queries, propertyId, reference),
    selectTransactions(queries, propertyId, reference),
    selectTransactionCards(queries, propertyId, reference),
    selectRefunds(queries, propertyId, reference),
    selectDisputesOfBooking(queries, propertyId, reference),
    ...selectSums(queries, name),
    selectChanges(queries, propertyId, reference),
    selectMessages(queries, propertyId, reference),
    selectPeople(queries, propertyId, reference),
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
    changes,
    messages,
    names: new Map(people.map(({ id, name: called }) => [id, called])),
  };
}

function selectChanges(queries: Queries, propertyId: string, reference: string) {
  return queries
    .select()
    .from(audit)
    .where(and(eq(audit.propertyId, propertyId), eq(audit.bookingReference, reference)))
    .orderBy(desc(audit.id))
    .limit(MOST_CHANGES);
}

function selectMessages(queries: Queries, propertyId: string, reference: string) {
  return queries
    .select()
    .from(outbox)
    .where(and(eq(outbox.propertyId, propertyId), eq(outbox.bookingReference, reference)))
    .orderBy(desc(outbox.number))
    .limit(MOST_MESSAGES);
}

/** Selects the names of those people of the staff who changed something of a booking. */
function selectPeople(queries: Queries, propertyId: string, reference: string) {
  const actors = queries
    .select({ actor: audit.actor })
    .from(audit)
    .where(and(eq(audit.propertyId, propertyId), eq(audit.bookingReference, reference)));
  return queries
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, actors));
}
