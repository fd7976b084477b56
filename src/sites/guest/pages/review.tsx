import { instant, money } from '../../../core/format.ts';
import type { Priced } from '../../../money/payments/fees.ts';
import type { CardRow } from '../../../platform/db/cardTables.ts';
import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Folio } from '../readFolio.ts';
import { CardLabel } from './folio.tsx';
import { Fact, Layout } from './layout.tsx';

/** Says which scheduled charges this payment is instead of, and what stays scheduled. */
function PaidEarly({
  folio: { balance, state },
  replaced,
}: {
  readonly folio: Folio;
  readonly replaced: readonly TransactionRow[];
}) {
  const { currency } = state.booking;
  const { timeZone } = state.property;
  if (balance.scheduledMinor === 0) return null;
  const replacedMinor = replaced.reduce((sum, row) => sum + row.requestedMinor, 0);
  const leftMinor = balance.scheduledMinor - replacedMinor;
  return (
    <Notice kind="info">
      {replaced.length > 0 && (
        <>
          <p>You pay this instead of what was to be charged automatically. We then cancel:</p>
          <ul>
            {replaced.map((row) => (
              <li>
                {money(row.requestedMinor, currency)} on{' '}
                {instant(row.scheduledAtMs ?? row.createdAtMs, timeZone)}
              </li>
            ))}
          </ul>
        </>
      )}
      {leftMinor > 0 && (
        <p>{money(leftMinor, currency)} stays scheduled and will be charged automatically.</p>
      )}
    </Notice>
  );
}

/** Shows the total price before anything is charged. */
export function ReviewPage({
  folio,
  home,
  attempt,
  card,
  priced,
  replaced,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly attempt: string;
  readonly card: CardRow;
  readonly priced: Priced;
  /** The schedules that this payment is instead of. */
  readonly replaced: readonly TransactionRow[];
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
      <PaidEarly folio={folio} replaced={replaced} />
      <form method="post" action={`${home}/pay`} data-once>
        <input type="hidden" name="attempt" value={attempt} />
        <input type="hidden" name="card" value={card.token} />
        <input type="hidden" name="requestedMinor" value={priced.requestedMinor} />
        <input type="hidden" name="agreedMinor" value={priced.amountMinor} />
        <input type="hidden" name="replaces" value={replaced.map(({ id }) => id).join(',')} />
        <button type="submit">Pay {total}</button>
      </form>
      <p>
        <a href={home}>Change the amount or the card</a>
      </p>
    </Layout>
  );
}
