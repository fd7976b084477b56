import type { z } from '@hono/zod-openapi';
import { and, desc, eq, gte, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { MINUTE_MS, offsetTimestamp } from '../../core/time.ts';
import { type Database, queries } from '../../platform/db/database.ts';
import {
  type Filter,
  foundByEach,
  isBetween,
  pageFound,
  waysToFind,
} from '../../platform/db/narrow.ts';
import { comesAfter, type Page, type Part, shownPage, type Way } from '../../platform/db/page.ts';
import { type Placeholders, preparedList } from '../../platform/db/prepared.ts';
import { shownTime } from '../../platform/views.ts';
import { type BookingRow, bookings } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { shownCardColumns } from '../cards/views.ts';
import { selectProperty } from '../properties/store.ts';
import { wordsOfLastName } from './rules/searchWords.ts';
import type { BookingFilter } from './store.ts';
import {
  type ShownBooking,
  savedBookingSchema,
  savedBookingView,
  shownBookingColumns,
} from './views.ts';

/** A booking in the list of a property's bookings (interface: List bookings). */
export const listedBookingSchema = savedBookingSchema
  .extend({
    createdAt: shownTime.describe('when it was made'),
    changedAt: shownTime.describe('when it, or its card, changed last'),
  })
  .openapi('ListedBooking');

/** Lists a property's bookings, the newest first (interface: List bookings). One round trip. */
export async function listBookings(
  database: Database,
  propertyId: string,
  filter: BookingFilter,
  part: Part,
): Promise<Page<z.infer<typeof listedBookingSchema>>> {
  const [[property], ...found] = await database.batch('d1.booking.read', [
    selectProperty(propertyId),
    ...selectListedBookings(propertyId, filter, part),
  ]);
  if (!property) return { rows: [], next: null };
  const page = pageFound<ListedBooking>(found, part.limit, (row) => [
    row.createdAtMs,
    row.reference,
  ]);
  return shownPage(page, ({ card, ...booking }) =>
    listedBookingView({ property, booking, cards: card ? [card] : [] }),
  );
}

/** A booking with when it was made and changed. */
interface DatedBooking extends ShownBooking {
  readonly property: ShownBooking['property'] & Pick<PropertyRow, 'timeZone'>;
  readonly booking: ShownBooking['booking'] & Pick<BookingRow, 'createdAtMs' | 'updatedAtMs'>;
}

export function listedBookingView(state: DatedBooking): z.infer<typeof listedBookingSchema> {
  const { booking, property } = state;
  return {
    ...savedBookingView(state),
    createdAt: offsetTimestamp(booking.createdAtMs, property.timeZone),
    changedAt: offsetTimestamp(booking.updatedAtMs, property.timeZone),
  };
}

type ListedBooking = ReturnType<typeof selectListed>['_']['result'][number];

/** Which bookings a page has: the filters, and the words that find the last name, if there are any. */
interface Asked extends BookingFilter {
  readonly propertyId: string;
  readonly word?: string | undefined;
  readonly fromItsEnd?: string | undefined;
}

/** The statements that find a property's bookings with the card in use, newest first. */
export function selectListedBookings(
  propertyId: string,
  { arrivalFrom, arrivalTo, changedSinceMs, email, lastName, status }: BookingFilter,
  part: Part,
) {
  const filter = { arrivalFrom, arrivalTo, changedSinceMs, email, lastName, status };
  const [word, fromItsEnd] = wordsOfLastName(lastName ?? '');
  return selectPage({ ...filter, propertyId, word, fromItsEnd }, part);
}

const selectPage = preparedList<Asked>()((asked, part) => {
  const { arrival, createdAtMs, email, reference, status } = bookings;
  const own = eq(bookings.propertyId, asked.propertyId);
  const columns = [createdAtMs, reference] as const;
  const list = { table: bookings, columns, order: 'descending', own, place: own } as const;
  const filters = [
    ...foundByEach(list, [
      asked.email && sql`lower(${email}) = lower(${asked.email})`,
      isBetween(arrival, asked.arrivalFrom, asked.arrivalTo),
    ]),
    asked.lastName && ofLastName(asked),
    asked.changedSinceMs && changedSince(own, asked.changedSinceMs),
    asked.status && { rows: eq(status, asked.status) },
  ].flatMap((filter) => filter ?? []);
  return waysToFind(list, filters, part, (way) => selectListed(way));
});

function selectListed({ after, how, most, where }: Way) {
  const { createdAtMs, reference } = bookings;
  const created = how === 'by key' ? sql`+${createdAtMs}` : sql`${createdAtMs}`;
  return (
    queries
      // A batch returns columns by name only: the two tables' columns need different names.
      .select({
        ...shownBookingColumns,
        createdAtMs,
        updatedAtMs: bookings.updatedAtMs,
        card: shownCardColumns,
      })
      .from(bookings)
      .leftJoin(cards, eq(cards.token, bookings.cardToken))
      .where(and(where, comesAfter('descending', [created, reference], after)))
      .orderBy(desc(created), desc(reference))
      .limit(most)
  );
}

/** The bookings of a last name, by the words that find them. */
function ofLastName({ fromItsEnd, lastName, propertyId, word }: Placeholders<Asked>): Filter {
  const rows = sql`lower(${bookings.lastName}) = lower(${lastName})`;
  if (!word) return { rows };
  const keys = sql`SELECT booking_reference FROM booking_words WHERE property_id = ${propertyId} AND word IN (${word}, ${fromItsEnd})`;
  return { rows, keys };
}

/** What was made or changed since a time, each by its index. The literal is the condition of one. */
function changedSince(ofProperty: SQL, sinceMs: Placeholder): Filter {
  const { createdAtMs, reference, updatedAtMs } = bookings;
  const rows = gte(updatedAtMs, sinceMs);
  const keys = sql`SELECT * FROM (
    SELECT ${reference} FROM ${bookings}
      WHERE ${ofProperty} AND ${createdAtMs} >= ${sinceMs} - ${MINUTE_MS} AND ${rows}
    UNION ALL SELECT ${reference} FROM ${bookings}
      WHERE ${ofProperty} AND ${updatedAtMs} > ${createdAtMs} + 60000 AND ${rows})`;
  return { rows, keys };
}
