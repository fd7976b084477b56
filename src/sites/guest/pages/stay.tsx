import { daysBetween } from '../../../core/days.ts';
import { isolated } from '../../../core/format.ts';
import { localDate } from '../../../core/time.ts';
import type { Reader } from '../../../core/words/reader.ts';
import { statementOf } from '../../../money/balance/rules/balance.ts';
import { type Folio, keptMinor, shownBalance } from '../../../money/guest/folio.ts';
import { Fact } from '../../web/forms.tsx';
import { useGuest, useReader } from './reader.tsx';

/** Who stays when, where the stay stands, what it costs, and what of that is due. */
export function Stay() {
  const { folio, nowMs } = useGuest();
  const reader = useReader();
  const { booking } = folio.state;
  return (
    <section>
      <p class="stay">{reader.days(booking.arrival, booking.departure)}</p>
      <p>
        <bdi>{reader.guest(booking)}</bdi> · <bdi>{booking.reference}</bdi>
      </p>
      {booking.status !== 'cancelled' && <p>{phaseWords(folio, nowMs, reader)}</p>}
      <Amounts />
    </section>
  );
}

/** Where the stay stands: ahead, now, or over; and that what is still due then is late. */
function phaseWords({ balance, state }: Folio, nowMs: number, { day, words }: Reader): string {
  const { booking: texts } = words;
  const { arrival, departure } = state.booking;
  const today = localDate(nowMs, state.property.timeZone);
  const isOpen = balance.payableMinor > balance.scheduledMinor;
  if (today < arrival) return texts.ahead({ days: daysBetween(today, arrival) });
  if (today <= departure) {
    const inHouse = texts.inHouse({ departure: day(departure) });
    return isOpen ? `${inHouse} ${texts.dueInHouse}` : inHouse;
  }
  const past = texts.past({ departure: day(departure) });
  return isOpen ? `${past} ${texts.overdue}` : past;
}

/** What the stay costs, or its cancellation keeps, and what was paid, as lines that add up to what is due. */
function Amounts() {
  const { money, words } = useReader();
  const texts = words.amounts;
  const { folio } = useGuest();
  const { booking, property } = folio.state;
  const isKept = keptMinor(folio) !== null;
  const balance = shownBalance(folio);
  const statement = statementOf(folio.totals, balance);
  const amount = (minor: number) => money(minor, booking.currency);
  const isOverpaid = statement.overpaidMinor > 0;
  if (statement.stayMinor === null && statement.chargedMinor === 0) return null;
  // What is disputed is between the bank and the property: alone, it is no sum to pay.
  const isLeftToBank = balance.disputedMinor > 0 && balance.payableMinor === 0;
  const isOver = (booking.status === 'cancelled' && !isKept) || isOverpaid || isLeftToBank;
  const stayMinor = isKept ? balance.totalCostMinor : statement.stayMinor;
  const hasDue = !isOver && stayMinor !== null;
  const moved = [
    [texts.waived, '−', statement.waivedMinor],
    [texts.fees, '', statement.feesMinor],
    [texts.charged, '−', statement.chargedMinor],
    [texts.refunded, '', statement.refundedMinor],
    [texts.disputed, '', statement.disputedMinor],
  ] as const;
  return (
    <>
      <h2 class="unseen">{texts.heading}</h2>
      <dl>
        {stayMinor !== null && (
          <Fact name={isKept ? texts.kept : texts.stay}>{amount(stayMinor)}</Fact>
        )}
        {moved.map(
          ([name, sign, minor]) => minor > 0 && <Fact name={name}>{sign + amount(minor)}</Fact>,
        )}
        {isOverpaid && (
          <Fact name={texts.overpaid} due>
            {amount(statement.overpaidMinor)}
          </Fact>
        )}
        {hasDue && (
          <Fact name={texts.due} due>
            {amount(statement.dueMinor)}
          </Fact>
        )}
        {balance.uncertainMinor > 0 && (
          <Fact name={texts.ofWhichConfirming}>{amount(balance.uncertainMinor)}</Fact>
        )}
      </dl>
      {hasDue && !isKept && statement.refundedMinor > 0 && statement.dueMinor > 0 && (
        <p class="hint">
          {texts.dueAfterRefund({
            refunded: amount(statement.refundedMinor),
            property: isolated(property.name),
          })}
        </p>
      )}
      {isOverpaid && !isKept && (
        <p>
          {texts.overpaidText({
            amount: amount(statement.overpaidMinor),
            property: isolated(property.name),
          })}
        </p>
      )}
    </>
  );
}
