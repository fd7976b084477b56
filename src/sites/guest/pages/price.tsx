import { typableAmount } from '../../../core/typedAmount.ts';
import { type PaidInstead, staysScheduledMinor } from '../../../money/guest/rules.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { Fact, type Form, Hidden } from '../../web/forms.tsx';
import { LinkLine, Notice } from '../../web/page.tsx';
import type { Quote } from '../quote.ts';
import { CardLabel } from './cards.tsx';
import { Layout } from './layout.tsx';
import { useGuest, useReader } from './reader.tsx';

export function PayButton({ quote }: { readonly quote: Quote | null }) {
  return <button type="submit">{useButton(quote)}</button>;
}

function useButton(quote: Quote | null): string {
  const { money, words } = useReader();
  const { currency } = useGuest().folio.state.booking;
  const priced = quote?.priced;
  return priced
    ? words.pay.button({ total: money(priced.amountMinor, currency) })
    : words.pay.continue;
}

/**
 * The whole price, with what the form sends back: the guest is charged only what stands here. Without a price, the next
 * page shows it. The page's script replaces this part when the guest chooses again.
 */
export function PriceBox({
  quote,
  issue = null,
}: {
  readonly quote: Quote | null;
  /** What is wrong with the amount; null if nothing is. */
  readonly issue?: string | null;
}) {
  const { money, words } = useReader();
  const { currency } = useGuest().folio.state.booking;
  const priced = quote?.priced ?? null;
  const lowered = quote?.instead.lowered;
  const feeMinor = (priced?.cardFeeMinor ?? 0) + (priced?.transactionFeeMinor ?? 0);
  return (
    <div data-price-box data-button={useButton(quote)}>
      {issue !== null && <p class="fault">{issue}</p>}
      {priced !== null && (
        <dl>
          {feeMinor > 0 && (
            <>
              <Fact name={words.pay.bookingPayment}>{money(priced.requestedMinor, currency)}</Fact>
              <Fact name={words.pay.cardFee}>{money(feeMinor, currency)}</Fact>
            </>
          )}
          <Fact name={words.pay.total} due>
            {money(priced.amountMinor, currency)}
          </Fact>
        </dl>
      )}
      {quote && priced === null && <p class="hint">{words.pay.feeByCard}</p>}
      {quote && <PaidEarly instead={quote.instead} />}
      {quote && priced && (
        <Hidden
          fields={{
            agreedMinor: String(priced.amountMinor),
            replaces: quote.instead.cancelled.map(({ id }) => id).join(','),
            lowers: lowered ? `${lowered.to.id}:${lowered.to.requestedMinor}` : '',
          }}
        />
      )}
    </div>
  );
}

/** Says which scheduled charges this payment is instead of, which takes less then, and what stays scheduled. */
function PaidEarly({ instead }: { readonly instead: PaidInstead }) {
  const { instant, money, words } = useReader();
  const { balance, state } = useGuest().folio;
  const { currency } = state.booking;
  const { timeZone } = state.property;
  if (balance.scheduledMinor === 0) return null;
  const { cancelled, lowered } = instead;
  const leftMinor = staysScheduledMinor(balance, instead);
  const lineOf = ({ requestedMinor, scheduledAtMs, createdAtMs }: TransactionRow) =>
    words.scheduled.line({
      amount: money(requestedMinor, currency),
      time: instant(scheduledAtMs ?? createdAtMs, timeZone),
    });
  return (
    <Notice kind="info">
      {cancelled.length > 0 && (
        <>
          <p>{words.pay.replaces}</p>
          <ul>
            {cancelled.map((row) => (
              <li>{lineOf(row)}</li>
            ))}
          </ul>
        </>
      )}
      {lowered && (
        <p>
          {words.pay.lowers({
            line: lineOf(lowered.row),
            amount: money(lowered.to.requestedMinor, currency),
          })}
        </p>
      )}
      {leftMinor > 0 && <p>{words.pay.staysScheduled({ amount: money(leftMinor, currency) })}</p>}
    </Notice>
  );
}

/** Shows the total price before anything is charged, where the booking's page could not. */
export function ReviewPage({
  attempt,
  card,
  quote,
  isChanged,
}: {
  readonly attempt: string;
  readonly card: CardRow;
  readonly quote: Quote;
  /** Whether another price was shown before. */
  readonly isChanged: boolean;
}) {
  const { words } = useReader();
  const { pay } = words;
  const { folio, home } = useGuest();
  // What is paid may be more than an amount: the deposit, or what the guest is asked for.
  const isFixed = quote.choice === 'deposit' || quote.choice === 'asked';
  const sent = {
    attempt,
    card: card.token,
    choice: isFixed ? quote.choice : 'other',
    amount: typableAmount(quote.requestedMinor, folio.state.booking.currency),
    reviewed: '1',
  };
  return (
    <Layout heading={pay.reviewTitle}>
      {isChanged && <Notice kind="info" focus text={words.payIssues.changed} />}
      <form method="post" action={`${home}/pay`} data-once>
        <Hidden fields={sent} />
        <dl>
          <Fact name={words.bank.card}>
            <CardLabel card={card} />
          </Fact>
        </dl>
        <PriceBox quote={quote} />
        <PayButton quote={quote} />
      </form>
      <LinkLine href={home} text={pay.change} />
    </Layout>
  );
}

/** Shown when it is unknown whether a payment was recorded. Sending the same form again cannot charge twice. */
export function UnsurePage({ form }: { readonly form: Form }) {
  const { unsure } = useReader().words;
  return (
    <Layout heading={unsure.heading}>
      <Notice kind="info" text={unsure.text} />
      <form method="post" action={`${useGuest().home}/pay`} data-once>
        <Hidden fields={form} />
        <button type="submit">{unsure.button}</button>
      </form>
    </Layout>
  );
}
