import type { Priced } from '../../../money/payments/fees.ts';
import type { CardRow } from '../../../platform/db/cardTables.ts';
import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Folio } from '../readFolio.ts';
import { CardLabel } from './cardLabel.tsx';
import { Fact, Layout } from './layout.tsx';
import { useReader } from './reader.tsx';

/** Says which scheduled charges this payment is instead of, and what stays scheduled. */
function PaidEarly({
  folio: { balance, state },
  replaced,
}: {
  readonly folio: Folio;
  readonly replaced: readonly TransactionRow[];
}) {
  const { instant, money, words } = useReader();
  const { currency } = state.booking;
  const { timeZone } = state.property;
  if (balance.scheduledMinor === 0) return null;
  const replacedMinor = replaced.reduce((sum, row) => sum + row.requestedMinor, 0);
  const leftMinor = balance.scheduledMinor - replacedMinor;
  return (
    <Notice kind="info">
      {replaced.length > 0 && (
        <>
          <p>{words.pay.replaces}</p>
          <ul>
            {replaced.map((row) => (
              <li>
                {words.scheduled.line(
                  money(row.requestedMinor, currency),
                  instant(row.scheduledAtMs ?? row.createdAtMs, timeZone),
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {leftMinor > 0 && <p>{words.pay.staysScheduled(money(leftMinor, currency))}</p>}
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
  const { money, words } = useReader();
  const { pay } = words;
  const { property, booking } = folio.state;
  const { currency } = booking;
  const total = money(priced.amountMinor, currency);
  const feeMinor = priced.cardFeeMinor + priced.transactionFeeMinor;
  return (
    <Layout title={pay.reviewTitle} heading={pay.reviewTitle} property={property}>
      <dl>
        <Fact name={pay.bookingPayment}>{money(priced.requestedMinor, currency)}</Fact>
        <Fact name={pay.cardFee}>{money(feeMinor, currency)}</Fact>
        <Fact name={pay.total} due>
          {total}
        </Fact>
        <Fact name={words.bank.card}>
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
        <button type="submit">{pay.button(total)}</button>
      </form>
      <p>
        <a href={home}>{pay.change}</a>
      </p>
    </Layout>
  );
}
