import { type PaidInstead, staysScheduledMinor } from '../../../money/guest/rules/paidInstead.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { Notice } from '../../web/notice.tsx';
import type { Quote } from '../quote.ts';
import type { Folio } from '../readFolio.ts';
import { Fact } from './layout.tsx';
import { useReader } from './reader.tsx';

/** The label of the button that pays. */
export function useButton(folio: Folio, quote: Quote | null): string {
  const { money, words } = useReader();
  const priced = quote?.priced;
  return priced
    ? words.pay.button({ total: money(priced.amountMinor, folio.state.booking.currency) })
    : words.pay.continue;
}

/**
 * The whole price, with what the form sends back: the guest is charged only what stands here. Without a price, the next
 * page shows it. The page's script replaces this part when the guest chooses again.
 */
export function PriceBox({
  folio,
  quote,
  issue,
}: {
  readonly folio: Folio;
  readonly quote: Quote | null;
  /** What is wrong with the amount; null if nothing is. */
  readonly issue: string | null;
}) {
  const { money, words } = useReader();
  const { currency } = folio.state.booking;
  const button = useButton(folio, quote);
  const priced = quote?.priced ?? null;
  return (
    <div data-price-box data-button={button}>
      {issue !== null && <p class="fault">{issue}</p>}
      {priced !== null && (
        <dl>
          <Fact name={words.pay.bookingPayment}>{money(priced.requestedMinor, currency)}</Fact>
          <Fact name={words.pay.cardFee}>
            {money(priced.cardFeeMinor + priced.transactionFeeMinor, currency)}
          </Fact>
          <Fact name={words.pay.total} due>
            {money(priced.amountMinor, currency)}
          </Fact>
        </dl>
      )}
      {priced === null && issue === null && <p class="hint">{words.pay.feeByCard}</p>}
      {quote && <PaidEarly folio={folio} instead={quote.instead} />}
      {quote && priced && (
        <>
          <input type="hidden" name="agreedMinor" value={priced.amountMinor} />
          <input type="hidden" name="replaces" value={idsOf(quote)} />
          <input type="hidden" name="lowers" value={loweredOf(quote)} />
        </>
      )}
    </div>
  );
}

function idsOf({ instead }: Quote): string {
  return instead.cancelled.map(({ id }) => id).join(',');
}

function loweredOf({ instead: { lowered } }: Quote): string {
  return lowered === null ? '' : `${lowered.to.id}:${lowered.to.requestedMinor}`;
}

/** Says which scheduled charges this payment is instead of, which takes less then, and what stays scheduled. */
function PaidEarly({
  folio: { balance, state },
  instead,
}: {
  readonly folio: Folio;
  readonly instead: PaidInstead;
}) {
  const { instant, money, words } = useReader();
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
