import { money } from '../../../core/format.ts';
import type { Priced } from '../../../money/payments/fees.ts';
import type { CardRow } from '../../../platform/db/cardTables.ts';
import type { Folio } from '../readFolio.ts';
import { CardLabel, ScheduledWarning } from './folio.tsx';
import { Fact, Layout } from './layout.tsx';

/** Shows the total price before anything is charged. */
export function ReviewPage({
  folio,
  home,
  attempt,
  card,
  priced,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly attempt: string;
  readonly card: CardRow;
  readonly priced: Priced;
}) {
  const { property, booking } = folio.state;
  const { currency } = booking;
  const total = money(priced.amountMinor, currency);
  const feeMinor = priced.cardFeeMinor + priced.transactionFeeMinor;
  return (
    <Layout title="Check and pay" heading="Check and pay" propertyName={property.name}>
      <dl>
        <Fact name="Towards your booking">{money(priced.requestedMinor, currency)}</Fact>
        <Fact name="Card fee">{money(feeMinor, currency)}</Fact>
        <Fact name="Your card will be charged" due>
          {total}
        </Fact>
        <Fact name="Card">
          <CardLabel card={card} />
        </Fact>
      </dl>
      <ScheduledWarning folio={folio} />
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
