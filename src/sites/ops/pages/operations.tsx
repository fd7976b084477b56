import { money } from '../../../core/format.ts';
import { EmptyNote } from '../../web/table.tsx';
import {
  MOST_SHOWN,
  type UnknownOperations,
  type Upcoming,
  type WarnedPayment,
} from '../overview.ts';
import { MOST_SUMMED } from '../store.ts';
import { At, type Zones } from './at.tsx';
import { BookingLink } from './bookingLink.tsx';
import { CardTable } from './cardTable.tsx';

/** Operations whose outcome is unknown, the oldest first. */
export function UnknownPart({
  unknown,
  zones,
}: {
  readonly unknown: UnknownOperations;
  readonly zones: Zones;
}) {
  const { more, operations } = unknown;
  return (
    <section aria-labelledby="unknown">
      <h2 id="unknown">Outcome unknown</h2>
      {operations.length === 0 ? (
        <EmptyNote text="Every outcome is known." />
      ) : (
        <CardTable
          caption={`Status Processing, at most ${MOST_SHOWN.unknown} shown`}
          columns={['Booking', 'Kind', 'Since', 'Next check', 'Property', 'Id']}
          rows={operations.map((operation) => [
            <BookingLink property={operation.propertyId} reference={operation.bookingReference} />,
            operation.kind,
            <At atMs={operation.sinceMs} zones={zones} property={operation.propertyId} />,
            <At atMs={operation.nextCheckAtMs} zones={zones} property={operation.propertyId} />,
            operation.propertyId,
            operation.id,
          ])}
        />
      )}
      {more && <p class="soft">There may be more than this list shows.</p>}
    </section>
  );
}

/** Scheduled charges of the next 24 hours, including overdue ones. */
export function UpcomingPart({
  upcoming,
  zones,
}: {
  readonly upcoming: Upcoming;
  readonly zones: Zones;
}) {
  const { cut, first, sums } = upcoming;
  return (
    <section aria-labelledby="upcoming">
      <h2 id="upcoming">Scheduled for the next 24 hours</h2>
      {sums.length === 0 && <EmptyNote text="Nothing is scheduled." />}
      <ul>
        {sums.map(({ amountMinor, currency, number }) => (
          <li>
            {number} {number === 1 ? 'charge' : 'charges'}, {money(amountMinor, currency)}
          </li>
        ))}
      </ul>
      {cut && <p class="soft">There may be more: only the next {MOST_SUMMED} are summed.</p>}
      {first.length > 0 && (
        <CardTable
          caption={`The next ones, at most ${MOST_SHOWN.upcoming} shown`}
          columns={['Booking', '#Amount', 'Due', '#Attempts', 'Property', 'Id']}
          rows={first.map((charge) => [
            <BookingLink property={charge.propertyId} reference={charge.bookingReference} />,
            money(charge.amountMinor, charge.currency),
            <At atMs={charge.dueAtMs} zones={zones} property={charge.propertyId} />,
            charge.attempts,
            charge.propertyId,
            charge.id,
          ])}
        />
      )}
    </section>
  );
}

const warningCopy: Readonly<Record<WarnedPayment['warnings'][number], string>> = {
  exceeds_due: 'more than was due',
  scheduled_exceeds_due: 'more scheduled than stayed due',
  surcharge_not_allowed: 'a fee that the law does not allow',
};

/** The newest payments that were made with a warning. */
export function WarnedPart({
  warned,
  zones,
}: {
  readonly warned: readonly WarnedPayment[];
  readonly zones: Zones;
}) {
  return (
    <section aria-labelledby="warned">
      <h2 id="warned">Payments with a warning</h2>
      {warned.length === 0 ? (
        <EmptyNote text="No payment of the last 30 days was made with a warning." />
      ) : (
        <CardTable
          caption={`The newest of 30 days, at most ${MOST_SHOWN.warned} shown`}
          columns={['Booking', '#Amount', 'Warning', 'Made', 'Property', 'Id']}
          rows={warned.map((payment) => [
            <BookingLink property={payment.propertyId} reference={payment.bookingReference} />,
            money(payment.amountMinor, payment.currency),
            payment.warnings.map((warning) => warningCopy[warning]).join(', '),
            <At atMs={payment.createdAtMs} zones={zones} property={payment.propertyId} />,
            payment.propertyId,
            payment.id,
          ])}
        />
      )}
    </section>
  );
}
