import { instant, money } from '../../../core/format.ts';
import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Folio } from '../readFolio.ts';
import { Fact, Layout } from './layout.tsx';

/** Sends the guest to their bank, which wants to verify them before it pays. Nothing is charged yet. */
export function BankStepPage({
  folio,
  home,
  row,
  bank,
  cancelAction,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly row: TransactionRow;
  /** The bank's page, and until when the guest can confirm there. */
  readonly bank: { readonly url: string; readonly untilMs: number };
  readonly cancelAction: string;
}) {
  const { property, booking } = folio.state;
  const card = folio.usedCards.find(({ token }) => token === row.cardToken);
  const heading = "Confirm it's you";
  return (
    <Layout title={heading} heading={heading} propertyName={property.name}>
      <Notice kind="info">
        <p>
          Your bank needs to verify it's you. Nothing is charged until you confirm the payment
          there.
        </p>
      </Notice>
      <dl>
        <Fact name="Amount" due>
          {money(row.amountMinor, row.currency)}
        </Fact>
        {card && <Fact name="Card">ending in {card.last4}</Fact>}
        <Fact name="Booking">
          <bdi>{booking.reference}</bdi>
        </Fact>
      </dl>
      <p>
        <a class="button" href={bank.url} rel="noreferrer">
          Continue to your bank
        </a>
      </p>
      <p class="hint">
        Your bank will bring you back here afterwards. Please confirm by{' '}
        {instant(bank.untilMs, property.timeZone)}. After that, the payment is cancelled.
      </p>
      <form method="post" action={cancelAction} data-once>
        <button type="submit" class="button quiet">
          Cancel this payment
        </button>
      </form>
      <p>
        <a href={home}>Back to your booking</a>
      </p>
    </Layout>
  );
}
