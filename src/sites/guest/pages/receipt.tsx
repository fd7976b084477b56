import { instant, money } from '../../../core/format.ts';
import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Folio } from '../readFolio.ts';
import { Fact, Layout } from './layout.tsx';

/** The receipt of an accepted payment, or the notice that the bank has yet to confirm it. */
export function ReceiptPage({
  folio,
  home,
  row,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly row: TransactionRow;
}) {
  const { property, booking } = folio.state;
  const card = folio.usedCards.find(({ token }) => token === row.cardToken);
  const certain = row.status === 'Accepted';
  const heading = certain ? 'Thank you for your payment' : 'Your payment is being confirmed';
  const fees = money(row.cardFeeMinor + row.transactionFeeMinor, row.currency);
  return (
    <Layout title={certain ? 'Receipt' : heading} heading={heading} propertyName={property.name}>
      {!certain && (
        <Notice kind="info">
          <p>
            Your bank has not confirmed this payment yet. Please do not pay again. Reload this page
            in a few minutes. You will not be charged twice.
          </p>
        </Notice>
      )}
      <dl>
        <Fact name={certain ? 'Charged' : 'Amount'}>{money(row.amountMinor, row.currency)}</Fact>
        <Fact name="Towards your booking">{money(row.requestedMinor, row.currency)}</Fact>
        <Fact name="Card fee">{fees}</Fact>
        {card && <Fact name="Card">ending in {card.last4}</Fact>}
        <Fact name="Time">
          {instant(row.completedAtMs ?? row.createdAtMs, property.timeZone)} ({property.timeZone})
        </Fact>
        <Fact name="Booking">
          <bdi>{booking.reference}</bdi>
        </Fact>
        <Fact name="Payment number">{row.id}</Fact>
        <Fact name="Still due" due>
          {money(folio.balance.dueMinor, booking.currency)}
        </Fact>
      </dl>
      <p>
        <a class="button quiet" href={home}>
          Back to your booking
        </a>
      </p>
    </Layout>
  );
}
