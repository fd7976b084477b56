import { day, money, plainMoney } from '../../../core/format.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import type { CsvColumns } from '../../web/csvTable.ts';
import { ConsoleLayout } from '../pages/layout.tsx';
import { bookingPath, CONSOLE_PATH, pathOf } from '../paths.ts';
import type { Found } from './store.ts';

/** A property's page: a field to find bookings, and what was found; null before anything was typed. */
export function PropertyPage({
  person,
  property,
  typed,
  found,
}: {
  readonly person: Person;
  readonly property: PropertyRow;
  readonly typed: string;
  readonly found: readonly Found[] | null;
}) {
  return (
    <ConsoleLayout title={property.name} person={person} property={property} here="property">
      <search>
        <form method="get" action={`${CONSOLE_PATH}/property`} class="search">
          <input type="hidden" name="property" value={property.id} />
          <div class="field">
            <label for="q">Find a booking</label>
            <input id="q" name="q" type="search" value={typed} aria-describedby="hint" />
            <p id="hint" class="soft">
              Reference, guest’s name or e-mail, last four digits of a card, amount charged, id of a
              payment, or the PMS’s confirmation number.
            </p>
          </div>
          <button type="submit">Find</button>
        </form>
      </search>
      {found && <Results found={found} property={property} typed={typed} />}
    </ConsoleLayout>
  );
}

/** What was found, as CSV. */
export const foundCsv: CsvColumns<Found> = {
  Booking: ({ reference }) => reference,
  'First name': ({ firstName }) => firstName,
  'Last name': ({ lastName }) => lastName,
  Status: ({ status }) => status,
  Arrival: ({ arrival }) => arrival,
  Departure: ({ departure }) => departure,
  Total: ({ currency, totalCostMinor }) => plainMoney(totalCostMinor, currency),
  Currency: ({ currency }) => currency,
  'Found by': ({ by }) => by,
};

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
        <h2>Nothing was found</h2>
        <p>Try the beginning of the reference, or the guest’s last name alone.</p>
      </section>
    );
  }
  return (
    <section aria-labelledby="found">
      <h2 id="found">{found.length === 1 ? '1 booking' : `${found.length} bookings`}</h2>
      <ul class="found">
        {found.map((booking) => (
          <li>
            <a href={bookingPath(property.id, booking.reference)}>
              <bdi>{booking.reference}</bdi>
            </a>{' '}
            <bdi>{[booking.firstName, booking.lastName].filter(Boolean).join(' ')}</bdi>
            {booking.status === 'cancelled' && ' (cancelled)'}
            <p class="soft">
              {day(booking.arrival)} to {day(booking.departure)},{' '}
              {money(booking.totalCostMinor, booking.currency)}, by {booking.by}
            </p>
          </li>
        ))}
      </ul>
      <CsvLink path={pathOf('property', { property: property.id, q: typed })} />
    </section>
  );
}
