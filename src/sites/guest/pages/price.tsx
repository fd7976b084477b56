import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
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
    ? words.pay.button(money(priced.amountMinor, folio.state.booking.currency))
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
      {quote && <PaidEarly folio={folio} replaced={quote.replaced} />}
      {quote && priced && (
        <>
          <input type="hidden" name="agreedMinor" value={priced.amountMinor} />
          <input type="hidden" name="replaces" value={idsOf(quote)} />
        </>
      )}
    </div>
  );
}

function idsOf({ replaced }: Quote): string {
  return replaced.map(({ id }) => id).join(',');
}

/** Says which scheduled charges this payment is instead of, and what stays scheduled. */
function PaidEarly({
  folio: { balance, state },
  replaced,
}: {
  readonly folio: Folio;
  readonly replaced: readonly TransactionRow[];
}) {
  const { instant, money, words } = useReader();
  const { currency } = state.booking;
  const { timeZone } = state.property;
  if (balance.scheduledMinor === 0) return null;
  const replacedMinor = replaced.reduce((sum, row) => sum + row.requestedMinor, 0);
  const leftMinor = balance.scheduledMinor - replacedMinor;
  return (
    <Notice kind="info">
      {replaced.length > 0 && (
        <>
          <p>{words.pay.replaces}</p>
          <ul>
            {replaced.map((row) => (
              <li>
                {words.scheduled.line(
                  money(row.requestedMinor, currency),
                  instant(row.scheduledAtMs ?? row.createdAtMs, timeZone),
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {leftMinor > 0 && <p>{words.pay.staysScheduled(money(leftMinor, currency))}</p>}
    </Notice>
  );
}
