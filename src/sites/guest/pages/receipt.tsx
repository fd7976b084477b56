import { isolated } from '../../../core/format.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Folio } from '../readFolio.ts';
import { CardName } from './cardLabel.tsx';
import { Fact, Layout } from './layout.tsx';
import { useReader } from './reader.tsx';

/** How often the page of a payment that is being confirmed looks again, in seconds. */
const REFRESH_SECONDS = 15;

/** What the receipt is about. */
interface ReceiptProps {
  readonly folio: Folio;
  readonly home: string;
  readonly row: TransactionRow;
}

/** The receipt of an accepted payment, or the notice that the bank has yet to confirm it. */
export function ReceiptPage({ folio, home, row }: ReceiptProps) {
  const { words } = useReader();
  const { receipt } = words;
  const { property } = folio.state;
  const certain = row.status === 'Accepted';
  const heading = certain ? receipt.heading : receipt.confirmingHeading;
  return (
    <Layout title={certain ? receipt.title : heading} heading={heading} property={property}>
      {!certain && (
        <Notice kind="info">
          <p>{receipt.confirming}</p>
          <p>
            <a href={`${home}/receipt/${row.id}`} data-refresh={REFRESH_SECONDS}>
              {receipt.checkAgain}
            </a>
          </p>
        </Notice>
      )}
      <Facts folio={folio} home={home} row={row} />
      {certain && isMailed(folio, row) && <p class="hint unprinted">{receipt.mailed}</p>}
      {certain && (
        <p>
          <button type="button" class="button quiet" data-print hidden>
            {receipt.print}
          </button>
        </p>
      )}
      <p>
        <a class="button quiet" href={home}>
          {words.booking.back}
        </a>
      </p>
    </Layout>
  );
}

function Facts({ folio, row }: ReceiptProps) {
  const { day, instant, money, words } = useReader();
  const { booking: texts, receipt } = words;
  const { booking, property } = folio.state;
  const card = folio.usedCards.find(({ token }) => token === row.cardToken);
  const sums = folio.totals.find(({ transactionId }) => transactionId === row.id);
  const guest = [booking.firstName, booking.lastName].filter(Boolean).join(' ');
  const certain = row.status === 'Accepted';
  return (
    <dl>
      <Fact name={words.pay.bookingPayment}>{money(row.requestedMinor, row.currency)}</Fact>
      <Fact name={words.pay.cardFee}>
        {money(row.cardFeeMinor + row.transactionFeeMinor, row.currency)}
      </Fact>
      <Fact name={certain ? receipt.total : receipt.totalAsked} due>
        {money(row.amountMinor, row.currency)}
      </Fact>
      {sums !== undefined && sums.refundedMinor > 0 && (
        <Fact name={receipt.refunded}>{money(sums.refundedMinor, row.currency)}</Fact>
      )}
      {card && (
        <Fact name={receipt.card}>
          <CardName card={card} />
        </Fact>
      )}
      <Fact name={receipt.time}>
        {instant(row.completedAtMs ?? row.createdAtMs, property.timeZone)} ({property.timeZone})
      </Fact>
      <Fact name={texts.guest}>
        <bdi>{guest}</bdi>
      </Fact>
      <Fact name={texts.stay}>
        {texts.dates({ arrival: day(booking.arrival), departure: day(booking.departure) })}
      </Fact>
      <Fact name={texts.reference}>
        <bdi>{booking.reference}</bdi>
      </Fact>
      <Fact name={receipt.from}>{isolated(property.name)}</Fact>
      <Fact name={receipt.number}>{row.id}</Fact>
      <Fact name={receipt.stillDue} due>
        {money(folio.balance.dueMinor, booking.currency)}
      </Fact>
    </dl>
  );
}

/** Whether the guest gets the receipt by mail, too (interface: Mails to guests). */
function isMailed({ state: { booking, property } }: Folio, { initiator }: TransactionRow): boolean {
  const wish = property.guestMails?.receipts;
  return booking.email !== '' && (wish ?? initiator === 'guest');
}
