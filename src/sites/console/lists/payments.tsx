import { DAY_MS } from '../../../core/time.ts';
import { disputeReason } from '../../../core/words/staff.ts';
import { mayTry } from '../../../desk/actions.ts';
import { type Advised, adviceFor } from '../../../desk/advice.ts';
import { instant, zonedInstant } from '../../../desk/format.ts';
import {
  forCard,
  noteOf,
  partMinor,
  partName,
  sumByCurrency,
  toSettle,
  whatComes,
  whyFailed,
} from '../../../desk/listSentences.ts';
import {
  type ClosedDispute,
  COMING_DAYS,
  type ComingPayment,
  FAILED_DAYS,
  type FailedPayment,
  type FailedRefund,
  type FailingCard,
  LAST_TRY,
  type OpenDispute,
  type PlannedPart,
  selectClosedDisputes,
  selectComing,
  selectDisputesByDeadline,
  selectFailed,
  selectFailedRefunds,
  selectFailingCards,
  selectPlannedParts,
  selectUnanswered,
  selectUnansweredRefunds,
  selectUnsettled,
  type UnansweredPayment,
  type UnansweredRefund,
  type Unsettled,
} from '../../../desk/lists.ts';
import { cardCopy, whatCopy, words } from '../../../desk/words.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { nextPart } from '../../../records/plans/rules/follow.ts';
import type { Person } from '../../../records/staff/rules.ts';
import { StateBadge } from '../../web/badge.tsx';
import type { Column } from '../../web/table.tsx';
import { bookingPath, pathOf } from '../paths.ts';
import {
  amountColumn,
  amountIn,
  bookingColumns,
  currencyColumn,
  Described,
  entryColumns,
  entryId,
  listedTime,
  moneyColumns,
  more,
} from './columns.tsx';
import type { ListView, StaffList, StaffPage } from './list.tsx';

const { columns: names, coming: copyOfComing, disputes: copyOfDisputes } = words;
const { payments, refunds, settlements } = words.failed;

/** What was declined or failed, why, and what can be done. */
export const failedPayments: StaffList<FailedPayment> = {
  copy: payments,
  name: 'failed',
  file: 'failed',
  key: ({ atMs, id }) => [atMs, id],
  select: (scope, nowMs, part) => {
    const also = scope === null ? undefined : LAST_TRY;
    return selectFailed(scope, nowMs - FAILED_DAYS * DAY_MS, part, also);
  },
  selectAll: (scope, nowMs, part) => selectFailed(scope, nowMs - FAILED_DAYS * DAY_MS, part),
  columns: ({ person, shown }) => [
    ...entryColumns(shown),
    { name: names.what, isMore: true, text: whatCopy },
    ...moneyColumns(),
    ...(shown ? [{ name: names.card, isMore: true, text: cardCopy }] : []),
    { name: payments.why, text: whyFailed },
    {
      name: payments.advice,
      text: (row) => adviceFor(row).text,
      cell: (row) => <Advice row={row} person={person} advised={adviceFor(row)} />,
    },
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
    {
      name: payments.advice,
      text: () => refunds.again,
      cell: (row) => (
        <Advice row={row} person={person} advised={{ text: refunds.again, act: 'refund' }} />
      ),
    },
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
    {
      name: payments.advice,
      text: toSettle,
      cell: (row) => <Advice row={row} person={person} advised={{ text: toSettle(row) }} />,
    },
  ],
};

/** The columns of what the acquirer has not answered. */
const asked = ({ shown }: ListView) => [
  ...entryColumns<UnansweredPayment>(shown),
  ...moneyColumns(),
  entryId(shown),
];

export const unansweredPayments: StaffList<UnansweredPayment> = {
  copy: words.failed.unanswered,
  name: 'unanswered',
  field: 'afterUnanswered',
  file: 'unanswered',
  table: 'unanswered',
  key: ({ atMs, id }) => [atMs, id],
  select: (scope, _nowMs, part) => selectUnanswered(scope, part),
  columns: asked,
};

export const unansweredRefunds: StaffList<UnansweredRefund> = {
  copy: words.failed.unansweredRefunds,
  name: 'unansweredRefunds',
  field: 'afterAsked',
  file: 'unanswered-refunds',
  table: 'unanswered-refunds',
  key: ({ atMs, id }) => [atMs, id],
  select: (scope, _nowMs, part) => selectUnansweredRefunds(scope, part),
  columns: asked,
};

const { cards } = words.failed;

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
    {
      name: payments.advice,
      text: (row) => forCard(row).text,
      cell: (row) => <Advice row={row} person={person} advised={forCard(row)} />,
    },
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
function Advice({
  row: { bookingReference: reference, propertyId: property, transactionId },
  person,
  advised: { act, isDone, text },
}: {
  readonly row: Pick<FailedPayment, 'bookingReference' | 'propertyId'> & {
    readonly transactionId?: number;
  };
  readonly person: Person | undefined;
  readonly advised: Advised;
}) {
  if (isDone) return <>{text}</>;
  const about = { property, reference };
  if (act === undefined || !person || !mayTry(person, act)) {
    return <a href={`${bookingPath(property, reference)}#actions`}>{text}</a>;
  }
  const of = transactionId === undefined ? {} : { chargeId: String(transactionId) };
  const page = act === 'charge' || act === 'refund' ? 'form' : 'confirm';
  return <a href={pathOf(page, { ...about, do: act, ...of })}>{text}</a>;
}

/** What will be charged, and which holds end, the next first. */
export const coming: StaffList<ComingPayment> = {
  copy: copyOfComing,
  name: 'coming',
  file: 'coming',
  key: ({ atMs, id }) => [atMs, id],
  sumOf: sumByCurrency,
  select: (scope, nowMs, part) => selectComing(scope, nowMs + COMING_DAYS * DAY_MS, part),
  columns: ({ shown }) => [
    listedTime(copyOfComing.due, ({ atMs }) => atMs, shown),
    ...bookingColumns(shown),
    {
      name: names.what,
      text: (row) => whatComes(row, words.kinds[row.kind]),
      // The page says already that it is scheduled.
      cell: (row) => {
        const what = whatComes(row, copyOfComing.purposes[row.purpose]);
        return <Described what={what} description={row.description} />;
      },
    },
    ...moneyColumns(),
    ...(shown ? [{ name: names.card, isMore: true, text: cardCopy }] : []),
    { name: copyOfComing.note, isMore: true, text: noteOf },
    entryId(shown),
  ],
};

/** The next part of each plan. */
export const plannedParts: StaffList<PlannedPart> = {
  copy: copyOfComing.planned,
  name: 'plannedParts',
  field: 'afterPart',
  file: 'planned',
  table: 'planned',
  key: ({ atMs, id }) => [atMs, id],
  select: (scope, nowMs, part) => selectPlannedParts(scope, nowMs + COMING_DAYS * DAY_MS, part),
  columns: ({ shown }) => [
    listedTime(copyOfComing.due, ({ atMs }) => atMs, shown),
    ...bookingColumns(shown),
    { name: names.what, isMore: true, text: partName },
    amountColumn(names.amount, partMinor),
    currencyColumn,
    {
      name: copyOfComing.note,
      isMore: true,
      text: ({ parts }) => (nextPart(parts)?.foretold ? copyOfComing.cardExpired : ''),
    },
  ],
};

export const comingPage: StaffPage = {
  path: 'coming',
  copy: copyOfComing,
  days: COMING_DAYS,
  lists: [coming, plannedParts],
};

const reasonColumn: Column<{ readonly reason: string }> = {
  get name() {
    return copyOfDisputes.reason;
  },
  isMore: true,
  text: ({ reason }) => disputeReason(words, reason),
};

/** The id of a dispute, which leads to its page. */
const disputeColumn: Column<{ readonly id: string; readonly propertyId: string }> = {
  get name() {
    return copyOfDisputes.id;
  },
  isMore: true,
  text: ({ id }) => id,
  cell: ({ id, propertyId }) => (
    <a href={disputePath(propertyId, id)}>
      {copyOfDisputes.open}
      <span class="unseen"> {id}</span>
    </a>
  ),
};

function disputePath(property: string, dispute: string): string {
  return pathOf('dispute', { property, dispute });
}

/** Open disputes, those that need an answer first, the soonest deadline first. */
export const disputes: StaffList<OpenDispute> = {
  copy: copyOfDisputes,
  name: 'openDisputes',
  file: 'disputes',
  key: ({ id, respondByMs, status }) => [status, respondByMs ?? 0, id],
  select: (scope, _nowMs, part) => selectDisputesByDeadline(scope, part),
  columns: ({ shown }) => [
    {
      ...listedTime<OpenDispute>(
        copyOfDisputes.due,
        ({ respondByMs, status }) => (status === 'under_review' ? null : respondByMs),
        shown,
      ),
      // On a phone, its column leads to the dispute.
      cell: (row) => (
        <a href={disputePath(row.propertyId, row.id)}>
          <Deadline row={row} written={shown ? instant : zonedInstant} />
        </a>
      ),
    },
    ...bookingColumns(shown),
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    more(amountColumn<OpenDispute>(copyOfDisputes.fee, ({ feeMinor }) => feeMinor)),
    currencyColumn,
    reasonColumn,
    { name: copyOfDisputes.stage, isMore: true, text: ({ stage }) => words.disputeStages[stage] },
    {
      name: copyOfDisputes.state,
      isMore: true,
      text: ({ status }) => words.disputeStates[status],
    },
    {
      ...listedTime<OpenDispute>(copyOfDisputes.opened, ({ openedAtMs }) => openedAtMs, shown),
      fileName: copyOfDisputes.opened,
      isMore: true,
    },
    { name: names.ofPayment, isForFiles: true, text: ({ transactionId }) => transactionId },
    disputeColumn,
  ],
};

/** Disputes that banks have decided, the latest first. */
const closedDisputes: StaffList<ClosedDispute> = {
  copy: copyOfDisputes.closed,
  name: 'closedDisputes',
  field: 'afterClosed',
  file: 'closed-disputes',
  table: 'closed',
  key: ({ atMs, id }) => [atMs, id],
  select: (scope, _nowMs, part) => selectClosedDisputes(scope, part),
  columns: ({ shown }) => [
    ...entryColumns(shown, copyOfDisputes.decided),
    {
      name: copyOfDisputes.state,
      text: ({ status }) => words.disputeStates[status],
      cell: ({ status }) =>
        status === 'lost' ? <StateBadge state="lost" /> : words.disputeStates[status],
    },
    ...moneyColumns(),
    reasonColumn,
    disputeColumn,
  ],
};

export const disputesPage: StaffPage = {
  copy: copyOfDisputes,
  path: 'disputes',
  lists: [disputes, closedDisputes],
};

function Deadline({
  row,
  written,
}: {
  readonly row: OpenDispute;
  readonly written: typeof instant;
}) {
  const { respondByMs, status, timeZone } = row;
  if (status === 'under_review') return <>{copyOfDisputes.given}</>;
  if (respondByMs === null) return <>{copyOfDisputes.noDeadline}</>;
  const time = written(respondByMs, timeZone);
  if (respondByMs >= propertyNow(row)) return <>{time}</>;
  return <StateBadge state="disputed" text={copyOfDisputes.late({ time })} />;
}
