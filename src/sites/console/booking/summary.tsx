import { sumOf } from '../../../core/sum.ts';
import type { BookingFile } from '../../../desk/bookingFile.ts';
import { days, money } from '../../../desk/format.ts';
import {
  type MoneyState,
  paymentStateCopy,
  stateOfBooking,
  stateOfPayment,
} from '../../../desk/moneyState.ts';
import { cardCopy, words } from '../../../desk/words.ts';
import { cardTokenNow, isAtBank } from '../../../money/payments/rules.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import { StateBadge } from '../../web/badge.tsx';
import { Fact } from '../../web/forms.tsx';
import { Section } from '../../web/page.tsx';
import { Instant } from '../../web/table.tsx';
import { useFile } from '../site.tsx';
import { REFUND_LOOKS, timeOf } from './payments.tsx';

const { summary: copy } = words.booking;

/** What people ask first: who stays when, how the money stands, and what came of the latest payment and refund. */
export function Summary() {
  const file = useFile();
  const { balance, disputes, recoveries, refunds, state, transactions } = file;
  const { booking, property } = state;
  const isAsked = transactions.every((row) => row.pendingOperation === null || isAtBank(row));
  const overpaidMinor = Math.max(0, balance.overpaidMinor - refundingMinor(file));
  const stated = stateOfBooking(booking, { ...balance, overpaidMinor });
  const standing = stated === 'unknown' && isAsked ? 'waiting' : stated;
  // The page has what is due beside it: of what is disputed or overpaid, it says how much that is.
  const standingText = (state: MoneyState) => {
    const what = words.moneyStates[state];
    const minor = { disputed: balance.disputedMinor, overpaid: overpaidMinor };
    return state === 'disputed' || state === 'overpaid'
      ? copy.of({ what, amount: money(minor[state], booking.currency) })
      : what;
  };
  // What is disputed or uncertain is due, and not to be paid again.
  const due = money(balance.dueMinor, booking.currency);
  const amount = money(balance.payableMinor, booking.currency);
  const dueInPart = balance.payableMinor === 0 ? copy.dueLater : copy.dueInPart;
  const dueText = due === amount ? copy.due({ amount }) : dueInPart({ due, amount });
  const inOrder = transactions.toSorted((one, two) => timeOf(two) - timeOf(one));
  const next = inOrder.findLast(({ status }) => status === 'Pending');
  const latest = inOrder.find(({ status }) => status !== 'Pending' && status !== 'Cancelled');
  const disputed = inOrder.find((row) => stateOfPayment(row, disputes) === 'disputed');
  const refund = refunds.at(-1);
  const asked = recoveries.filter(({ deadlineAtMs, endedAs }) => deadlineAtMs && endedAs === null);
  return (
    <Section id="summary" heading={property.name}>
      <p>
        {days(booking.arrival, booking.departure)}{' '}
        {standing && <StateBadge state={standing} text={standingText(standing)} />}{' '}
        {balance.dueMinor > 0 && booking.status === 'booked' && <strong>{dueText}</strong>}
      </p>
      <dl class="facts">
        {disputed && disputed !== latest && <PaymentFact name={copy.disputed} row={disputed} />}
        {latest && <PaymentFact name={copy.latest} row={latest} />}
        {refund && (
          <Fact name={copy.refund}>
            <StateBadge state={REFUND_LOOKS[refund.status]} />{' '}
            {money(refund.amountMinor, refund.currency)}
          </Fact>
        )}
        {next && <PaymentFact name={copy.next} row={next} />}
        {asked.map(({ deadlineAtMs }) => (
          <Fact name={copy.answerUntil}>
            <Instant atMs={deadlineAtMs} timeZone={property.timeZone} />
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

/** What is on its way back of what counts as paid, in minor units. */
function refundingMinor({ refunds, transactions }: BookingFile): number {
  const bonds = transactions.filter(({ purpose }) => purpose === 'Bond').map(({ id }) => id);
  const isOnItsWay = ({ status, transactionId }: (typeof refunds)[number]) =>
    status === 'Processing' && !bonds.includes(transactionId);
  return sumOf(refunds.filter(isOnItsWay), 'amountMinor');
}

/** A payment in one line: how it stands, how much, on which card, and when. */
function PaymentFact({ name, row }: { readonly name: string; readonly row: TransactionRow }) {
  const file = useFile();
  const { booking, property } = file.state;
  const now = cardTokenNow(row, booking);
  const card = file.cards.find(({ token }) => token === now);
  return (
    <Fact name={name}>
      <StateBadge state={stateOfPayment(row, file.disputes)} text={paymentStateCopy(row, file)} />{' '}
      {money(row.amountMinor, row.currency)}
      {card && `, ${cardCopy(card)}`}, <Instant atMs={timeOf(row)} timeZone={property.timeZone} />
    </Fact>
  );
}
