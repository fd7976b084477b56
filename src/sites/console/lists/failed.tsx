import { money } from '../../../core/format.ts';
import { DAY_MS } from '../../../core/time.ts';
import {
  FAILED_DAYS,
  type FailedPayment,
  type FailedRefund,
  selectFailed,
  selectFailedRefunds,
} from '../../../desk/lists.ts';
import { cardCopy, declineCopy, wordFor, words } from '../../../desk/words.ts';
import { balanceOf } from '../../../money/balance/rules/balance.ts';
import { bookingTotals, withEntry } from '../../../records/history/rules/totals.ts';
import { NO_SUMS } from '../../../records/history/sums.ts';
import { amountColumn, bookingColumns, currencyColumn, listedTime } from './columns.tsx';
import type { StaffList, StaffPage } from './list.tsx';

const names = words.columns;
const { advice, payments, refunds } = words.failed;

/** What was declined or failed, why, and what can be done. */
export const failedPayments: StaffList<FailedPayment> = {
  ...payments,
  name: 'failed',
  field: 'after',
  file: 'failed',
  key: ({ atMs, id }) => [atMs, id],
  select: (queries, scope, nowMs, part) =>
    selectFailed(queries, scope, nowMs - FAILED_DAYS * DAY_MS, part),
  columns: ({ shown }) => [
    listedTime(names.time, ({ atMs }) => atMs, shown),
    ...bookingColumns(shown),
    { name: names.what, text: ({ kind, purpose }) => `${words.kinds[kind]}, ${purpose}` },
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    currencyColumn,
    ...(shown ? [{ name: names.card, text: cardCopy }] : []),
    { name: payments.why, text: whyFailed },
    { name: payments.advice, text: adviceFor },
    { name: names.id, isForFiles: shown !== null, text: ({ id }) => id },
  ],
};

export const failedRefunds: StaffList<FailedRefund> = {
  ...refunds,
  name: 'failedRefunds',
  field: 'afterRefund',
  file: 'failed-refunds',
  table: 'refunds',
  key: ({ atMs, id }) => [atMs, id],
  select: (queries, scope, nowMs, part) =>
    selectFailedRefunds(queries, scope, nowMs - FAILED_DAYS * DAY_MS, part),
  columns: ({ shown }) => [
    listedTime(names.time, ({ atMs }) => atMs, shown),
    ...bookingColumns(shown),
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    currencyColumn,
    { name: names.ofPayment, isNumber: true, text: ({ transactionId }) => transactionId },
    { name: payments.advice, text: () => refunds.again },
    { name: names.id, isForFiles: shown !== null, text: ({ id }) => id },
  ],
};

export const failedPage: StaffPage = {
  path: 'failed',
  title: words.failed.title,
  intro: words.failed.intro({ days: String(FAILED_DAYS) }),
  lists: [failedPayments, failedRefunds],
};

function whyFailed({ declineCode, status }: FailedPayment): string {
  const { declined, failed } = words.states;
  return status === 'Declined' ? declined({ reason: declineCopy(declineCode) }) : failed;
}

/** What a person can do, by what the guest was already asked, by what was paid since, and by the reason. */
function adviceFor(row: FailedPayment): string {
  const { asked, cause, declineCode, endedAs, status } = row;
  if (endedAs === 'answered' || endedAs === 'paid') return advice[endedAs];
  const paid = paidAdvice(row);
  if (paid !== null) return paid;
  if (endedAs === 'unanswered') return advice.unanswered;
  if (cause !== null && (asked ?? 0) > 0) return advice.asked;
  if (status === 'Failed') return advice.again;
  return wordFor(words.failed.adviceByDecline, declineCode ?? '') ?? advice.other;
}

/** What can be done where the booking was paid since, at least in part, or will be; null where all is open. */
function paidAdvice(row: FailedPayment): string | null {
  const { currency, entries, paidSinceMinor, purpose, requestedMinor, totalCostMinor } = row;
  if (purpose === 'Bond' || totalCostMinor === 0) {
    return paidSinceMinor >= requestedMinor ? advice.paidSince : null;
  }
  const sums = entries.reduce(withEntry, NO_SUMS);
  const { dueMinor, proposedMinor } = balanceOf(totalCostMinor, bookingTotals(sums));
  if (dueMinor === 0) return advice.nothingDue;
  if (proposedMinor === 0) return advice.arranged;
  return proposedMinor < requestedMinor
    ? advice.less({ amount: money(proposedMinor, currency) })
    : null;
}
