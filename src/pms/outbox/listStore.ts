import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { type Filter, waysToFind } from '../../platform/db/narrow.ts';
import { type Part, pagesOf } from '../../platform/db/page.ts';
import { type OutboxRow, outbox } from '../../schema/outboxTables.ts';
import { namedInHistory } from './store.ts';

/** A literal, because SQLite cannot match a bound value with the partial indexes of dead messages. */
const isDead = sql`${outbox.status} = 'Dead'`;

export interface ListOf {
  readonly property?: string | undefined;
  readonly reference?: string | undefined;
  readonly status?: OutboxRow['status'] | undefined;
}

const pages = pagesOf(outbox, 'ascending', ['messageId']);

/** The statements that find messages, oldest first. */
export function selectList(of: ListOf, part: Part) {
  const { property, reference, status } = of;
  const isOfProperty = property === undefined ? undefined : eq(outbox.propertyId, property);
  // The index of dead messages has them in the order of the list.
  const own = status === 'Dead' ? and(isDead, isOfProperty) : isNotNull(outbox.messageId);
  const list = {
    table: outbox,
    columns: [outbox.messageId],
    order: 'ascending',
    own: own as SQL,
  } as const;
  const filters: Filter[] = [
    ...(reference === undefined ? [] : [isOfBooking(property, reference)]),
    ...(status === 'Pending' ? [isWaiting(property)] : []),
    ...(status === undefined || status === 'Dead' || status === 'Pending'
      ? []
      : [{ rows: eq(outbox.status, status) }]),
    ...(isOfProperty === undefined || status === 'Dead' ? [] : [{ rows: isOfProperty }]),
  ];
  return waysToFind(list, filters, part, (way) => pages.along(way));
}

function isOfBooking(propertyId: string | undefined, bookingReference: string): Filter {
  const rows = eq(outbox.bookingReference, bookingReference);
  if (propertyId === undefined) return { rows };
  return { rows, keys: sql`SELECT message_id ${namedInHistory({ propertyId, bookingReference })}` };
}

/** The pending messages, by the index of those that are pending or dead, which begins with the property. */
function isWaiting(propertyId: string | undefined): Filter {
  const ofProperty =
    propertyId === undefined
      ? sql`waiting.property_id IN (SELECT id FROM properties)`
      : sql`waiting.property_id = ${propertyId}`;
  const keys = sql`SELECT waiting.message_id FROM outbox AS waiting INDEXED BY outbox_unsettled WHERE waiting.status IN ('Pending', 'Dead') AND ${ofProperty}`;
  return { rows: eq(outbox.status, 'Pending'), keys };
}
