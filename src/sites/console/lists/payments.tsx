import type { Child } from 'hono/jsx';
import { DAY_MS } from '../../../core/time.ts';
import { disputeReason } from '../../../core/words/staff.ts';
import { instant, zonedInstant } from '../../../desk/format.ts';
import {
  noteOf,
  partMinor,
  partName,
  sumByCurrency,
  whatComes,
} from '../../../desk/listSentences.ts';
import {
  type ClosedDispute,
  COMING_DAYS,
  type ComingPayment,
  type OpenDispute,
  type PlannedPart,
  selectClosedDisputes,
  selectComing,
  selectDisputesByDeadline,
  selectPlannedParts,
} from '../../../desk/lists.ts';
import { cardCopy, words } from '../../../desk/words.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { nextPart } from '../../../records/plans/rules/follow.ts';
import { StateBadge } from '../../web/badge.tsx';
import type { Column } from '../../web/table.tsx';
import { disputePath } from '../paths.ts';
import {
  amountColumn,
  bookingColumns,
  currencyColumn,
  Described,
  entryColumns,
  entryId,
  listedTime,
  moneyColumns,
  more,
} from './columns.tsx';
import type { StaffList, StaffPage } from './list.tsx';

const { columns: names, coming: copyOfComing, disputes: copyOfDisputes } = words;

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

/** Open disputes, those that need an answer first, the soonest deadline first. */
export const disputes: StaffList<OpenDispute> = {
  copy: copyOfDisputes,
  name: 'openDisputes',
  file: 'disputes',
  key: ({ id, respondByMs, status }) => [status, respondByMs ?? 0, id],
  select: selectDisputesByDeadline,
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
          {deadline(row, shown ? instant : zonedInstant)}
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
  select: selectClosedDisputes,
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

function deadline(row: OpenDispute, written: typeof instant): Child {
  const { respondByMs, status, timeZone } = row;
  if (status === 'under_review') return copyOfDisputes.given;
  if (respondByMs === null) return copyOfDisputes.noDeadline;
  const time = written(respondByMs, timeZone);
  if (respondByMs >= propertyNow(row)) return copyOfDisputes.answerBy({ time });
  return <StateBadge state="disputed" text={copyOfDisputes.late({ time })} />;
}
