import type { JSX } from 'hono/jsx';
import { isolated } from '../../../core/format.ts';
import type { Reader } from '../../../core/words/reader.ts';
import type { Words } from '../../../core/words/words.ts';
import type { Folio } from '../../../money/guest/folio.ts';
import type { PaymentChoice } from '../../../money/guest/rules.ts';
import { cardInUse } from '../../../records/bookings/rules.ts';
import { partsToCome } from '../../../records/plans/rules/follow.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { Notice } from '../../web/page.tsx';
import { NEW_CARD, type PayIssues } from '../payForm.ts';
import type { Offer } from '../quote.ts';
import { cardName } from '../rules/cardName.ts';
import { partLine, scheduledLine } from '../rules/planWords.ts';
import { Agreement, Attempt, CardFields, cardFormData, ElementFields } from './cardFields.tsx';
import { CardLabel } from './cards.tsx';
import { PayButton, PriceBox } from './price.tsx';
import { useGuest, useReader } from './reader.tsx';
import { MovedCharges } from './recovery.tsx';

/** What the form to pay shows, and what is wrong with what the guest sent. */
interface PayProps {
  readonly offer: Offer;
  readonly issues: PayIssues;
}

/**
 * All of a payment on one page: the amount, the card, the price, and the button; and what will be charged anyway, which
 * stands first where nothing else is proposed.
 */
export function Pay(props: PayProps) {
  const { words } = useReader();
  const { folio } = useGuest();
  const mayPay = folio.balance.payableMinor > 0;
  const isProposed = isAnyProposed(props.offer);
  return (
    <section id="pay" aria-labelledby="pay-heading">
      <h2 id="pay-heading" class={mayPay ? undefined : 'unseen'}>
        {words.pay.heading}
      </h2>
      {!mayPay && <p>{nothingToPay(folio, words)}</p>}
      {mayPay && isProposed && <PayForm {...props} />}
      <ScheduledNotice />
      {mayPay && !isProposed && (
        <details open={Object.keys(props.issues).length > 0}>
          <summary>{words.pay.payInstead}</summary>
          <PayForm {...props} />
        </details>
      )}
    </section>
  );
}

function PayForm(props: PayProps) {
  const { words } = useReader();
  const { offer } = props;
  const { folio, home } = useGuest();
  return (
    <form
      method="post"
      action={`${home}/pay`}
      data-price={`${home}/price`}
      {...cardFormData(offer.element?.page ?? null, folio.state.property, words)}
    >
      <Attempt />
      <AmountChoice {...props} />
      <CardChoice {...props} />
      <div aria-live="polite">
        <PriceBox quote={offer.quote} />
      </div>
      <PayButton quote={offer.quote} />
    </form>
  );
}

function AmountChoice({ issues, offer }: PayProps) {
  const reader = useReader();
  const { folio } = useGuest();
  const { pay } = reader.words;
  const { currency } = folio.state.booking;
  const { selected } = offer;
  const described = issues.amount === undefined ? 'amount-hint' : 'amount-hint amount-fault';
  return (
    <fieldset>
      <legend>{pay.amountLegend}</legend>
      {offer.choices.map((choice) => (
        <Choice name="choice" value={choice.name} checked={selected.choice === choice.name}>
          <span>{choiceWords(choice, folio, reader)}</span>
        </Choice>
      ))}
      <Choice name="choice" id="choice-other" value="other" checked={selected.choice === 'other'}>
        <span>{pay.other}</span>
      </Choice>
      <div class="further">
        <label for="amount">{pay.amountIn({ currency })}</label>
        <input
          id="amount"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          maxlength={40}
          value={selected.amount === '' ? undefined : selected.amount}
          aria-describedby={described}
          aria-invalid={issues.amount === undefined ? undefined : 'true'}
        />
        <p id="amount-hint" class="hint">
          {pay.upTo({ amount: reader.money(folio.balance.payableMinor, currency) })}
        </p>
        {issues.amount !== undefined && (
          <p id="amount-fault" class="fault">
            {issues.amount}
          </p>
        )}
      </div>
    </fieldset>
  );
}

/** One of several choices, which the attributes of its button say. */
function Choice({ children, ...button }: JSX.IntrinsicElements['input']) {
  return (
    <label class="choice">
      <input type="radio" {...button} />
      {children}
    </label>
  );
}

function choiceWords(
  { amountMinor, name }: PaymentChoice,
  { balance, state }: Folio,
  { money, words: { pay } }: Reader,
): string {
  const amount = money(amountMinor, state.booking.currency);
  switch (name) {
    case 'asked':
      return pay.asked({ amount });
    case 'rest':
      return balance.scheduledMinor === 0 ? pay.full({ amount }) : pay.unscheduled({ amount });
    case 'deposit':
      return pay.deposit({ amount });
    case 'all':
      return pay.all({ amount });
  }
}

function CardChoice({ issues, offer }: PayProps) {
  const { words } = useReader();
  const { folio } = useGuest();
  const { cards, element, selected } = offer;
  const isNew = selected.card === NEW_CARD;
  return (
    <fieldset id="card-choice">
      <legend class={cards.length === 0 ? 'unseen' : undefined}>{words.pay.cardLegend}</legend>
      {cards.map((card) => (
        <Choice name="card" value={card.token} checked={selected.card === card.token}>
          <CardLabel card={card} />
        </Choice>
      ))}
      {cards.length > 0 && (
        <Choice name="card" id="card-new" value={NEW_CARD} checked={isNew}>
          <span>{words.pay.newCard}</span>
        </Choice>
      )}
      {cards.length === 0 && <input type="hidden" name="card" value={NEW_CARD} />}
      {issues.card !== undefined && <p class="fault">{issues.card}</p>}
      <div class="further">
        {element === null ? (
          <CardFields
            issues={issues}
            repeated={selected}
            required={cards.length === 0}
            isTypedAgain={offer.isTypedAgain}
          />
        ) : (
          <ElementFields />
        )}
        <MovedCharges history={folio} />
        <Agreement kind="payment" showsCharges={folio.balance.scheduledMinor > 0} />
      </div>
    </fieldset>
  );
}

/** Whether the page proposes to pay anything but what is charged automatically. */
export function isAnyProposed({ choices }: Offer): boolean {
  return choices.some(({ name }) => name !== 'all');
}

function nothingToPay({ balance, state }: Folio, { pay }: Words): string {
  if (balance.uncertainMinor > 0) return pay.nothingConfirming;
  if (balance.disputedMinor > 0) return pay.nothingDisputed;
  return balance.totalCostMinor > 0
    ? pay.nothingDue
    : pay.nothingKnown({ property: isolated(state.property.name) });
}

/** Says what is charged without the guest, when, and to which card; and that paying it now ends that. */
function ScheduledNotice() {
  const { folio } = useGuest();
  const reader = useReader();
  const texts = reader.words.scheduled;
  const { balance, plan, state, transactions } = folio;
  const rows = transactions.filter(
    ({ planId, purpose, status }) => status === 'Pending' && purpose !== 'Bond' && planId === null,
  );
  const parts = partsToCome(plan);
  if (rows.length + parts.length === 0) return null;
  const isTooMuch = balance.scheduledMinor > balance.payableMinor;
  return (
    <Notice kind={isTooMuch ? 'bad' : 'info'}>
      <h3>{texts.heading}</h3>
      <ul>
        {rows.map((row) => (
          <li>{scheduleLine(row, folio, reader)}</li>
        ))}
        {plan !== null &&
          parts.map((part) => <li>{partLine(plan, part, state.property.timeZone, reader)}</li>)}
      </ul>
      {isTooMuch && <p>{texts.notNeeded({ property: isolated(state.property.name) })}</p>}
      {!isTooMuch && balance.payableMinor > 0 && <p>{texts.payNow}</p>}
    </Notice>
  );
}

function scheduleLine(row: TransactionRow, { state, usedCards }: Folio, reader: Reader): string {
  const { words } = reader;
  const texts = words.scheduled;
  // A schedule that names no card charges the booking's card at that time.
  const named = usedCards.find(({ token }) => token === row.cardToken) ?? null;
  const card = row.cardNamed ? named : cardInUse(state);
  const line = scheduledLine(row, state.property.timeZone, reader);
  if (row.virtualCard && card === null) return line;
  return card ? texts.onCard({ line, card: cardName(words, card) }) : texts.withoutCard({ line });
}
