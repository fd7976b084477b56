import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../core/time.ts';
import { type Database, queries } from '../platform/db/database.ts';
import { PROMPT_MS } from '../records/history/rules/entry.ts';
import { NO_BOOKING } from '../records/history/store.ts';
import type { Movement } from '../schema/historyTables.ts';
import { type BookedEntry, linesOf } from './rules/ledgerLines.ts';
import type { Cursor, Page, PageRow, Source } from './rules/pages.ts';

/** The most entries of a page. */
const MOST_ENTRIES = 500;

/** Entries that were recorded promptly are found by when they occurred; then come the others, by when they were recorded. */
export const parts = [
  { at: sql`row.occurred_at_ms`, is: sql`row.recorded_at_ms IS NULL`, slackMs: PROMPT_MS },
  { at: sql`row.recorded_at_ms`, is: sql`row.recorded_at_ms IS NOT NULL`, slackMs: 0 },
] as const;

/**
 * Reads a page of the entries that move money and were recorded on the run's day before it began, by property. A
 * position is the part, and in it the property, the instant, the booking and the sequence. One round trip.
 */
export async function readEntries(
  database: Database,
  source: Source,
  cursor: Cursor,
): Promise<Page> {
  const [place = 0, ...after] = cursor;
  const part = parts[Number(place)];
  if (!part) throw new Error('the ledger has no such part');
  const [entries] = await database.batch('d1.export.page', [selectEntries(source, part, after)]);
  const rows = entries.map((entry): PageRow => {
    const { bookingReference, foundAtMs, propertyId, sequence } = entry;
    const lines = linesOf({ ...entry, before: sumsBefore(entry) });
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const key = [place, propertyId, foundAtMs, bookingReference, sequence];
    return { cursor: key, customerId: null, lines: lines.length, head: null, text };
  });
  const last = rows.length === MOST_ENTRIES ? rows.at(-1) : undefined;
  const following = Number(place) + 1;
  const next = last?.cursor ?? (following < parts.length ? [following] : null);
  // How many there are is not known before they are read.
  return { rows: rows.filter(({ lines }) => lines > 0), next, fractionRead: 0 };
}

type LedgerPart = (typeof parts)[number];

type EntryRow = ReturnType<typeof selectEntries>['_']['result'][number];

function sumsBefore(row: EntryRow): BookedEntry['before'] {
  return {
    takenMinor: row.takenBefore,
    feeMinor: row.feeBefore,
    refundedMinor: row.refundedBefore,
    disputedMinor: row.disputedBefore,
    waivedMinor: 0,
  };
}

/** The keys of a page's entries, in their order. The cross join keeps the properties first: each is looked up by an index. */
function entriesOf(
  { date, portfolio, startedAtMs }: Source,
  { at, is, slackMs }: LedgerPart,
  [property = '', atMs = 0, booking = '', sequence = 0]: Cursor,
): SQL {
  const fromMs = Date.parse(date);
  const beforeMs = Math.min(fromMs + DAY_MS, startedAtMs + 1);
  const recordedAt = sql`coalesce(row.recorded_at_ms, row.at_ms)`;
  return sql`SELECT row.property_id, row.booking_reference, row.sequence, ${at} AS found_at_ms, property.time_zone
    FROM properties AS property
    CROSS JOIN history AS row ON row.property_id = property.id AND row.movement IS NOT NULL AND ${is}
      AND ${at} >= CASE WHEN property.id = ${property} THEN ${atMs} ELSE ${fromMs - slackMs} END AND ${at} < ${beforeMs + slackMs}
    WHERE property.id >= ${property} AND property.portfolio = ${portfolio}
      AND property.id NOT IN (SELECT property_id FROM moving_properties WHERE state IN ('arriving', 'left'))
      AND ${recordedAt} >= ${fromMs} AND ${recordedAt} < ${beforeMs}
      AND (row.property_id, ${at}, row.booking_reference, row.sequence) > (${property}, ${atMs}, ${booking}, ${sequence})
    ORDER BY property.id, ${at}, row.booking_reference, row.sequence LIMIT ${MOST_ENTRIES}`;
}

/**
 * The sums of each charge before each of its movements, for the bookings of a page. Each booking's history is read once,
 * however much of it is in the page.
 */
const earlierSums = sql`SELECT entry.property_id, entry.booking_reference, entry.sequence,
    ${earlier(['charge', 'capture', 'correction'], sql`entry.amount_minor`)} AS taken_minor,
    ${earlier(['charge', 'capture', 'correction'], sql`entry.fee_minor`)} AS fee_minor,
    ${earlier(['refund', 'reversal'], sql`-entry.amount_minor`)} AS refunded_minor,
    ${earlier(['chargeback', 'chargeback_reversal'], sql`-entry.amount_minor`)} AS disputed_minor
  FROM (SELECT DISTINCT property_id, booking_reference FROM page WHERE booking_reference <> ${NO_BOOKING}) AS named
  CROSS JOIN history AS entry ON entry.property_id = named.property_id
    AND entry.booking_reference = named.booking_reference AND entry.movement IS NOT NULL
  WINDOW earlier AS (PARTITION BY entry.property_id, entry.booking_reference, entry.charge_id
    ORDER BY entry.sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;

function earlier(kinds: readonly Movement[], minor: SQL): SQL {
  const named = sql.raw(kinds.map((kind) => `'${kind}'`).join(', '));
  return sql`coalesce(sum(CASE WHEN entry.movement IN (${named}) THEN ${minor} END) OVER earlier, 0)`;
}

/** Selects the entries of a page, each with the sums of its charge before it. */
export function selectEntries(source: Source, part: LedgerPart, after: Cursor) {
  return queries
    .select({
      propertyId: sql<string>`page.property_id`.as('property_id'),
      bookingReference: sql<string>`page.booking_reference`.as('booking_reference'),
      sequence: sql<number>`page.sequence`.as('sequence'),
      foundAtMs: sql<number>`page.found_at_ms`.as('found_at_ms'),
      timeZone: sql<string>`page.time_zone`.as('time_zone'),
      atMs: sql<number>`entry.at_ms`.as('at_ms'),
      recordedAtMs: sql<number>`coalesce(entry.recorded_at_ms, entry.at_ms)`.as('recorded_at_ms'),
      subjectKind: sql<BookedEntry['subjectKind']>`entry.subject_kind`.as('subject_kind'),
      subjectId: sql<string>`entry.subject_id`.as('subject_id'),
      kind: sql<BookedEntry['kind']>`entry.movement`.as('movement'),
      currency: sql<string>`entry.currency`.as('currency'),
      amountMinor: sql<number>`entry.amount_minor`.as('amount_minor'),
      feeMinor: sql<number>`entry.fee_minor`.as('fee_minor'),
      chargeId: sql<number | null>`entry.charge_id`.as('charge_id'),
      purpose: sql<BookedEntry['purpose']>`charge.purpose`.as('purpose'),
      takenBefore: sql<number>`coalesce(page.taken_minor, 0)`.as('taken_before'),
      feeBefore: sql<number>`coalesce(page.fee_minor, 0)`.as('fee_before'),
      refundedBefore: sql<number>`coalesce(page.refunded_minor, 0)`.as('refunded_before'),
      disputedBefore: sql<number>`coalesce(page.disputed_minor, 0)`.as('disputed_before'),
    })
    .from(
      sql`(WITH page AS MATERIALIZED (${entriesOf(source, part, after)}), sums AS MATERIALIZED (${earlierSums})
        SELECT page.*, sums.taken_minor, sums.fee_minor, sums.refunded_minor, sums.disputed_minor FROM page LEFT JOIN sums
          ON sums.property_id = page.property_id AND sums.booking_reference = page.booking_reference AND sums.sequence = page.sequence) AS page
        CROSS JOIN history AS entry ON entry.property_id = page.property_id
          AND entry.booking_reference = page.booking_reference AND entry.sequence = page.sequence
        LEFT JOIN transactions AS charge ON charge.id = entry.charge_id`,
    )
    .orderBy(sql`page.property_id, page.found_at_ms, page.booking_reference, page.sequence`);
}
