import { money } from '../../../core/format.ts';
import { MINUTE_MS } from '../../../core/time.ts';
import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Folio } from '../readFolio.ts';
import { Fact, Layout } from './layout.tsx';

/** The bank's page, and for how long the guest can confirm there, in milliseconds. */
interface OpenBank {
  readonly url: string;
  readonly leftMs: number;
}

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
  readonly bank: OpenBank;
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
        {card && <Fact name="Card">ending in {card.last4}</Fact>}
        <Fact name="Booking">
          <bdi>{booking.reference}</bdi>
        </Fact>
        <Fact name="Amount" due>
          {money(row.amountMinor, row.currency)}
        </Fact>
      </dl>
      <p>
        <a class="button" href={bank.url} rel="noreferrer">
          Continue to your bank
        </a>
      </p>
      <p class="hint">
        Your bank will bring you back here afterwards. Please confirm within {minutesLeft(bank)}.
        After that, the payment is cancelled.
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

function minutesLeft({ leftMs }: OpenBank): string {
  const minutes = Math.max(1, Math.ceil(leftMs / MINUTE_MS));
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
