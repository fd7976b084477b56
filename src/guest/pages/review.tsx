import type { CardRow } from '../../db/cardTables.ts';
import { money } from '../../pages/format.ts';
import type { Priced } from '../../payments/fees.ts';
import type { Account } from '../account.ts';
import { CardFace, ScheduledWarning } from './account.tsx';
import { Fact, Layout } from './layout.tsx';

/** The whole price, before anything is charged. */
export function ReviewPage({
  account,
  home,
  attempt,
  card,
  priced,
}: {
  readonly account: Account;
  readonly home: string;
  readonly attempt: string;
  readonly card: CardRow;
  readonly priced: Priced;
}) {
  const { property, booking } = account.state;
  const { currency } = booking;
  const total = money(priced.amountMinor, currency);
  const feeMinor = priced.cardFeeMinor + priced.transactionFeeMinor;
  return (
    <Layout title="Check and pay" heading="Check and pay" propertyName={property.name}>
      <dl>
        <Fact name="Towards your booking">{money(priced.requestedMinor, currency)}</Fact>
        <Fact name="Card fee">{money(feeMinor, currency)}</Fact>
        <Fact name="Your card is charged" due>
          {total}
        </Fact>
        <Fact name="Card">
          <CardFace card={card} />
        </Fact>
      </dl>
      <ScheduledWarning account={account} />
      <form method="post" action={`${home}/pay`} data-once>
        <input type="hidden" name="attempt" value={attempt} />
        <input type="hidden" name="card" value={card.token} />
        <input type="hidden" name="requestedMinor" value={priced.requestedMinor} />
        <input type="hidden" name="agreedMinor" value={priced.amountMinor} />
        <button type="submit">Pay {total}</button>
      </form>
      <p>
        <a href={home}>Change the amount or the card</a>
      </p>
    </Layout>
  );
}
