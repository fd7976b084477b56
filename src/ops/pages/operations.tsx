import { money } from '../../pages/format.ts';
import { MOST_SHOWN, type Open, type Upcoming } from '../overview.ts';
import { MOST_SUMMED } from '../store.ts';
import { Instant, Nothing, Table } from './table.tsx';

/** Operations whose outcome is not known yet, the longest open first. */
export function OpenPart({ open }: { readonly open: Open }) {
  const { more, operations } = open;
  return (
    <section aria-labelledby="open">
      <h2 id="open">Outcome not known yet</h2>
      {operations.length === 0 ? (
        <Nothing words="No operation has an unknown outcome." />
      ) : (
        <Table
          caption={`In Processing, at most ${MOST_SHOWN.open} shown`}
          columns={['Id', 'Property', 'Booking', 'Kind', 'Since', 'Next look']}
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
                <Instant atMs={operation.nextLookAtMs} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {more && <p class="soft">There may be more than are shown here.</p>}
    </section>
  );
}

/** Scheduled charges of the next 24 hours, overdue ones among them. */
export function UpcomingPart({ upcoming }: { readonly upcoming: Upcoming }) {
  const { cut, first, sums } = upcoming;
  return (
    <section aria-labelledby="upcoming">
      <h2 id="upcoming">Scheduled for the next 24 hours</h2>
      {sums.length === 0 && <Nothing words="Nothing is scheduled." />}
      <ul>
        {sums.map(({ amountMinor, currency, number }) => (
          <li>
            {money(amountMinor, currency)} in {number}
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
