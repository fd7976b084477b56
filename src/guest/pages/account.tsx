import { cardInUse } from '../../bookings/rules.ts';
import { capitalisedBrand } from '../../core/cardNumbers.ts';
import type { CardRow } from '../../db/cardTables.ts';
import type { RefundRow, TransactionRow } from '../../db/moneyTables.ts';
import { day, instant, money, plainMoney } from '../../pages/format.ts';
import { Notice } from '../../pages/notice.tsx';
import type { Balance } from '../../payments/balance.ts';
import { guestCards } from '../../payments/guestRules.ts';
import type { Account } from '../account.ts';
import { declineWords, purposeWords } from '../words.ts';
import { Fact, Layout } from './layout.tsx';

/** What has just happened, for the guest to see first. */
export type Happened =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'card-added' }
  | { readonly kind: 'declined'; readonly declineCode: string | null }
  /** The gateway certainly did not charge, whatever was thought before. */
  | { readonly kind: 'not-made' }
  | { readonly kind: 'refused'; readonly words: string };

/** The stay, what was and is to be paid, the cards, and the way to pay. */
export function AccountPage({
  account,
  home,
  attempt,
  happened,
  nowMs,
}: {
  readonly account: Account;
  /** Where this visit's pages are. */
  readonly home: string;
  /** Makes one payment of however many clicks. */
  readonly attempt: string;
  readonly happened: Happened;
  readonly nowMs: number;
}) {
  const { property, booking } = account.state;
  const cancelled = booking.status === 'cancelled';
  const heading = cancelled ? 'Your booking is cancelled' : 'Your booking';
  return (
    <Layout title="Your booking" heading={heading} propertyName={property.name}>
      <WhatHappened happened={happened} home={home} />
      {cancelled && (
        <Notice kind="info">
          <p>
            There is nothing to pay here. If you did not cancel this booking, please contact{' '}
            <bdi>{property.name}</bdi>.
          </p>
        </Notice>
      )}
      <Stay account={account} />
      <Money account={account} cancelled={cancelled} />
      {!cancelled && <Pay account={account} home={home} attempt={attempt} nowMs={nowMs} />}
      <Cards account={account} home={home} canAdd={!cancelled} />
      <Movements account={account} />
    </Layout>
  );
}

function WhatHappened({ happened, home }: { readonly happened: Happened; readonly home: string }) {
  switch (happened.kind) {
    case 'nothing':
      return null;
    case 'card-added':
      return (
        <Notice kind="good">
          <p>The card was added.</p>
        </Notice>
      );
    case 'declined':
      return (
        <Notice kind="bad">
          <h2>The card was declined</h2>
          <p>{declineWords(happened.declineCode)} Nothing was charged.</p>
          <p>
            <a href={`${home}/card`}>Use another card</a>, or ask your bank.
          </p>
        </Notice>
      );
    case 'not-made':
      return (
        <Notice kind="bad">
          <p>The payment was not made, and nothing was charged. You can pay again.</p>
        </Notice>
      );
    case 'refused':
      return (
        <Notice kind="bad">
          <p>{happened.words}</p>
        </Notice>
      );
  }
}

function Stay({ account: { state } }: { readonly account: Account }) {
  const { booking } = state;
  const name = [booking.firstName, booking.lastName].filter(Boolean).join(' ');
  return (
    <section aria-labelledby="stay">
      <h2 id="stay">Stay</h2>
      <dl>
        <Fact name="Guest">
          <bdi>{name}</bdi>
        </Fact>
        <Fact name="Booking">
          <bdi>{booking.reference}</bdi>
        </Fact>
        <Fact name="Arrival">{day(booking.arrival)}</Fact>
        <Fact name="Departure">{day(booking.departure)}</Fact>
      </dl>
    </section>
  );
}

function Money({
  account: { state, balance },
  cancelled,
}: {
  readonly account: Account;
  readonly cancelled: boolean;
}) {
  const { currency, totalCostMinor } = state.booking;
  return (
    <section aria-labelledby="money">
      <h2 id="money">Amounts</h2>
      <dl>
        <Fact name="Total">{money(totalCostMinor, currency)}</Fact>
        <Fact name="Paid">{money(balance.paidMinor, currency)}</Fact>
        {balance.uncertainMinor > 0 && (
          <Fact name="Being confirmed by the bank">{money(balance.uncertainMinor, currency)}</Fact>
        )}
        {balance.refundedMinor > 0 && (
          <Fact name="Refunded">{money(balance.refundedMinor, currency)}</Fact>
        )}
        {balance.scheduledMinor > 0 && (
          <Fact name="Scheduled, without your doing">
            {money(balance.scheduledMinor, currency)}
          </Fact>
        )}
        {!cancelled && (
          <Fact name="Due" due>
            {money(balance.dueMinor, currency)}
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** What is charged by itself is not taken back by a payment now: nobody is to pay it twice unawares. */
export function ScheduledWarning({ account: { balance, state } }: { readonly account: Account }) {
  if (balance.scheduledMinor === 0) return null;
  return (
    <Notice kind="info">
      <p>
        {money(balance.scheduledMinor, state.booking.currency)} of this will be charged by itself at
        the scheduled time. What you pay now is charged besides: ask the property first if you want
        to pay that part now.
      </p>
    </Notice>
  );
}

function Pay({
  account,
  home,
  attempt,
  nowMs,
}: {
  readonly account: Account;
  readonly home: string;
  readonly attempt: string;
  readonly nowMs: number;
}) {
  const { balance, state } = account;
  const { currency } = state.booking;
  if (balance.payableMinor === 0) {
    const waits = balance.uncertainMinor > 0;
    return (
      <p>{waits ? 'There is nothing more to pay for now.' : 'Everything is paid. Thank you.'}</p>
    );
  }
  const cards = guestCards(state, nowMs);
  if (cards.length === 0) {
    return (
      <section aria-labelledby="pay">
        <h2 id="pay">Pay</h2>
        <p>Add a card to pay {money(balance.payableMinor, currency)} or a part of it.</p>
        <a class="button" href={`${home}/card`}>
          Add a card
        </a>
      </section>
    );
  }
  return (
    <section aria-labelledby="pay">
      <h2 id="pay">Pay</h2>
      <ScheduledWarning account={account} />
      <form method="get" action={`${home}/review`}>
        <input type="hidden" name="attempt" value={attempt} />
        <label for="amount">Amount in {currency}</label>
        <input
          id="amount"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          required
          value={plainMoney(proposedOf(balance), currency)}
          aria-describedby="amount-hint"
        />
        <p id="amount-hint" class="hint">
          All that is due, or a part of it.
        </p>
        <fieldset>
          <legend>Card</legend>
          {cards.map((card, index) => (
            <label class="choice">
              <input type="radio" name="card" value={card.token} checked={index === 0} required />
              <CardFace card={card} />
            </label>
          ))}
        </fieldset>
        <button type="submit">Continue</button>
        <p class="hint">You see the whole price before anything is charged.</p>
      </form>
    </section>
  );
}

/** What the form proposes: what is due and not charged by itself. */
function proposedOf({ payableMinor, scheduledMinor }: Balance): number {
  return payableMinor > scheduledMinor ? payableMinor - scheduledMinor : payableMinor;
}

/** A card as a guest knows it again. */
export function CardFace({ card }: { readonly card: CardRow }) {
  return (
    <span>
      {capitalisedBrand(card.brand)} ending in {card.last4},{' '}
      {String(card.expiryMonth).padStart(2, '0')}/{card.expiryYear}
    </span>
  );
}

function Cards({
  account: { state },
  home,
  canAdd,
}: {
  readonly account: Account;
  readonly home: string;
  readonly canAdd: boolean;
}) {
  const { cards } = state;
  return (
    <section aria-labelledby="cards">
      <h2 id="cards">Cards on file</h2>
      {cards.length === 0 ? (
        <p>None.</p>
      ) : (
        <ul class="cards">
          {cards.map((card) => (
            <li>
              <CardFace card={card} />
              {card.enteredBy !== 'guest' && <span class="hint"> given with the booking</span>}
            </li>
          ))}
        </ul>
      )}
      {canAdd && (
        <a class="button quiet" href={`${home}/card`}>
          Add another card
        </a>
      )}
    </section>
  );
}

function Movements({ account }: { readonly account: Account }) {
  const lines = account.transactions.flatMap((row) => {
    const line = lineOf(row, account);
    const returned = account.refunds.filter(({ transactionId }) => transactionId === row.id);
    return [...(line ? [line] : []), ...returned.map((refund) => refundLine(refund, account))];
  });
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="movements">
      <h2 id="movements">Payments</h2>
      <ul class="movements">
        {lines.map(({ what, when, amount }) => (
          <li>
            <span>{what}</span>
            <span class="amount">{amount}</span>
            <span class="hint">{when}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One line of what was, is or will be moved. */
interface Line {
  readonly what: string;
  readonly when: string;
  readonly amount: string;
}

/** A transaction in a guest's words; what never became of anything is left out. */
function lineOf(row: TransactionRow, { state, usedCards }: Account): Line | null {
  const { timeZone } = state.property;
  // A schedule that names no card takes the one that the booking uses by then.
  const later = row.status === 'Pending' && !row.cardNamed ? cardInUse(state) : null;
  const card = later ?? usedCards.find(({ token }) => token === row.cardToken);
  const by = card ? `, card ending in ${card.last4}` : '';
  const amount = money(row.amountMinor, row.currency);
  const purpose = purposeWords[row.purpose];
  const at = instant(row.settledAtMs ?? row.createdAtMs, timeZone);
  switch (row.status) {
    case 'Accepted':
      return { what: `${purpose} paid`, when: `${at}${by}`, amount };
    case 'Pending': {
      // After a soft decline, it is tried again later than it was scheduled for.
      const dueMs = row.dueAtMs ?? row.scheduledAtMs ?? row.createdAtMs;
      return {
        what: `${purpose} scheduled`,
        when: `will be charged on ${instant(dueMs, timeZone)}${by}`,
        amount,
      };
    }
    case 'Authorized':
      return { what: `${purpose} held, not charged`, when: `${at}${by}`, amount };
    case 'Processing':
      return { what: `${purpose} ${underWay(row)}`, when: `${at}${by}`, amount };
    case 'Failed':
      return { what: `${purpose} not made, nothing charged`, when: `${at}${by}`, amount };
    case 'Declined':
      return { what: `${purpose} declined, nothing charged`, when: `${at}${by}`, amount };
    default:
      return null;
  }
}

/** What is asked of the bank. */
function underWay({ pendingOperation }: TransactionRow): string {
  switch (pendingOperation) {
    case 'authorize':
      return 'about to be held, not charged';
    case 'release':
    case 'expire':
      return 'held, about to be let go';
    default:
      return 'being confirmed by the bank';
  }
}

function refundLine(refund: RefundRow, { state }: Account): Line {
  const words = {
    Refunded: 'Refunded',
    Processing: 'Refund being confirmed by the bank',
    Failed: 'Refund failed: the property will contact you',
  } as const;
  return {
    what: words[refund.status],
    when: instant(refund.settledAtMs ?? refund.createdAtMs, state.property.timeZone),
    amount: `−${money(refund.amountMinor, refund.currency)}`,
  };
}
