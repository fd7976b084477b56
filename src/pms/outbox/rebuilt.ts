import { inArray, type SQL, sql } from 'drizzle-orm';
import { pick } from '../../core/pick.ts';
import { queries } from '../../platform/db/database.ts';
import { type BookingRow, bookings } from '../../schema/bookingTables.ts';
import { type CardRow, cards } from '../../schema/cardTables.ts';
import { type HistoryRow, history } from '../../schema/historyTables.ts';
import {
  type RefundRow,
  refunds,
  type TransactionRow,
  transactions,
} from '../../schema/moneyTables.ts';
import type { OutboxRow } from '../../schema/outboxTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { type MoneyOf, type PmsMessage, paymentMessage, refundMessage } from '../rules/messages.ts';
import { packedPayload } from './payloads.ts';

/** What is read of an entry that names a message about money. */
const ENTRY = pick(
  history,
  'propertyId',
  'bookingReference',
  'atMs',
  'subjectId',
  'messageId',
  'chargeId',
  'movement',
  'amountMinor',
  'feeMinor',
);

type ToldEntry = Pick<HistoryRow, keyof typeof ENTRY>;

/** What messages about money follow from: entries of the history, and the records that these name. */
export type Sources = readonly [
  entries: readonly ToldEntry[],
  charges: readonly TransactionRow[],
  refunds: readonly RefundRow[],
  cards: readonly Pick<CardRow, 'token' | 'brand' | 'last4'>[],
  bookings: readonly Pick<BookingRow, 'reference' | 'source'>[],
];

/** The movements whose messages can be made again. A correction's cannot. */
const TOLD: readonly HistoryRow['movement'][] = ['charge', 'capture', 'refund'];

/** Whether the message of a movement can be made again. */
export function isRebuilt(movement: HistoryRow['movement']): boolean {
  return TOLD.includes(movement);
}

/** Selects the {@link Sources} of the messages that some entries name. `named` is `FROM … history AS entry … WHERE …`. */
export function selectSources(named: SQL) {
  const told = sql`${named} AND entry.message_id IS NOT NULL AND entry.movement IN (${sql.raw(TOLD.map((movement) => `'${movement}'`).join(', '))})`;
  const charges = sql`(SELECT entry.charge_id ${told})`;
  return [
    queries
      .select(ENTRY)
      .from(history)
      .where(
        sql`(property_id, booking_reference, sequence) IN (SELECT entry.property_id, entry.booking_reference, entry.sequence ${told})`,
      ),
    queries.select().from(transactions).where(inArray(transactions.id, charges)),
    queries
      .select()
      .from(refunds)
      .where(
        sql`${refunds.id} IN (SELECT CAST(entry.subject_id AS INTEGER) ${told} AND entry.movement = 'refund')`,
      ),
    queries
      .select()
      .from(cards)
      .where(sql`${cards.token} IN (SELECT card_token FROM transactions WHERE id IN ${charges})`),
    queries
      .select(pick(bookings, 'reference', 'source'))
      .from(bookings)
      .where(
        sql`(property_id, reference) IN (SELECT entry.property_id, entry.booking_reference ${told})`,
      ),
  ] as const;
}

/** The entries of some bookings whose messages were let go of, for {@link selectSources}. */
export function letGoOf(propertyId: string, references: readonly string[]): SQL {
  return sql`FROM json_each(${JSON.stringify(references)}) AS one CROSS JOIN history AS entry WHERE entry.property_id = ${propertyId} AND entry.booking_reference = one.value AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.message_id = entry.message_id)`;
}

/** Makes the messages about money again that entries name, as they were once confirmed. */
export function rebuiltMessages(
  property: PropertyRow,
  [entries, charges, ofRefunds, ofCards, ofBookings]: Sources,
): OutboxRow[] {
  return entries.flatMap((entry) => {
    const charge = charges.find(({ id }) => id === entry.chargeId);
    const booking = ofBookings.find(({ reference }) => reference === entry.bookingReference);
    if (!charge || !booking) return [];
    const card = ofCards.find(({ token }) => token === charge.cardToken) ?? null;
    const refund = ofRefunds.find(({ id }) => String(id) === entry.subjectId);
    const message = messageOf({ property, booking, card }, entry, charge, refund);
    return message ? [confirmed(entry, message)] : [];
  });
}

function messageOf(
  of: MoneyOf,
  { amountMinor, feeMinor, movement }: ToldEntry,
  charge: TransactionRow,
  refund: RefundRow | undefined,
): PmsMessage | null {
  if (movement === 'refund') return refund ? refundMessage(of, refund, charge.gateway) : null;
  // As it was taken: a later correction has a message of its own.
  const fees = feeMinor ?? 0;
  return paymentMessage(of, {
    ...charge,
    requestedMinor: (amountMinor ?? 0) - fees,
    cardFeeMinor: fees - charge.transactionFeeMinor,
  });
}

function confirmed(
  { atMs, bookingReference, messageId, propertyId }: ToldEntry,
  { payload, type }: PmsMessage,
): OutboxRow {
  const row = { propertyId, bookingReference, createdAtMs: atMs };
  return {
    ...row,
    messageId: messageId ?? '',
    messageType: type,
    payload: packedPayload(payload, row),
    status: 'Confirmed',
    attempts: 1,
    refusals: 0,
    answeredAtMs: null,
    dueAtMs: null,
    lastError: null,
    completedAtMs: atMs,
  };
}
