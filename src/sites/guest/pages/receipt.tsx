import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Folio } from '../readFolio.ts';
import { CardName } from './cardLabel.tsx';
import { Fact, Layout } from './layout.tsx';
import { useReader } from './reader.tsx';

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
  const { instant, money, words } = useReader();
  const { receipt } = words;
  const { property, booking } = folio.state;
  const card = folio.usedCards.find(({ token }) => token === row.cardToken);
  const certain = row.status === 'Accepted';
  const heading = certain ? receipt.heading : receipt.confirmingHeading;
  const fees = money(row.cardFeeMinor + row.transactionFeeMinor, row.currency);
  return (
    <Layout title={certain ? receipt.title : heading} heading={heading} property={property}>
      {!certain && (
        <Notice kind="info">
          <p>{receipt.confirming}</p>
        </Notice>
      )}
      <dl>
        <Fact name={words.pay.bookingPayment}>{money(row.requestedMinor, row.currency)}</Fact>
        <Fact name={words.pay.cardFee}>{fees}</Fact>
        <Fact name={certain ? receipt.total : receipt.totalAsked} due>
          {money(row.amountMinor, row.currency)}
        </Fact>
        {card && (
          <Fact name={receipt.card}>
            <CardName card={card} />
          </Fact>
        )}
        <Fact name={receipt.time}>
          {instant(row.completedAtMs ?? row.createdAtMs, property.timeZone)} ({property.timeZone})
        </Fact>
        <Fact name={words.booking.reference}>
          <bdi>{booking.reference}</bdi>
        </Fact>
        <Fact name={receipt.number}>{row.id}</Fact>
        <Fact name={receipt.stillDue}>{money(folio.balance.dueMinor, booking.currency)}</Fact>
      </dl>
      <p>
        <a class="button quiet" href={home}>
          {receipt.back}
        </a>
      </p>
    </Layout>
  );
}
