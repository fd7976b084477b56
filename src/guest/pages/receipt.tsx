import type { TransactionRow } from '../../db/moneyTables.ts';
import { instant, money } from '../../pages/format.ts';
import { Notice } from '../../pages/notice.tsx';
import type { Account } from '../account.ts';
import { Fact, Layout } from './layout.tsx';

/** What a payment came to, to be kept. */
export function ReceiptPage({
  account,
  home,
  row,
}: {
  readonly account: Account;
  readonly home: string;
  readonly row: TransactionRow;
}) {
  const { property, booking } = account.state;
  const card = account.usedCards.find(({ token }) => token === row.cardToken);
  const certain = row.status === 'Accepted';
  const heading = certain ? 'Thank you, it is paid' : 'Your payment is being confirmed';
  const fees = money(row.cardFeeMinor + row.transactionFeeMinor, row.currency);
  return (
    <Layout title={certain ? 'Receipt' : heading} heading={heading} propertyName={property.name}>
      {!certain && (
        <Notice kind="info">
          <p>
            The bank has not answered yet. Please do not pay again: look at this page in a few
            minutes. Nothing is charged twice.
          </p>
        </Notice>
      )}
      <dl>
        <Fact name="Charged">{money(row.amountMinor, row.currency)}</Fact>
        <Fact name="Towards your booking">{money(row.requestedMinor, row.currency)}</Fact>
        <Fact name="Card fee">{fees}</Fact>
        {card && <Fact name="Card">ending in {card.last4}</Fact>}
        <Fact name="Time">
          {instant(row.settledAtMs ?? row.createdAtMs, property.timeZone)} ({property.timeZone})
        </Fact>
        <Fact name="Booking">
          <bdi>{booking.reference}</bdi>
        </Fact>
        <Fact name="Payment number">{row.id}</Fact>
        <Fact name="Still due" due>
          {money(account.balance.dueMinor, booking.currency)}
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
