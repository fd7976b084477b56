import { and, eq, isNotNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Filter, waysToFind } from '../../platform/db/narrow.ts';
import { type Part, pagesOf } from '../../platform/db/page.ts';
import { preparedList } from '../../platform/db/prepared.ts';
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

/** Which messages a page has. Indexes have the dead ones, and those that wait. */
interface Asked {
  readonly property?: string | undefined;
  readonly reference?: string | undefined;
  readonly dead?: OutboxRow['status'];
  readonly waiting?: OutboxRow['status'];
  readonly settled?: OutboxRow['status'];
}

/** The statements that find messages, oldest first. */
export function selectList({ property, reference, status }: ListOf, part: Part) {
  const name = status === 'Dead' ? 'dead' : status === 'Pending' ? 'waiting' : 'settled';
  return selectPage({ property, reference, [name]: status }, part);
}

const selectPage = preparedList<Asked>()((asked, part) => {
  const { dead, property, reference, settled, waiting } = asked;
  const isOfProperty = property && eq(outbox.propertyId, property);
  // The index of dead messages has them in the order of the list.
  const own = (dead ? and(isDead, isOfProperty) : isNotNull(outbox.messageId)) as SQL;
  const columns = [outbox.messageId] as const;
  const list = { table: outbox, columns, order: 'ascending', own } as const;
  const filters = [
    reference && isOfBooking(property, reference),
    waiting && isWaiting(property),
    settled && { rows: eq(outbox.status, settled) },
    isOfProperty && !dead && { rows: isOfProperty },
  ].flatMap((filter) => filter || []);
  return waysToFind(list, filters, part, (way) => pages.along(way));
});

function isOfBooking(propertyId: Placeholder | undefined, bookingReference: Placeholder): Filter {
  const rows = eq(outbox.bookingReference, bookingReference);
  if (propertyId === undefined) return { rows };
  return { rows, keys: sql`SELECT message_id ${namedInHistory({ propertyId, bookingReference })}` };
}

/** The pending messages, by the index of those that are pending or dead, which begins with the property. */
function isWaiting(propertyId: Placeholder | undefined): Filter {
  const ofProperty = propertyId
    ? sql`waiting.property_id = ${propertyId}`
    : sql`waiting.property_id IN (SELECT id FROM properties)`;
  const keys = sql`SELECT waiting.message_id FROM outbox AS waiting INDEXED BY outbox_unsettled WHERE waiting.status IN ('Pending', 'Dead') AND ${ofProperty}`;
  return { rows: eq(outbox.status, 'Pending'), keys };
}
