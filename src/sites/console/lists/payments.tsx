import { instant, money } from '../../../core/format.ts';
import { DAY_MS } from '../../../core/time.ts';
import { balanceOfEntries } from '../../../desk/bookingMoney.ts';
import {
  COMING_DAYS,
  type ComingPayment,
  FAILED_DAYS,
  type FailedPayment,
  type FailedRefund,
  type OpenDispute,
  selectComing,
  selectDisputesByDeadline,
  selectFailed,
  selectFailedRefunds,
} from '../../../desk/lists.ts';
import { cardCopy, declineCopy, wordFor, words } from '../../../desk/words.ts';
import { amountColumn, bookingColumns, currencyColumn, listedTime } from './columns.tsx';
import type { StaffList, StaffPage } from './list.tsx';

const { columns: names, coming: copyOfComing, disputes: copyOfDisputes } = words;
const { advice, payments, refunds } = words.failed;

/** What was declined or failed, why, and what can be done. */
export const failedPayments: StaffList<FailedPayment> = {
  ...payments,
  name: 'failed',
  file: 'failed',
  key: ({ atMs, id }) => [atMs, id],
  select: (scope, nowMs, part) => selectFailed(scope, nowMs - FAILED_DAYS * DAY_MS, part),
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
  select: (scope, nowMs, part) => selectFailedRefunds(scope, nowMs - FAILED_DAYS * DAY_MS, part),
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
  const { currency, paidSinceMinor, purpose, requestedMinor, totalCostMinor } = row;
  if (purpose === 'Bond' || totalCostMinor === 0) {
    return paidSinceMinor >= requestedMinor ? advice.paidSince : null;
  }
  const { dueMinor, proposedMinor } = balanceOfEntries(row);
  if (dueMinor === 0) return advice.nothingDue;
  if (proposedMinor === 0) return advice.arranged;
  return proposedMinor < requestedMinor
    ? advice.less({ amount: money(proposedMinor, currency) })
    : null;
}

/** What will be charged, and which holds end, the next first. */
export const coming: StaffList<ComingPayment> = {
  ...copyOfComing,
  name: 'coming',
  file: 'coming',
  key: ({ atMs, id }) => [atMs, id],
  select: (scope, nowMs, part) => selectComing(scope, nowMs + COMING_DAYS * DAY_MS, part),
  columns: ({ shown }) => [
    listedTime(copyOfComing.due, ({ atMs }) => atMs, shown),
    ...bookingColumns(shown),
    { name: names.what, text: whatComes },
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    currencyColumn,
    ...(shown ? [{ name: names.card, text: cardCopy }] : []),
    { name: copyOfComing.note, text: noteOf },
    { name: names.id, isForFiles: shown !== null, text: ({ id }) => id },
  ],
};

export const comingPage: StaffPage = {
  path: 'coming',
  title: copyOfComing.title,
  intro: copyOfComing.intro({ days: String(COMING_DAYS) }),
  lists: [coming],
};

function whatComes({ kind, status }: ComingPayment): string {
  return status === 'Authorized' ? copyOfComing.holdEnds : words.kinds[kind];
}

/** What people should know before the time comes. */
function noteOf(row: ComingPayment): string {
  const { attempts, cause, deadlineAtMs, endedAs, status, timeZone } = row;
  const asked = row.asked ?? 0;
  const isOpen = cause !== null && (endedAs === null || endedAs === 'unanswered');
  const notes = [
    attempts > 0 && status === 'Pending' && copyOfComing.declinedBefore,
    isOpen && cause === 'expiring' && copyOfComing.cardExpired,
    isOpen && asked > 0 && copyOfComing.asked,
    isOpen &&
      deadlineAtMs !== null &&
      copyOfComing.until({ time: instant(deadlineAtMs, timeZone) }),
    isOpen && asked === 0 && copyOfComing.ask,
  ];
  return notes.filter(Boolean).join(' ');
}

/** Open disputes, those that need an answer first, the soonest deadline first. */
export const disputes: StaffList<OpenDispute> = {
  ...copyOfDisputes,
  name: 'openDisputes',
  file: 'disputes',
  key: ({ id, respondByMs, status }) => [status, respondByMs ?? 0, id],
  select: (scope, _nowMs, part) => selectDisputesByDeadline(scope, part),
  columns: ({ nowMs, shown }) => [
    {
      ...listedTime<OpenDispute>(
        copyOfDisputes.due,
        ({ respondByMs, status }) => (status === 'under_review' ? null : respondByMs),
        shown,
      ),
      cell: (row) => deadlineCopy(row, nowMs),
    },
    ...bookingColumns(shown),
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    amountColumn(copyOfDisputes.fee, ({ feeMinor }) => feeMinor),
    currencyColumn,
    { name: copyOfDisputes.reason, text: ({ reason }) => reason.replaceAll('_', ' ') },
    { name: copyOfDisputes.stage, text: ({ stage }) => words.disputeStages[stage] },
    { name: copyOfDisputes.state, text: ({ status }) => words.disputeStates[status] },
    {
      ...listedTime(copyOfDisputes.opened, ({ openedAtMs }) => openedAtMs, shown),
      fileName: copyOfDisputes.opened,
    },
    { name: names.ofPayment, isNumber: true, text: ({ transactionId }) => transactionId },
    { name: copyOfDisputes.id, text: ({ id }) => id },
  ],
};

export const disputesPage: StaffPage = { ...copyOfDisputes, path: 'disputes', lists: [disputes] };

function deadlineCopy({ respondByMs, status, timeZone }: OpenDispute, nowMs: number): string {
  if (status === 'under_review') return copyOfDisputes.given;
  if (respondByMs === null) return copyOfDisputes.noDeadline;
  const time = instant(respondByMs, timeZone);
  return respondByMs < nowMs ? copyOfDisputes.late({ time }) : time;
}
