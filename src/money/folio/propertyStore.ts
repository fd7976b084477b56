import { and, asc, desc, eq, inArray, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { SECOND_MS } from '../../core/time.ts';
import { EARLIEST_DISPUTE } from '../../operation/shownStore.ts';
import { queries } from '../../platform/db/database.ts';
import { listed } from '../../platform/db/listed.ts';
import { type Filter, waysToFind } from '../../platform/db/narrow.ts';
import { comesAfter, type Part, type Way } from '../../platform/db/page.ts';
import { type Placeholders, preparedList } from '../../platform/db/prepared.ts';
import type { PaymentFilter } from '../../records/archive/store.ts';
import { cards } from '../../schema/cardTables.ts';
import { disputes } from '../../schema/disputeTables.ts';
import { refunds, type TransactionRow, transactions } from '../../schema/moneyTables.ts';
import { CARD_NOW, cardColumns, shownColumns } from '../payments/store.ts';
import { shownRefundColumns } from '../refunds/store.ts';

/** Changes within this time after the creation are found by the creation: the index of later ones leaves them out. */
const AT_ONCE_MS = 60 * SECOND_MS;

/**
 * A charge whose outcome is awaited has its first status check within a minute; after that, the index of unknown
 * outcomes has it.
 */
const FIRST_CHECK_MS = 600 * SECOND_MS;

/** Which transactions a page has. A status has the name of what finds it: indexes have the rarer ones, and those under way. */
interface Asked extends Omit<PaymentFilter, 'status'> {
  readonly propertyId: string;
  readonly nowMs: number;
  readonly rare?: TransactionRow['status'];
  readonly underWay?: TransactionRow['status'];
  readonly accepted?: TransactionRow['status'];
}

/** The statements that find a property's transactions, each with its card, newest first. */
export function selectOfProperty(
  propertyId: string,
  { beforeMs, changedSinceMs, fromMs, purpose, status }: PaymentFilter,
  { nowMs, ...part }: Part & { readonly nowMs: number },
) {
  const by = status === 'Processing' ? 'underWay' : status === 'Accepted' ? 'accepted' : 'rare';
  const filter = { beforeMs, changedSinceMs, fromMs, purpose, [by]: status };
  return selectPage({ ...filter, propertyId, nowMs }, part);
}

const selectPage = preparedList<Asked>()((asked, part) => {
  const { createdAtMs, id, propertyId, purpose, status } = transactions;
  const own = and(eq(propertyId, asked.propertyId), isRare(asked)) as SQL;
  const span = { from: asked.fromMs, before: asked.beforeMs };
  const columns = [createdAtMs, id] as const;
  const list = { table: transactions, columns, order: 'descending', own, span } as const;
  const filters = [
    asked.changedSinceMs && changedSince(asked.propertyId, asked.changedSinceMs, asked.nowMs),
    asked.underWay && isUnderWay(asked.propertyId, asked.nowMs),
    asked.accepted && { rows: eq(status, asked.accepted) },
    asked.purpose && { rows: eq(purpose, asked.purpose) },
  ].flatMap((filter) => filter ?? []);
  return waysToFind(list, filters, part, (way) => selectRows(way));
});

/** What an index of the rarer states has in the order of the list. The literals are its condition. */
function isRare({ rare }: Placeholders<Asked>): SQL | undefined {
  const { status } = transactions;
  return rare && sql`${status} NOT IN ('Processing', 'Accepted') AND ${eq(status, rare)}`;
}

function selectRows({ after, how, most, where }: Way) {
  const { createdAtMs, id } = transactions;
  const created = how === 'by key' ? sql`+${createdAtMs}` : sql`${createdAtMs}`;
  return (
    queries
      // A batch returns columns by name only: the two tables' columns need different names.
      .select({ transaction: shownColumns, card: cardColumns })
      .from(transactions)
      .leftJoin(cards, eq(cards.token, CARD_NOW))
      .where(and(where, comesAfter('descending', [created, id], after)))
      .orderBy(desc(created), desc(id))
      .limit(most)
  );
}

export type FoundTransaction = ReturnType<typeof selectRows>['_']['result'][number];

/** The transactions whose outcome is not known, or being asked for. */
function isUnderWay(propertyId: Placeholder, nowMs: Placeholder): Filter {
  const rows = eq(transactions.status, 'Processing');
  return { rows, keys: sql`SELECT * FROM (${underWay(propertyId, nowMs)})` };
}

function underWay(propertyId: Placeholder, nowMs: Placeholder): SQL {
  const { bankAskedAtMs, dueAtMs, id, status, statusChecks } = transactions;
  return sql`SELECT ${id} FROM ${transactions} WHERE ${status} = 'Processing' AND ${statusChecks} > 0
    UNION ALL SELECT ${id} FROM ${transactions} WHERE ${dueAtMs} < ${nowMs} + ${FIRST_CHECK_MS}
    UNION ALL SELECT ${id} FROM ${transactions} INDEXED BY transactions_at_bank
      WHERE ${transactions.propertyId} = ${propertyId} AND ${status} = 'Processing' AND ${bankAskedAtMs} IS NOT NULL`;
}

/** What was created or changed since a time, or whose refund or dispute was: each by its index. */
function changedSince(propertyId: Placeholder, sinceMs: Placeholder, nowMs: Placeholder): Filter {
  const { bookingReference, changedAtMs, createdAtMs, id, status } = transactions;
  const ofProperty = eq(transactions.propertyId, propertyId);
  const hasChanged = sql`coalesce(${changedAtMs}, ${createdAtMs}) >= ${sinceMs}`;
  // The literals are the condition of the index, which leaves out what is under way.
  const keys = sql`SELECT * FROM (
    SELECT ${id} FROM ${transactions}
      WHERE ${ofProperty} AND ${createdAtMs} >= ${sinceMs} - ${AT_ONCE_MS} AND ${hasChanged}
    UNION ALL SELECT ${id} FROM ${transactions}
      WHERE ${ofProperty} AND ${changedAtMs} > ${createdAtMs} + 60000 AND ${status} <> 'Processing'
        AND ${changedAtMs} >= ${sinceMs}
    UNION ALL SELECT changing.id FROM transactions AS changing WHERE changing.id IN (${underWay(propertyId, nowMs)})
      AND changing.status = 'Processing' AND changing.changed_at_ms >= ${sinceMs}
    UNION ALL SELECT ${refunds.transactionId} FROM ${refunds}
      WHERE ${eq(refunds.propertyId, propertyId)} AND ${refunds.learntAtMs} >= ${sinceMs}
    UNION ALL SELECT ${disputes.transactionId} FROM ${disputes}
      WHERE ${eq(disputes.propertyId, propertyId)} AND ${disputes.learntAtMs} >= ${sinceMs})`;
  const has = (table: typeof refunds | typeof disputes) =>
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.propertyId} = ${transactions.propertyId} AND ${table.bookingReference} = ${bookingReference} AND ${table.transactionId} = ${id} AND ${table.learntAtMs} >= ${sinceMs})`;
  return { rows: sql`(${hasChanged} OR ${has(refunds)} OR ${has(disputes)})`, keys };
}

/** Selects what lists show of the refunds of some bookings, oldest first. */
export function selectRefundsOf(propertyId: string, references: readonly string[]) {
  return queries
    .select(shownRefundColumns)
    .from(refunds)
    .where(
      and(
        eq(refunds.propertyId, propertyId),
        inArray(refunds.bookingReference, listed(references)),
      ),
    )
    .orderBy(asc(refunds.id));
}

/** Selects the disputes of some bookings, the earliest first. */
export function selectDisputesOf(propertyId: string, references: readonly string[]) {
  const ids = queries
    .select({ id: disputes.id })
    .from(disputes)
    .where(
      and(
        eq(disputes.propertyId, propertyId),
        inArray(disputes.bookingReference, listed(references)),
      ),
    );
  return queries
    .select()
    .from(disputes)
    .where(and(eq(disputes.propertyId, propertyId), inArray(disputes.id, ids)))
    .orderBy(...EARLIEST_DISPUTE);
}
