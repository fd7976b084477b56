import { money } from '../../../core/format.ts';
import { EmptyNote, Instant, Table } from '../../web/table.tsx';
import {
  MOST_SHOWN,
  type UnknownOperations,
  type Upcoming,
  type WarnedPayment,
} from '../readOverview.ts';
import { MOST_SUMMED } from '../store.ts';

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

const warningCopy: Readonly<Record<WarnedPayment['warnings'][number], string>> = {
  exceeds_due: 'more than was due',
  surcharge_not_allowed: 'a fee that the law does not allow',
};

/** The newest payments that were made with a warning. */
export function WarnedPart({ warned }: { readonly warned: readonly WarnedPayment[] }) {
  return (
    <section aria-labelledby="warned">
      <h2 id="warned">Payments with a warning</h2>
      {warned.length === 0 ? (
        <EmptyNote text="No payment of the last 30 days was made with a warning." />
      ) : (
        <Table
          caption={`The newest of 30 days, at most ${MOST_SHOWN.warned} shown`}
          columns={['Made', 'Id', 'Property', 'Booking', '#Amount', 'Warning']}
        >
          {warned.map((payment) => (
            <tr>
              <th scope="row">
                <Instant atMs={payment.createdAtMs} />
              </th>
              <td>{payment.id}</td>
              <td class="name">{payment.propertyId}</td>
              <td class="name">
                <bdi>{payment.bookingReference}</bdi>
              </td>
              <td class="number">{money(payment.amountMinor, payment.currency)}</td>
              <td>{payment.warnings.map((warning) => warningCopy[warning]).join(', ')}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
