import { money } from '../../../core/format.ts';
import { EmptyNote } from '../../web/table.tsx';
import { type FailedPayment, MOST_SHOWN, type Refunds, type ShownDispute } from '../overview.ts';
import { At, type Zones } from './at.tsx';
import { BookingLink } from './bookingLink.tsx';
import { CardTable } from './cardTable.tsx';

const kinds: Readonly<Record<FailedPayment['kind'], string>> = {
  charge: 'Charge',
  schedule: 'Scheduled charge',
  authorization: 'Hold',
};

/** The newest payments that failed: nothing was taken. */
export function FailedPart({
  failed,
  zones,
}: {
  readonly failed: readonly FailedPayment[];
  readonly zones: Zones;
}) {
  return (
    <section aria-labelledby="failed">
      <h2 id="failed">Failed payments</h2>
      {failed.length === 0 ? (
        <EmptyNote text="No payment failed in the last 7 days." />
      ) : (
        <CardTable
          caption={`The newest of 7 days: nothing was taken. At most ${MOST_SHOWN.failed} shown`}
          columns={['Booking', '#Amount', 'Payment', 'Failed', 'Property', 'Id']}
          rows={failed.map((payment) => [
            <BookingLink property={payment.propertyId} reference={payment.bookingReference} />,
            money(payment.amountMinor, payment.currency),
            kinds[payment.kind],
            <At atMs={payment.completedAtMs} zones={zones} property={payment.propertyId} />,
            payment.propertyId,
            payment.id,
          ])}
        />
      )}
    </section>
  );
}

/** Refunds of the last 24 hours in sums, and those that failed. */
export function RefundsPart({
  refunds,
  zones,
}: {
  readonly refunds: Refunds;
  readonly zones: Zones;
}) {
  const { failed, sums } = refunds;
  return (
    <section aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      {sums.length === 0 && <EmptyNote text="No refund was made in the last 24 hours." />}
      <ul>
        {sums.map(({ amountMinor, currency, number, status }) => (
          <li>
            {number} {number === 1 ? 'refund' : 'refunds'} {status.toLowerCase()} in the last 24
            hours, {money(amountMinor, currency)}
          </li>
        ))}
      </ul>
      {failed.length > 0 && (
        <CardTable
          caption={`Failed in the last 7 days: the guest did not get the money. At most ${MOST_SHOWN.failed} shown`}
          columns={['Booking', '#Amount', 'Failed', 'Property', 'Refund', 'Charge']}
          rows={failed.map((refund) => [
            <BookingLink property={refund.propertyId} reference={refund.bookingReference} />,
            money(refund.amountMinor, refund.currency),
            <At atMs={refund.learntAtMs} zones={zones} property={refund.propertyId} />,
            refund.propertyId,
            refund.id,
            refund.transactionId,
          ])}
        />
      )}
    </section>
  );
}

const disputeStates: Readonly<Record<ShownDispute['status'], string>> = {
  needs_response: 'Needs a response',
  under_review: 'Under review',
  won: 'Won',
  lost: 'Lost',
};

/** Open disputes, the one to answer first first. */
export function DisputesPart({
  disputes,
  zones,
}: {
  readonly disputes: readonly ShownDispute[];
  readonly zones: Zones;
}) {
  return (
    <section aria-labelledby="disputes">
      <h2 id="disputes">Disputes</h2>
      {disputes.length === 0 ? (
        <EmptyNote text="No dispute is open." />
      ) : (
        <CardTable
          caption={`Open disputes, the one to answer first first, at most ${MOST_SHOWN.disputes} shown`}
          columns={[
            'Booking',
            '#Amount',
            'Respond by',
            'Status',
            'Reason',
            'Property',
            'Charge',
            'Id',
          ]}
          rows={disputes.map((dispute) => [
            <BookingLink property={dispute.propertyId} reference={dispute.bookingReference} />,
            money(dispute.amountMinor, dispute.currency),
            <At atMs={dispute.respondByMs} zones={zones} property={dispute.propertyId} />,
            disputeStates[dispute.status],
            dispute.reason,
            dispute.propertyId,
            dispute.transactionId,
            dispute.id,
          ])}
        />
      )}
    </section>
  );
}
