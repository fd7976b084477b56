import { day, money, plainMoney } from '../../../core/format.ts';
import type { Found } from '../../../desk/search.ts';
import { words } from '../../../desk/words.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import type { CsvColumn } from '../../web/csvTable.ts';
import { guestOf } from '../lists/columns.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { bookingPath, CONSOLE_PATH, pathOf } from '../paths.ts';
import type { Viewed } from '../propertyRequest.ts';

const { columns: names, search: copy } = words;

/** A property's page: a field to find bookings, and what was found; null before anything was typed. */
export function PropertyPage({
  person,
  property,
  typed,
  found,
}: Viewed & {
  readonly typed: string;
  readonly found: readonly Found[] | null;
}) {
  return (
    <ConsoleLayout title={property.name} person={person} property={property} here="property">
      <search>
        <form method="get" action={`${CONSOLE_PATH}/property`} class="search">
          <input type="hidden" name="property" value={property.id} />
          <div class="field">
            <label for="q">{copy.label}</label>
            <input id="q" name="q" type="search" value={typed} aria-describedby="hint" />
            <p id="hint" class="soft">
              {copy.hint}
            </p>
          </div>
          <button type="submit">{copy.find}</button>
        </form>
      </search>
      {found && <Results found={found} property={property} typed={typed} />}
    </ConsoleLayout>
  );
}

export const foundColumns: readonly CsvColumn<Found>[] = [
  { name: names.booking, text: ({ reference }) => reference },
  { name: copy.firstName, text: ({ firstName }) => firstName },
  { name: copy.lastName, text: ({ lastName }) => lastName },
  { name: names.status, text: ({ status }) => status },
  { name: copy.arrival, text: ({ arrival }) => arrival },
  { name: copy.departure, text: ({ departure }) => departure },
  {
    name: copy.total,
    text: ({ currency, totalCostMinor }) => plainMoney(totalCostMinor, currency),
  },
  { name: names.currency, text: ({ currency }) => currency },
  { name: copy.by, text: ({ by }) => copy.foundBy[by] },
];

function Results({
  found,
  property,
  typed,
}: {
  readonly found: readonly Found[];
  readonly property: PropertyRow;
  readonly typed: string;
}) {
  if (found.length === 0) {
    return (
      <section>
        <h2>{copy.none}</h2>
        <p>{copy.tryAgain}</p>
      </section>
    );
  }
  return (
    <section aria-labelledby="found">
      <h2 id="found">{copy.found({ number: found.length })}</h2>
      <ul class="found">
        {found.map((booking) => (
          <li>
            <a href={bookingPath(property.id, booking.reference)}>
              <bdi>{booking.reference}</bdi>
            </a>{' '}
            <bdi>{guestOf(booking)}</bdi>
            {booking.status === 'cancelled' && ` ${copy.cancelled}`}
            <p class="soft">
              {copy.stay({
                arrival: day(booking.arrival),
                departure: day(booking.departure),
                total: money(booking.totalCostMinor, booking.currency),
                by: copy.foundBy[booking.by],
              })}
            </p>
          </li>
        ))}
      </ul>
      <CsvLink path={pathOf('property', { property: property.id, q: typed })} />
    </section>
  );
}
