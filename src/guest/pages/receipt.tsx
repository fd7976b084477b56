import type { TransactionRow } from '../../db/schema.ts';
import type { Account } from '../account.ts';
import { instant, money } from '../format.ts';
import { Layout, Notice } from './layout.tsx';

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
        <div>
          <dt>Charged</dt>
          <dd>{money(row.amountMinor, row.currency)}</dd>
        </div>
        <div>
          <dt>Towards your booking</dt>
          <dd>{money(row.requestedMinor, row.currency)}</dd>
        </div>
        <div>
          <dt>Card fee</dt>
          <dd>{fees}</dd>
        </div>
        {card && (
          <div>
            <dt>Card</dt>
            <dd>ending in {card.last4}</dd>
          </div>
        )}
        <div>
          <dt>Time</dt>
          <dd>
            {instant(row.settledAtMs ?? row.createdAtMs, property.timeZone)} ({property.timeZone})
          </dd>
        </div>
        <div>
          <dt>Booking</dt>
          <dd>
            <bdi>{booking.reference}</bdi>
          </dd>
        </div>
        <div>
          <dt>Payment number</dt>
          <dd>{row.id}</dd>
        </div>
        <div class="due">
          <dt>Still due</dt>
          <dd>{money(account.balance.dueMinor, booking.currency)}</dd>
        </div>
      </dl>
      <p>
        <a class="button quiet" href={home}>
          Back to your booking
        </a>
      </p>
    </Layout>
  );
}
