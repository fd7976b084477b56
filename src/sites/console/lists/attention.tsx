import { DAY_MS } from '../../../core/time.ts';
import { mayTry } from '../../../desk/actions.ts';
import { type Advised, adviceFor } from '../../../desk/advice.ts';
import {
  FAILED_DAYS,
  type FailedPayment,
  type FailedRefund,
  type FailingCard,
  selectFailed,
  selectFailedRefunds,
  selectFailingCards,
  selectLastFailed,
  selectUnanswered,
  selectUnansweredRefunds,
  selectUnsettled,
  type Unanswered,
  type Unsettled,
} from '../../../desk/attentionLists.ts';
import { forCard, toSettle, whyFailed } from '../../../desk/listSentences.ts';
import { cardCopy, whatCopy, words } from '../../../desk/words.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { Column } from '../../web/table.tsx';
import { bookingPath, pathOf } from '../paths.ts';
import {
  amountColumn,
  amountIn,
  currencyColumn,
  entryColumns,
  entryId,
  moneyColumns,
  more,
} from './columns.tsx';
import type { ListView, StaffList, StaffPage } from './list.tsx';

const { columns: names } = words;
const { cards, payments, refunds, settlements } = words.failed;

/** What was declined or failed, why, and what can be done. */
export const failedPayments: StaffList<FailedPayment> = {
  copy: payments,
  name: 'failed',
  file: 'failed',
  key: ({ atMs, id }) => [atMs, id],
  select: (scope, nowMs, part) => {
    const select = scope === null ? selectFailed : selectLastFailed;
    return select(scope, nowMs - FAILED_DAYS * DAY_MS, part);
  },
  selectAll: (scope, nowMs, part) => selectFailed(scope, nowMs - FAILED_DAYS * DAY_MS, part),
  columns: ({ person, shown }) => [
    ...entryColumns(shown),
    { name: names.what, isMore: true, text: whatCopy },
    ...moneyColumns(),
    ...(shown ? [{ name: names.card, isMore: true, text: cardCopy }] : []),
    { name: payments.why, text: whyFailed },
    adviceColumn(person, adviceFor),
    entryId(shown),
  ],
};

export const failedRefunds: StaffList<FailedRefund> = {
  copy: refunds,
  name: 'failedRefunds',
  field: 'afterRefund',
  file: 'failed-refunds',
  table: 'refunds',
  key: ({ atMs, id }) => [atMs, id],
  select: (scope, nowMs, part) => selectFailedRefunds(scope, nowMs - FAILED_DAYS * DAY_MS, part),
  columns: ({ person, shown }) => [
    ...entryColumns(shown),
    ...moneyColumns(),
    {
      name: names.ofPayment,
      isMore: true,
      isNumber: true,
      text: ({ transactionId }) => transactionId,
    },
    adviceColumn(person, () => ({ text: refunds.again, act: 'refund' })),
    entryId(shown),
  ],
};

/** Cancellations of which not all came in or went back. */
export const unsettled: StaffList<Unsettled> = {
  copy: settlements,
  name: 'unsettled',
  field: 'afterUnsettled',
  file: 'unsettled',
  table: 'unsettled',
  key: ({ atMs, id }) => [atMs, id],
  select: (scope, nowMs, part) => selectUnsettled(scope, nowMs - FAILED_DAYS * DAY_MS, part),
  columns: ({ person, shown }) => [
    ...entryColumns(shown),
    more(amountColumn<Unsettled>(settlements.kept, ({ keptMinor }) => keptMinor)),
    amountColumn(settlements.paid, ({ paidMinor }) => paidMinor),
    currencyColumn,
    adviceColumn<Unsettled>(person, (row) => ({ text: toSettle(row) })),
  ],
};

/** The columns of what the acquirer has not answered. */
const asked = ({ shown }: ListView) => [
  ...entryColumns<Unanswered>(shown),
  ...moneyColumns(),
  entryId(shown),
];

export const unansweredPayments: StaffList<Unanswered> = {
  copy: words.failed.unanswered,
  name: 'unanswered',
  field: 'afterUnanswered',
  file: 'unanswered',
  table: 'unanswered',
  key: ({ atMs, id }) => [atMs, id],
  select: selectUnanswered,
  columns: asked,
};

export const unansweredRefunds: StaffList<Unanswered> = {
  copy: words.failed.unansweredRefunds,
  name: 'unansweredRefunds',
  field: 'afterAsked',
  file: 'unanswered-refunds',
  table: 'unanswered-refunds',
  key: ({ atMs, id }) => [atMs, id],
  select: selectUnansweredRefunds,
  columns: asked,
};

/** Charges, past and to come, whose card fails. */
export const failingCards: StaffList<FailingCard> = {
  copy: cards,
  name: 'failingCards',
  field: 'afterCard',
  file: 'failing-cards',
  table: 'cards',
  isOfOne: true,
  key: ({ atMs, id }) => [atMs, id],
  select: selectFailingCards,
  columns: ({ person, shown }) => [
    ...entryColumns(shown, cards.charge),
    amountIn(
      ({ currency }) => currency,
      names.amount,
      ({ amountMinor }) => amountMinor,
    ),
    currencyColumn,
    { name: names.card, isMore: true, text: cardCopy },
    adviceColumn(person, forCard),
  ],
};

export const failedPage: StaffPage = {
  path: 'failed',
  copy: words.failed,
  days: FAILED_DAYS,
  lists: [
    failedPayments,
    failedRefunds,
    unsettled,
    unansweredPayments,
    unansweredRefunds,
    failingCards,
  ],
};

/** Advice as a link: to the form or the confirmation of what it says, for who may do that, else to the booking. */
function adviceColumn<
  Row extends Pick<FailedPayment, 'bookingReference' | 'propertyId'> & {
    readonly transactionId?: number;
  },
>(person: Person | undefined, adviceFor: (row: Row) => Advised): Column<Row> {
  const cell = (row: Row) => {
    const { bookingReference: reference, propertyId: property, transactionId } = row;
    const { act, isDone, text } = adviceFor(row);
    if (isDone) return <span class="soft">{text}</span>;
    if (act === undefined || !person || !mayTry(person, act)) {
      return <a href={`${bookingPath(property, reference)}#actions`}>{text}</a>;
    }
    const of = transactionId === undefined ? {} : { chargeId: String(transactionId) };
    const page = act === 'charge' || act === 'refund' ? 'form' : 'confirm';
    return <a href={pathOf(page, { property, reference, do: act, ...of })}>{text}</a>;
  };
  return { name: payments.advice, text: (row) => adviceFor(row).text, cell };
}
