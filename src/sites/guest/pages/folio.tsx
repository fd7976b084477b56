import { isolated, plainMoney } from '../../../core/format.ts';
import type { Balance } from '../../../money/balance/balance.ts';
import { guestCards } from '../../../money/guest/rules.ts';
import { isAtBank } from '../../../money/payments/bankStepRules.ts';
import type { RefundRow, TransactionRow } from '../../../platform/db/moneyTables.ts';
import { declineWords } from '../../../platform/words/declines.ts';
import type { Reader } from '../../../platform/words/reader.ts';
import type { Words } from '../../../platform/words/words.ts';
import { cardInUse } from '../../../records/bookings/rules.ts';
import { Notice } from '../../web/notice.tsx';
import type { Folio } from '../readFolio.ts';
import { CardLabel, cardName } from './cardLabel.tsx';
import { Fact, Layout } from './layout.tsx';
import { useReader } from './reader.tsx';
import { AddedCard, AskedNotice } from './recovery.tsx';

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
  const texts = useReader().words.booking;
  const heading = cancelled ? texts.cancelledHeading : texts.title;
  return (
    <Layout title={texts.title} heading={heading} property={property}>
      <LastActionNotice lastAction={lastAction} home={home} folio={folio} />
      <UnderWayNotice folio={folio} home={home} />
      {!cancelled && <AskedNotice history={folio} home={home} />}
      {cancelled && (
        <Notice kind="info">
          <p>{texts.cancelled(isolated(property.name))}</p>
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
  folio,
}: {
  readonly lastAction: LastAction;
  readonly home: string;
  readonly folio: Folio;
}) {
  const { words } = useReader();
  const { results } = words;
  switch (lastAction.kind) {
    case 'none':
      return null;
    case 'card-added':
      return <AddedCard history={folio} />;
    case 'declined':
      return (
        <Notice kind="bad">
          <h2>{results.declinedHeading}</h2>
          <p>
            {declineWords(words, lastAction.declineCode)} {results.notCharged}
          </p>
          <p>
            {results.tryAnother} <a href={`${home}/card`}>{words.cards.add}</a>
          </p>
        </Notice>
      );
    case 'payment-cancelled':
      return (
        <Notice kind="info">
          <p>{results.cancelled}</p>
        </Notice>
      );
    case 'not-charged':
      return (
        <Notice kind="bad">
          <p>{results.failed}</p>
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
  const { money, words } = useReader();
  const texts = words.underWay;
  const underWay = folio.transactions.filter(
    ({ initiator, status }) => initiator === 'guest' && status === 'Processing',
  );
  return underWay.map((row) => (
    <Notice kind="info">
      <p>
        {isAtBank(row)
          ? texts.atBank(money(row.amountMinor, row.currency))
          : texts.confirming(money(row.amountMinor, row.currency))}
      </p>
      <p>
        <a href={`${home}/receipt/${row.id}`}>
          {isAtBank(row) ? texts.continueAtBank : texts.look}
        </a>
      </p>
    </Notice>
  ));
}

function Stay({ folio: { state } }: { readonly folio: Folio }) {
  const { day, words } = useReader();
  const texts = words.booking;
  const { booking } = state;
  const name = [booking.firstName, booking.lastName].filter(Boolean).join(' ');
  return (
    <section aria-labelledby="stay">
      <h2 id="stay">{texts.stay}</h2>
      <dl>
        <Fact name={texts.guest}>
          <bdi>{name}</bdi>
        </Fact>
        <Fact name={texts.reference}>
          <bdi>{booking.reference}</bdi>
        </Fact>
        <Fact name={texts.arrival}>{day(booking.arrival)}</Fact>
        <Fact name={texts.departure}>{day(booking.departure)}</Fact>
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
  const { money, words } = useReader();
  const texts = words.amounts;
  const { currency, totalCostMinor } = state.booking;
  return (
    <section aria-labelledby="money">
      <h2 id="money">{texts.heading}</h2>
      <dl>
        <Fact name={texts.stay}>{money(totalCostMinor, currency)}</Fact>
        <Fact name={texts.charged}>{money(balance.paidMinor, currency)}</Fact>
        {balance.uncertainMinor > 0 && (
          <Fact name={texts.ofWhichConfirming}>{money(balance.uncertainMinor, currency)}</Fact>
        )}
        {balance.disputedMinor > 0 && (
          <Fact name={texts.disputed}>{money(balance.disputedMinor, currency)}</Fact>
        )}
        {balance.refundedMinor > 0 && (
          <Fact name={texts.refunded}>{money(balance.refundedMinor, currency)}</Fact>
        )}
        {balance.overpaidMinor > 0 && (
          <Fact name={texts.overpaid}>{money(balance.overpaidMinor, currency)}</Fact>
        )}
        {balance.scheduledMinor > 0 && (
          <Fact name={words.scheduled.heading}>{money(balance.scheduledMinor, currency)}</Fact>
        )}
        {!cancelled && (
          <Fact name={texts.due} due>
            {money(balance.dueMinor, currency)}
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** Says what is charged without the guest, and that paying it now ends that. */
export function ScheduledNotice({ folio: { balance, state } }: { readonly folio: Folio }) {
  const { money, words } = useReader();
  if (balance.scheduledMinor === 0) return null;
  return (
    <Notice kind="info">
      <h3>{words.scheduled.heading}</h3>
      <p>{money(balance.scheduledMinor, state.booking.currency)}</p>
      <p>{words.scheduled.payNow}</p>
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
  const { money, words } = useReader();
  const texts = words.pay;
  const { balance, state } = folio;
  const { currency } = state.booking;
  if (balance.payableMinor === 0) return <p>{nothingToPay(balance, words)}</p>;
  const cards = guestCards(state, nowMs);
  if (cards.length === 0) {
    return (
      <section aria-labelledby="pay">
        <h2 id="pay">{texts.heading}</h2>
        <ScheduledNotice folio={folio} />
        <p>
          {texts.intro(
            money(
              balance.proposedMinor > 0 ? balance.proposedMinor : balance.payableMinor,
              currency,
            ),
          )}
        </p>
        <a class="button" href={`${home}/card`}>
          {texts.addCard}
        </a>
      </section>
    );
  }
  return (
    <section aria-labelledby="pay">
      <h2 id="pay">{texts.heading}</h2>
      <ScheduledNotice folio={folio} />
      <form method="get" action={`${home}/review`}>
        <input type="hidden" name="attempt" value={attempt} />
        <label for="amount">{texts.amountIn(currency)}</label>
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
          {texts.upTo(money(balance.payableMinor, currency))}
        </p>
        <fieldset>
          <legend>{texts.cardLegend}</legend>
          {cards.map((card, index) => (
            <label class="choice">
              <input type="radio" name="card" value={card.token} checked={index === 0} required />
              <CardLabel card={card} />
            </label>
          ))}
        </fieldset>
        <button type="submit">{texts.continue}</button>
        <p class="hint">{texts.seeTotal}</p>
      </form>
    </section>
  );
}

/** Why there is nothing to pay. */
function nothingToPay({ uncertainMinor, disputedMinor }: Balance, { pay }: Words): string {
  if (uncertainMinor > 0) {
    return pay.nothingConfirming;
  }
  if (disputedMinor > 0) {
    return pay.nothingDisputed;
  }
  return pay.nothingDue;
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
  const { cards, property } = state;
  const texts = useReader().words.cards;
  return (
    <section aria-labelledby="cards">
      <h2 id="cards">{texts.heading}</h2>
      {cards.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <ul class="cards">
          {cards.map((card) => (
            <li>
              <CardLabel card={card} />
              {card.enteredBy !== 'guest' && (
                <p class="hint">{texts.givenWithBooking(isolated(property.name))}</p>
              )}
            </li>
          ))}
        </ul>
      )}
      {canAdd && (
        <a class="button quiet" href={`${home}/card`}>
          {cards.length === 0 ? texts.add : texts.addAnother}
        </a>
      )}
    </section>
  );
}

function Movements({ folio }: { readonly folio: Folio }) {
  const reader = useReader();
  const lines = folio.transactions.flatMap((row) => {
    const line = lineOf(row, folio, reader);
    const refunds = folio.refunds.filter(({ transactionId }) => transactionId === row.id);
    return [...(line ? [line] : []), ...refunds.map((refund) => refundLine(refund, folio, reader))];
  });
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="movements">
      <h2 id="movements">{reader.words.payments.heading}</h2>
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
function lineOf(
  row: TransactionRow,
  { state, usedCards }: Folio,
  { instant, money, words }: Reader,
): Line | null {
  const { payments } = words;
  const { timeZone } = state.property;
  // A schedule that names no card charges the booking's card at that time.
  const later = row.status === 'Pending' && !row.cardNamed ? cardInUse(state) : null;
  const card = later ?? usedCards.find(({ token }) => token === row.cardToken);
  const by = card ? `, ${cardName(words, card)}` : '';
  const amount = money(row.amountMinor, row.currency);
  const purpose = words.purposes[row.purpose];
  const at = instant(row.completedAtMs ?? row.createdAtMs, timeZone);
  switch (row.status) {
    case 'Accepted':
      return { what: payments.paid(purpose), when: `${at}${by}`, amount };
    case 'Pending': {
      // After a soft decline, the retry is later than the scheduled time.
      const dueMs = row.dueAtMs ?? row.scheduledAtMs ?? row.createdAtMs;
      return {
        what: payments.scheduled(purpose),
        when: `${payments.willBeCharged(instant(dueMs, timeZone))}${by}`,
        amount,
      };
    }
    case 'Authorized':
      return { what: payments.held, when: `${at}${by}`, amount };
    case 'Processing':
      return { what: underWay(row, purpose, words), when: `${at}${by}`, amount };
    case 'Failed':
      return { what: payments.failed(purpose), when: `${at}${by}`, amount };
    case 'Declined':
      return { what: payments.declined(purpose), when: `${at}${by}`, amount };
    default:
      return null;
  }
}

/** Describes the operation that the bank has yet to confirm. */
function underWay(row: TransactionRow, purpose: string, { payments }: Words): string {
  if (isAtBank(row)) return payments.waitingForYou(purpose);
  switch (row.pendingOperation) {
    case 'authorize':
      return payments.holdBeingPlaced;
    case 'release':
    case 'expire':
      return payments.holdBeingReleased;
    default:
      return payments.confirming(purpose);
  }
}

function refundLine(
  refund: RefundRow,
  { state }: Folio,
  { instant, money, words: { payments } }: Reader,
): Line {
  const copy = {
    Refunded: payments.refunded,
    Processing: payments.refundConfirming,
    Failed: payments.refundFailed,
  };
  return {
    what: copy[refund.status],
    when: instant(refund.completedAtMs ?? refund.createdAtMs, state.property.timeZone),
    amount: `−${money(refund.amountMinor, refund.currency)}`,
  };
}
