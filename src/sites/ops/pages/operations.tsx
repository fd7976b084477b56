import { money } from '../../../core/format.ts';
import { MOST_SHOWN, type UnknownOperations, type Upcoming } from '../readOverview.ts';
import { MOST_SUMMED } from '../store.ts';
import { EmptyNote, Instant, Table } from './table.tsx';

/** Operations whose outcome is unknown, the oldest first. */
export function UnknownPart({ unknown }: { readonly unknown: UnknownOperations }) {
  const { more, operations } = unknown;
  return (
    <section aria-labelledby="unknown">
      <h2 id="unknown">Outcome unknown</h2>
      {operations.length === 0 ? (
        <EmptyNote text="Every outcome is known." />
      ) : (
        <Table
          caption={`Status Processing, at most ${MOST_SHOWN.unknown} shown`}
          columns={['Id', 'Property', 'Booking', 'Kind', 'Since', 'Next check']}
        >
          {operations.map((operation) => (
            <tr>
              <th scope="row">{operation.id}</th>
              <td class="name">{operation.propertyId}</td>
              <td class="name">
                <bdi>{operation.bookingReference}</bdi>
              </td>
              <td>{operation.kind}</td>
              <td>
                <Instant atMs={operation.sinceMs} />
              </td>
              <td>
                <Instant atMs={operation.nextCheckAtMs} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {more && <p class="soft">There may be more than this list shows.</p>}
    </section>
  );
}

/** Scheduled charges of the next 24 hours, including overdue ones. */
export function UpcomingPart({ upcoming }: { readonly upcoming: Upcoming }) {
  const { cut, first, sums } = upcoming;
  return (
    <section aria-labelledby="upcoming">
      <h2 id="upcoming">Scheduled for the next 24 hours</h2>
      {sums.length === 0 && <EmptyNote text="Nothing is scheduled." />}
      <ul>
        {sums.map(({ amountMinor, currency, number }) => (
          <li>
            {money(amountMinor, currency)} in {number} {number === 1 ? 'charge' : 'charges'}
          </li>
        ))}
      </ul>
      {cut && <p class="soft">There may be more: only the next {MOST_SUMMED} are summed.</p>}
      {first.length > 0 && (
        <Table
          caption={`The next ones, at most ${MOST_SHOWN.upcoming} shown`}
          columns={['Due', 'Id', 'Property', 'Booking', '#Amount', '#Attempts']}
        >
          {first.map((charge) => (
            <tr>
              <th scope="row">
                <Instant atMs={charge.dueAtMs} />
              </th>
              <td>{charge.id}</td>
              <td class="name">{charge.propertyId}</td>
              <td class="name">
                <bdi>{charge.bookingReference}</bdi>
              </td>
              <td class="number">{money(charge.amountMinor, charge.currency)}</td>
              <td class="number">{charge.attempts}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
