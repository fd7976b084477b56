import { money } from '../../../core/format.ts';
import { MOST_SHOWN, type Overview } from '../../../desk/operations/overview.ts';
import { MOST_SUMMED } from '../../../desk/operations/store.ts';
import { words } from '../../../desk/words.ts';
import { BookingLink, propertyColumn } from '../../console/lists/columns.tsx';
import { type Column, EmptyNote, Instant, TableSection } from '../../web/table.tsx';

const { columns: names, ops: copy } = words;

export type Zones = Overview['zones'];

/** A time in UTC, of what belongs to no property. */
export function utcColumn<Row>(name: string, atMsOf: (row: Row) => number): Column<Row> {
  return { name, cell: (row) => <Instant atMs={atMsOf(row)} isZoned /> };
}

/** A time in the zone of its property, which it names. */
export function zonedColumn<Row extends { readonly propertyId: string }>(
  name: string,
  atMsOf: (row: Row) => number | null,
  zones: Zones,
): Column<Row> {
  return {
    name,
    cell: (row) => (
      <Instant atMs={atMsOf(row)} timeZone={zones.get(row.propertyId) ?? 'UTC'} isZoned />
    ),
  };
}

/** The booking of a row, which leads to its page of the console. */
export const bookingColumn: Column<{
  readonly propertyId: string | null;
  readonly bookingReference: string | null;
}> = {
  name: names.booking,
  cell: (row) => <BookingLink property={row.propertyId} reference={row.bookingReference} />,
};

type Unknown = Overview['unknown']['operations'][number];
type Warned = Overview['warned'][number];

/** Operations whose outcome is unknown, the oldest first. */
export function UnknownPart({ unknown, zones }: Pick<Overview, 'unknown' | 'zones'>) {
  return (
    <TableSection
      id="unknown"
      heading={copy.unknown.heading}
      caption={copy.unknown.caption({ most: String(MOST_SHOWN.unknown) })}
      rows={unknown.operations}
      empty={copy.unknown.empty}
      columns={[
        bookingColumn,
        { name: copy.columns.kind, text: ({ kind }) => kind },
        zonedColumn<Unknown>(copy.columns.since, ({ sinceMs }) => sinceMs, zones),
        zonedColumn<Unknown>(copy.columns.nextCheck, ({ nextCheckAtMs }) => nextCheckAtMs, zones),
        propertyColumn,
        { name: names.id, text: ({ id }) => id },
      ]}
    >
      {unknown.more && <p class="soft">{copy.unknown.more}</p>}
    </TableSection>
  );
}

/** What the refunds of the last 24 hours come to. */
export function RefundSums({ refundSums }: Pick<Overview, 'refundSums'>) {
  const { refunds } = copy;
  return (
    <section aria-labelledby="refunds">
      <h2 id="refunds">{refunds.heading}</h2>
      {refundSums.length === 0 && <EmptyNote text={refunds.none} />}
      <ul>
        {refundSums.map(({ amountMinor, currency, number, status }) => (
          <li>
            {refunds.sum({
              number,
              status: refunds.statuses[status],
              sum: money(amountMinor, currency),
            })}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the scheduled charges of the next 24 hours come to, overdue ones included. */
export function UpcomingSums({ upcoming: { cut, sums } }: Pick<Overview, 'upcoming'>) {
  const { upcoming } = copy;
  return (
    <section aria-labelledby="upcoming">
      <h2 id="upcoming">{upcoming.heading}</h2>
      {sums.length === 0 && <EmptyNote text={upcoming.none} />}
      <ul>
        {sums.map(({ amountMinor, currency, number }) => (
          <li>{upcoming.sum({ number, sum: money(amountMinor, currency) })}</li>
        ))}
      </ul>
      {cut && <p class="soft">{upcoming.cut({ number: String(MOST_SUMMED) })}</p>}
    </section>
  );
}

/** The newest payments that were made with a warning. */
export function WarnedPart({ warned, zones }: Pick<Overview, 'warned' | 'zones'>) {
  const { warnings } = copy.warned;
  return (
    <TableSection
      id="warned"
      heading={copy.warned.heading}
      caption={copy.warned.caption({ most: String(MOST_SHOWN.warned) })}
      rows={warned}
      empty={copy.warned.empty}
      columns={[
        bookingColumn,
        {
          name: names.amount,
          isNumber: true,
          text: ({ amountMinor, currency }) => money(amountMinor, currency),
        },
        {
          name: copy.columns.warning,
          text: (row) => row.warnings.map((warning) => warnings[warning]).join(', '),
        },
        zonedColumn<Warned>(copy.columns.made, ({ createdAtMs }) => createdAtMs, zones),
        propertyColumn,
        { name: names.id, text: ({ id }) => id },
      ]}
    />
  );
}
