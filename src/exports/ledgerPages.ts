import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../core/time.ts';
import { type Database, queries } from '../platform/db/database.ts';
import { EARLIER, EARLIER_SUMS } from '../records/history/earlierSums.ts';
import { PROMPT_MS } from '../records/history/rules/entry.ts';
import { NO_BOOKING } from '../records/history/store.ts';
import { isOfPortfolio } from './portfolio.ts';
import { type BookedEntry, linesOf } from './rules/ledgerLines.ts';
import type { Cursor, Page, PageRow, Source } from './rules/pages.ts';

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
    const before = {
      takenMinor: entry.takenBefore,
      feeMinor: entry.feeBefore,
      refundedMinor: entry.refundedBefore,
      disputedMinor: entry.disputedBefore,
      waivedMinor: 0,
    };
    const lines = linesOf({ ...entry, before });
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

/** What of a property's movements (`row`) a page has after a position: the condition for a join with its property. */
function isInPage(
  { date, portfolio, startedAtMs }: Source,
  { at, is, slackMs }: LedgerPart,
  [property = '', atMs = 0, booking = '', sequence = 0]: Cursor,
): SQL {
  const fromMs = Date.parse(date);
  const beforeMs = Math.min(fromMs + DAY_MS, startedAtMs + 1);
  const recordedAt = sql`coalesce(row.recorded_at_ms, row.at_ms)`;
  return sql`row.property_id = property.id AND row.movement IS NOT NULL AND ${is}
      AND ${at} >= CASE WHEN property.id = ${property} THEN ${atMs} ELSE ${fromMs - slackMs} END AND ${at} < ${beforeMs + slackMs}
    WHERE property.id >= ${property} AND ${isOfPortfolio(portfolio)}
      AND ${recordedAt} >= ${fromMs} AND ${recordedAt} < ${beforeMs}
      AND (row.property_id, ${at}, row.booking_reference, row.sequence) > (${property}, ${atMs}, ${booking}, ${sequence})
    ORDER BY property.id, ${at}, row.booking_reference, row.sequence LIMIT ${MOST_ENTRIES}`;
}

/**
 * The sums of each charge before each of its movements, for the bookings of a page. Each booking's history is read once,
 * however much of it is in the page.
 */
const sumsOfPage = sql`SELECT entry.property_id, entry.booking_reference, entry.sequence, ${EARLIER_SUMS}
  FROM (SELECT DISTINCT property_id, booking_reference FROM page WHERE booking_reference <> ${NO_BOOKING}) AS named
  CROSS JOIN history AS entry ON entry.property_id = named.property_id
    AND entry.booking_reference = named.booking_reference AND entry.movement IS NOT NULL
  ${EARLIER}`;

const READ = [
  'property_id',
  'booking_reference',
  'sequence',
  'at_ms',
  'recorded_at_ms',
  'subject_kind',
  'subject_id',
  'movement',
  'currency',
  'amount_minor',
  'fee_minor',
  'charge_id',
];

/** What is read of a movement, from the history and from what is kept of archived bookings alike. */
function readOf(table: 'entry' | 'kept'): SQL {
  return sql.raw(READ.map((name) => `${table}.${name}`).join(', '));
}

/** Selects the entries of a page, each with the sums of its charge before it. A movement is either in the history or kept. */
export function selectEntries(source: Source, part: LedgerPart, after: Cursor) {
  const isHere = isInPage(source, part, after);
  const inHistory = sql`WITH page AS MATERIALIZED (SELECT row.property_id, row.booking_reference, row.sequence,
      ${part.at} AS found_at_ms, property.time_zone FROM properties AS property CROSS JOIN history AS row ON ${isHere}),
    sums AS MATERIALIZED (${sumsOfPage})
    SELECT ${readOf('entry')}, page.found_at_ms, page.time_zone, charge.purpose, coalesce(sums.taken_before, 0) AS taken_before,
      coalesce(sums.fee_before, 0) AS fee_before, coalesce(sums.refunded_before, 0) AS refunded_before,
      coalesce(sums.disputed_before, 0) AS disputed_before
    FROM page LEFT JOIN sums
      ON sums.property_id = page.property_id AND sums.booking_reference = page.booking_reference AND sums.sequence = page.sequence
    CROSS JOIN history AS entry ON entry.property_id = page.property_id
      AND entry.booking_reference = page.booking_reference AND entry.sequence = page.sequence
    LEFT JOIN transactions AS charge ON charge.id = entry.charge_id`;
  const kept = sql`SELECT ${readOf('kept')}, kept.found_at_ms, kept.time_zone, kept.purpose, kept.taken_before, kept.fee_before,
      kept.refunded_before, kept.disputed_before
    FROM (SELECT row.*, ${part.at} AS found_at_ms, property.time_zone
      FROM properties AS property CROSS JOIN archived_movements AS row ON ${isHere}) AS kept`;
  return queries
    .select({
      propertyId: sql<string>`found.property_id`.as('property_id'),
      bookingReference: sql<string>`found.booking_reference`.as('booking_reference'),
      sequence: sql<number>`found.sequence`.as('sequence'),
      foundAtMs: sql<number>`found.found_at_ms`.as('found_at_ms'),
      timeZone: sql<string>`found.time_zone`.as('time_zone'),
      atMs: sql<number>`found.at_ms`.as('at_ms'),
      recordedAtMs: sql<number>`coalesce(found.recorded_at_ms, found.at_ms)`.as('recorded_at_ms'),
      subjectKind: sql<BookedEntry['subjectKind']>`found.subject_kind`.as('subject_kind'),
      subjectId: sql<string>`found.subject_id`.as('subject_id'),
      kind: sql<BookedEntry['kind']>`found.movement`.as('movement'),
      currency: sql<string>`found.currency`.as('currency'),
      amountMinor: sql<number>`found.amount_minor`.as('amount_minor'),
      feeMinor: sql<number>`found.fee_minor`.as('fee_minor'),
      chargeId: sql<number | null>`found.charge_id`.as('charge_id'),
      purpose: sql<BookedEntry['purpose']>`found.purpose`.as('purpose'),
      takenBefore: sql<number>`found.taken_before`.as('taken_before'),
      feeBefore: sql<number>`found.fee_before`.as('fee_before'),
      refundedBefore: sql<number>`found.refunded_before`.as('refunded_before'),
      disputedBefore: sql<number>`found.disputed_before`.as('disputed_before'),
    })
    .from(sql`(SELECT * FROM (${inHistory}) UNION ALL SELECT * FROM (${kept})) AS found`)
    .orderBy(sql`found.property_id, found.found_at_ms, found.booking_reference, found.sequence`)
    .limit(MOST_ENTRIES);
}
