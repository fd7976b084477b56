import { money, plainMoney } from '../../../core/format.ts';
import { localTimestamp } from '../../../core/time.ts';
import { balanceOf } from '../../../money/balance/rules/balance.ts';
import { bookingTotals, withEntry } from '../../../records/history/rules/totals.ts';
import { NO_SUMS } from '../../../records/history/sums.ts';
import type { CsvColumns } from '../../web/csvTable.ts';
import { Instant } from '../../web/table.tsx';
import { cardCopy, declineCopy, kindCopy } from '../words.ts';
import { BookingCell, guestOf, type ListOf, ListPage, ListSection } from './listPage.tsx';
import type { Listed } from './pages.ts';
import type { FailedPayment, FailedRefund } from './store.ts';

/** How far back the list of failed payments looks. */
export const FAILED_DAYS = 30;

/** What was declined or failed, why, and what can be done. */
export function FailedPage({
  person,
  property,
  payments,
  refunds,
}: ListOf & {
  readonly payments: Listed<FailedPayment>;
  readonly refunds: Listed<FailedRefund>;
}) {
  const { timeZone } = property;
  return (
    <ListPage
      person={person}
      property={property}
      here="failed"
      title="Failed payments"
      intro={`Payments and refunds of the last ${FAILED_DAYS} days that did not work.`}
    >
      <ListSection
        property={property}
        here="failed"
        heading="Payments"
        caption="Payments that were declined or failed, the latest first"
        listed={payments}
        empty="No payment failed."
        columns={[
          { name: 'Time', cell: ({ atMs }) => <Instant atMs={atMs} timeZone={timeZone} /> },
          { name: 'Booking', cell: (row) => <BookingCell property={property} row={row} /> },
          { name: 'What', cell: ({ kind, purpose }) => `${kindCopy[kind]}, ${purpose}` },
          { name: 'Amount', isNumber: true, cell: (row) => money(row.amountMinor, row.currency) },
          { name: 'Card', cell: cardCopy },
          { name: 'Why', cell: whyFailed },
          { name: 'What to do', cell: adviceFor },
        ]}
      />
      <ListSection
        property={property}
        here="failed"
        heading="Refunds"
        caption="Refunds that failed, the latest first"
        listed={refunds}
        after="afterRefund"
        empty="No refund failed."
        table="refunds"
        columns={[
          { name: 'Time', cell: ({ atMs }) => <Instant atMs={atMs} timeZone={timeZone} /> },
          { name: 'Booking', cell: (row) => <BookingCell property={property} row={row} /> },
          { name: 'Amount', isNumber: true, cell: (row) => money(row.amountMinor, row.currency) },
          { name: 'Of payment', isNumber: true, cell: ({ transactionId }) => transactionId },
          { name: 'What to do', cell: () => REFUND_AGAIN },
        ]}
      />
    </ListPage>
  );
}

const REFUND_AGAIN = 'The guest did not get the money. Refund again, or pay it back another way.';

/** The payments as CSV. */
export function failedCsv(timeZone: string): CsvColumns<FailedPayment> {
  return {
    [`Time in ${timeZone}`]: ({ atMs }) => localTimestamp(atMs, timeZone),
    Booking: ({ bookingReference }) => bookingReference,
    Guest: guestOf,
    What: ({ kind, purpose }) => `${kindCopy[kind]}, ${purpose}`,
    Amount: ({ amountMinor, currency }) => plainMoney(amountMinor, currency),
    Currency: ({ currency }) => currency,
    Card: cardCopy,
    Why: whyFailed,
    'What to do': adviceFor,
    Id: ({ id }) => id,
  };
}

/** The refunds as CSV. */
export function failedRefundsCsv(timeZone: string): CsvColumns<FailedRefund> {
  return {
    [`Time in ${timeZone}`]: ({ atMs }) => localTimestamp(atMs, timeZone),
    Booking: ({ bookingReference }) => bookingReference,
    Guest: guestOf,
    Amount: ({ amountMinor, currency }) => plainMoney(amountMinor, currency),
    Currency: ({ currency }) => currency,
    'Of payment': ({ transactionId }) => transactionId,
    'What to do': () => REFUND_AGAIN,
    Id: ({ id }) => id,
  };
}

function whyFailed({ declineCode, status }: FailedPayment): string {
  return status === 'Declined'
    ? `Declined: ${declineCopy(declineCode)}`
    : 'It failed on the way: nothing was charged';
}

/** What a person can do, by what the guest was already asked, and by the reason. */
function adviceFor(row: FailedPayment): string {
  const { cause, declineCode, endedAs, status } = row;
  if (endedAs === 'answered') return 'Nothing: the guest gave another card.';
  if (endedAs === 'paid') return 'Nothing: the guest paid it.';
  if (endedAs === 'unanswered') return 'The guest was asked and did not answer: call them.';
  const paid = paidAdvice(row);
  if (paid !== null) return paid;
  if (cause !== null && (row.asked ?? 0) > 0)
    return 'The guest was asked for another card: wait for it.';
  if (status === 'Failed') return 'Charge it again.';
  return advice[declineCode ?? ''] ?? 'Send a payment link, or ask for another card.';
}

/** What can be done where the booking was paid since, at least in part, or will be; null where all is open. */
function paidAdvice(row: FailedPayment): string | null {
  const { currency, entries, paidSinceMinor, purpose, requestedMinor, totalCostMinor } = row;
  if (purpose === 'Bond' || totalCostMinor === 0) {
    return paidSinceMinor >= requestedMinor ? 'Nothing: it was paid since.' : null;
  }
  const sums = entries.reduce(withEntry, NO_SUMS);
  const { dueMinor, proposedMinor } = balanceOf(totalCostMinor, bookingTotals(sums));
  if (dueMinor === 0) return 'Nothing: nothing is due any more.';
  if (proposedMinor === 0) {
    return 'Nothing now: what is due is scheduled, under way or disputed.';
  }
  return proposedMinor < requestedMinor
    ? `Charge ${money(proposedMinor, currency)} at most: the rest was paid or is scheduled.`
    : null;
}

const OTHER_CARD = 'Ask the guest for another card.';

const advice: Readonly<Record<string, string>> = {
  insufficient_funds: 'Charge it again later, or send a payment link.',
  expired_card: OTHER_CARD,
  lost_card: OTHER_CARD,
  stolen_card: OTHER_CARD,
  pickup_card: OTHER_CARD,
  invalid_number: OTHER_CARD,
  incorrect_number: OTHER_CARD,
  authentication_required: 'Send a payment link: the guest has to confirm it with their bank.',
};
