import { isolated } from '../../../core/format.ts';
import { MINUTE_MS } from '../../../core/time.ts';
import type { Folio } from '../../../money/guest/folio.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { Fact } from '../../web/forms.tsx';
import { LinkLine, Notice } from '../../web/page.tsx';
import { cardName } from '../rules/cardName.ts';
import { Layout } from './layout.tsx';
import { useGuest, useReader } from './reader.tsx';

/** How often the page of a payment that is being confirmed looks again, in seconds. */
const REFRESH_SECONDS = 15;

/** The receipt of an accepted payment, or the notice that the bank has yet to confirm it. */
export function ReceiptPage({ row }: { readonly row: TransactionRow }) {
  const { words } = useReader();
  const { receipt } = words;
  const { folio, home } = useGuest();
  const certain = row.status === 'Accepted';
  const heading = certain ? receipt.heading : receipt.confirmingHeading;
  return (
    <Layout
      title={certain ? receipt.title : heading}
      heading={heading}
      printed={certain ? receipt.title : undefined}
    >
      {!certain && (
        <Notice kind="info" text={receipt.confirming}>
          <p>
            <a href={`${home}/receipt/${row.id}`} data-refresh={REFRESH_SECONDS}>
              {receipt.checkAgain}
            </a>
          </p>
        </Notice>
      )}
      <Facts row={row} />
      {certain && isMailed(folio, row) && <p class="hint unprinted">{receipt.mailed}</p>}
      {certain && (
        <p>
          <button type="button" class="button quiet" data-print hidden>
            {receipt.print}
          </button>
        </p>
      )}
      <LinkLine class="button quiet" href={home} text={words.booking.back} />
    </Layout>
  );
}

function Facts({ row }: { readonly row: TransactionRow }) {
  const reader = useReader();
  const { instant, money, words } = reader;
  const { booking: texts, receipt } = words;
  const { folio } = useGuest();
  const { booking, property } = folio.state;
  const sums = folio.totals.find(({ transactionId }) => transactionId === row.id);
  const feeMinor = row.cardFeeMinor + row.transactionFeeMinor;
  return (
    <dl>
      {feeMinor > 0 && (
        <>
          <Fact name={words.pay.bookingPayment}>{money(row.requestedMinor, row.currency)}</Fact>
          <Fact name={words.pay.cardFee}>{money(feeMinor, row.currency)}</Fact>
        </>
      )}
      <Fact name={row.status === 'Accepted' ? receipt.total : receipt.totalAsked} due>
        {money(row.amountMinor, row.currency)}
      </Fact>
      {sums !== undefined && sums.refundedMinor > 0 && (
        <Fact name={receipt.refunded}>{money(sums.refundedMinor, row.currency)}</Fact>
      )}
      <UsedCard name={receipt.card} row={row} />
      <Fact name={receipt.time}>
        {instant(row.completedAtMs ?? row.createdAtMs, property.timeZone)} ({property.timeZone})
      </Fact>
      <Fact name={texts.guest} typed>
        {reader.guest(booking)}
      </Fact>
      <Fact name={texts.stay}>{reader.days(booking.arrival, booking.departure)}</Fact>
      <Reference />
      <Fact name={receipt.from}>{isolated(property.name)}</Fact>
      <Fact name={receipt.number}>{row.id}</Fact>
      {booking.status === 'booked' && (
        <Fact name={receipt.stillDue} due>
          {money(folio.balance.dueMinor, booking.currency)}
        </Fact>
      )}
    </dl>
  );
}

function UsedCard({ name, row }: { readonly name: string; readonly row: TransactionRow }) {
  const card = useGuest().folio.usedCards.find(({ token }) => token === row.cardToken);
  if (!card) return null;
  return <Fact name={name}>{cardName(useReader().words, card)}</Fact>;
}

function Reference() {
  return (
    <Fact name={useReader().words.booking.reference} typed>
      {useGuest().folio.state.booking.reference}
    </Fact>
  );
}

/** Whether the guest gets the receipt by mail, too (interface: Mails to guests). */
function isMailed({ state: { booking, property } }: Folio, { initiator }: TransactionRow): boolean {
  const wish = property.guestMails?.receipts;
  return booking.email !== '' && (wish ?? initiator === 'guest');
}

/** Sends the guest to their bank, which wants to verify them before it pays. Nothing is charged yet. */
export function BankStepPage({
  row,
  url,
  leftMs,
}: {
  readonly row: TransactionRow;
  /** The bank's page. */
  readonly url: string;
  /** For how long the guest can confirm there. */
  readonly leftMs: number;
}) {
  const { money, words } = useReader();
  const { bank: texts } = words;
  const { home } = useGuest();
  const minutes = Math.max(1, Math.ceil(leftMs / MINUTE_MS));
  return (
    <Layout heading={texts.heading}>
      <Notice kind="info" text={texts.toPay} />
      <dl>
        <UsedCard name={texts.card} row={row} />
        <Reference />
        <Fact name={texts.amount} due>
          {money(row.amountMinor, row.currency)}
        </Fact>
      </dl>
      <LinkLine class="button" href={url} rel="noreferrer" text={texts.continue} />
      <p class="hint">
        {texts.comesBack} {texts.within({ minutes })}
      </p>
      <form method="post" action={`${home}/receipt/${row.id}/cancel`} data-once>
        <button type="submit" class="button quiet">
          {texts.cancel}
        </button>
      </form>
      <LinkLine href={home} text={words.booking.back} />
    </Layout>
  );
}
