import { capitalisedBrand } from '../../../core/cardNumbers.ts';
import { day, instant, money, plainMoney } from '../../../core/format.ts';
import type { Balance } from '../../../money/balance/balance.ts';
import { guestCards } from '../../../money/guest/rules.ts';
import { isAtBank } from '../../../money/payments/bankStepRules.ts';
import type { CardRow } from '../../../platform/db/cardTables.ts';
import type { RefundRow, TransactionRow } from '../../../platform/db/moneyTables.ts';
import { cardInUse } from '../../../records/bookings/rules.ts';
import { Notice } from '../../web/notice.tsx';
import { declineCopy, purposeCopy } from '../copy.ts';
import type { Folio } from '../readFolio.ts';
import { Fact, Layout } from './layout.tsx';

/** What the guest's last action did; the page shows it first. */
export type LastAction =
  | { readonly kind: 'none' }
  | { readonly kind: 'card-added' }
  | { readonly kind: 'declined'; readonly declineCode: string | null }
  /** The guest gave up a payment that waited for their bank. */
  | { readonly kind: 'payment-cancelled' }
  /** The gateway certainly did not charge. */
  | { readonly kind: 'not-charged' }
  | { readonly kind: 'error'; readonly text: string };

/** A booking's page: the stay, the amounts, the cards, the payments, and a form to pay. */
export function FolioPage({
  folio,
  home,
  attempt,
  lastAction,
  nowMs,
}: {
  readonly folio: Folio;
  /** The path of this session's pages. */
  readonly home: string;
  /** The form's id, so that repeated clicks make one payment. */
  readonly attempt: string;
  readonly lastAction: LastAction;
  readonly nowMs: number;
}) {
  const { property, booking } = folio.state;
  const cancelled = booking.status === 'cancelled';
  const heading = cancelled ? 'Your booking is cancelled' : 'Your booking';
  return (
    <Layout title="Your booking" heading={heading} propertyName={property.name}>
      <LastActionNotice lastAction={lastAction} home={home} />
      <UnderWayNotice folio={folio} home={home} />
      {cancelled && (
        <Notice kind="info">
          <p>
            There is nothing to pay here. If you did not cancel this booking, please contact{' '}
            <bdi>{property.name}</bdi>.
          </p>
        </Notice>
      )}
      <Stay folio={folio} />
      <Money folio={folio} cancelled={cancelled} />
      {!cancelled && <Pay folio={folio} home={home} attempt={attempt} nowMs={nowMs} />}
      <Cards folio={folio} home={home} canAdd={!cancelled} />
      <Movements folio={folio} />
    </Layout>
  );
}

function LastActionNotice({
  lastAction,
  home,
}: {
  readonly lastAction: LastAction;
  readonly home: string;
}) {
  switch (lastAction.kind) {
    case 'none':
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
          <p>{declineCopy(lastAction.declineCode)} Nothing was charged.</p>
          <p>
            Please <a href={`${home}/card`}>use another card</a> or contact your bank.
          </p>
        </Notice>
      );
    case 'payment-cancelled':
      return (
        <Notice kind="info">
          <p>The payment was cancelled. Nothing was charged.</p>
        </Notice>
      );
    case 'not-charged':
      return (
        <Notice kind="bad">
          <p>Your payment failed. Nothing was charged. You can pay again.</p>
        </Notice>
      );
    case 'error':
      return (
        <Notice kind="bad">
          <p>{lastAction.text}</p>
        </Notice>
      );
  }
}

/** Tells a guest who comes back of their payments that have no outcome yet, and leads to each. */
function UnderWayNotice({ folio, home }: { readonly folio: Folio; readonly home: string }) {
  const underWay = folio.transactions.filter(
    ({ initiator, status }) => initiator === 'guest' && status === 'Processing',
  );
  return underWay.map((row) => (
    <Notice kind="info">
      <p>
        {isAtBank(row)
          ? `Your payment of ${money(row.amountMinor, row.currency)} is not finished: your bank needs to verify it's you.`
          : `Your payment of ${money(row.amountMinor, row.currency)} is not confirmed yet. Please do not pay again.`}
      </p>
      <p>
        <a href={`${home}/receipt/${row.id}`}>
          {isAtBank(row) ? 'Continue or cancel this payment' : 'See where this payment stands'}
        </a>
      </p>
    </Notice>
  ));
}

function Stay({ folio: { state } }: { readonly folio: Folio }) {
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
  folio: { state, balance },
  cancelled,
}: {
  readonly folio: Folio;
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
        {balance.disputedMinor > 0 && (
          <Fact name="Disputed with the bank">{money(balance.disputedMinor, currency)}</Fact>
        )}
        {balance.refundedMinor > 0 && (
          <Fact name="Refunded">{money(balance.refundedMinor, currency)}</Fact>
        )}
        {balance.overpaidMinor > 0 && (
          <Fact name="Paid in excess">{money(balance.overpaidMinor, currency)}</Fact>
        )}
        {balance.scheduledMinor > 0 && (
          <Fact name="Scheduled automatic payment">{money(balance.scheduledMinor, currency)}</Fact>
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

/** Says what is charged without the guest, and that paying it now ends that. */
export function ScheduledNotice({ folio: { balance, state } }: { readonly folio: Folio }) {
  if (balance.scheduledMinor === 0) return null;
  return (
    <Notice kind="info">
      <p>
        {money(balance.scheduledMinor, state.booking.currency)} is scheduled and will be charged
        automatically. You can also pay it now: scheduled charges that are then too much are
        cancelled, and you see which ones before you pay.
      </p>
    </Notice>
  );
}

function Pay({
  folio,
  home,
  attempt,
  nowMs,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly attempt: string;
  readonly nowMs: number;
}) {
  const { balance, state } = folio;
  const { currency } = state.booking;
  if (balance.payableMinor === 0) return <p>{nothingToPay(balance)}</p>;
  const cards = guestCards(state, nowMs);
  if (cards.length === 0) {
    return (
      <section aria-labelledby="pay">
        <h2 id="pay">Pay</h2>
        <ScheduledNotice folio={folio} />
        <p>
          {balance.proposedMinor > 0
            ? `Add a card to pay ${money(balance.proposedMinor, currency)} or part of it.`
            : `Add a card to pay the scheduled ${money(balance.payableMinor, currency)} now.`}
        </p>
        <a class="button" href={`${home}/card`}>
          Add a card
        </a>
      </section>
    );
  }
  return (
    <section aria-labelledby="pay">
      <h2 id="pay">Pay</h2>
      <ScheduledNotice folio={folio} />
      <form method="get" action={`${home}/review`}>
        <input type="hidden" name="attempt" value={attempt} />
        <label for="amount">Amount in {currency}</label>
        <input
          id="amount"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          required
          value={
            balance.proposedMinor > 0 ? plainMoney(balance.proposedMinor, currency) : undefined
          }
          aria-describedby="amount-hint"
        />
        <p id="amount-hint" class="hint">
          You can pay any amount up to {money(balance.payableMinor, currency)}.
        </p>
        <fieldset>
          <legend>Card</legend>
          {cards.map((card, index) => (
            <label class="choice">
              <input type="radio" name="card" value={card.token} checked={index === 0} required />
              <CardLabel card={card} />
            </label>
          ))}
        </fieldset>
        <button type="submit">Continue</button>
        <p class="hint">
          You will see the total price, including any fees, before anything is charged.
        </p>
      </form>
    </section>
  );
}

/** Why there is nothing to pay. */
function nothingToPay({ uncertainMinor, disputedMinor }: Balance): string {
  if (uncertainMinor > 0) {
    return 'There is nothing to pay right now: your bank is still confirming a payment.';
  }
  if (disputedMinor > 0) {
    return 'There is nothing to pay here: a payment is disputed with your bank. If you have questions, please contact the property.';
  }
  return 'Everything is paid. Thank you.';
}

/** A card, described so that its holder recognises it. */
export function CardLabel({ card }: { readonly card: CardRow }) {
  return (
    <span>
      {capitalisedBrand(card.brand)} ending in {card.last4},{' '}
      {String(card.expiryMonth).padStart(2, '0')}/{card.expiryYear}
    </span>
  );
}

function Cards({
  folio: { state },
  home,
  canAdd,
}: {
  readonly folio: Folio;
  readonly home: string;
  readonly canAdd: boolean;
}) {
  const { cards } = state;
  return (
    <section aria-labelledby="cards">
      <h2 id="cards">Cards on file</h2>
      {cards.length === 0 ? (
        <p>There are no cards yet.</p>
      ) : (
        <ul class="cards">
          {cards.map((card) => (
            <li>
              <CardLabel card={card} />
              {card.enteredBy !== 'guest' && <span class="hint"> provided with the booking</span>}
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

function Movements({ folio }: { readonly folio: Folio }) {
  const lines = folio.transactions.flatMap((row) => {
    const line = lineOf(row, folio);
    const refunds = folio.refunds.filter(({ transactionId }) => transactionId === row.id);
    return [...(line ? [line] : []), ...refunds.map((refund) => refundLine(refund, folio))];
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

/** One line of the list of payments. */
interface Line {
  readonly what: string;
  readonly when: string;
  readonly amount: string;
}

/** Describes a transaction to the guest; null for one that is not worth showing. */
function lineOf(row: TransactionRow, { state, usedCards }: Folio): Line | null {
  const { timeZone } = state.property;
  // A schedule that names no card charges the booking's card at that time.
  const later = row.status === 'Pending' && !row.cardNamed ? cardInUse(state) : null;
  const card = later ?? usedCards.find(({ token }) => token === row.cardToken);
  const by = card ? `, card ending in ${card.last4}` : '';
  const amount = money(row.amountMinor, row.currency);
  const purpose = purposeCopy[row.purpose];
  const at = instant(row.completedAtMs ?? row.createdAtMs, timeZone);
  switch (row.status) {
    case 'Accepted':
      return { what: `${purpose} paid`, when: `${at}${by}`, amount };
    case 'Pending': {
      // After a soft decline, the retry is later than the scheduled time.
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
      return { what: `${purpose} failed, nothing charged`, when: `${at}${by}`, amount };
    case 'Declined':
      return { what: `${purpose} declined, nothing charged`, when: `${at}${by}`, amount };
    default:
      return null;
  }
}

/** Describes the operation that the bank has yet to confirm. */
function underWay(row: TransactionRow): string {
  if (isAtBank(row)) return 'waiting for you to confirm it with your bank, nothing charged';
  switch (row.pendingOperation) {
    case 'authorize':
      return 'hold being placed, nothing charged';
    case 'release':
    case 'expire':
      return 'hold being released, nothing charged';
    default:
      return 'being confirmed by the bank';
  }
}

function refundLine(refund: RefundRow, { state }: Folio): Line {
  const copy = {
    Refunded: 'Refunded',
    Processing: 'Refund being confirmed by the bank',
    Failed: 'Refund failed: the property will contact you',
  } as const;
  return {
    what: copy[refund.status],
    when: instant(refund.completedAtMs ?? refund.createdAtMs, state.property.timeZone),
    amount: `−${money(refund.amountMinor, refund.currency)}`,
  };
}
