import { instant } from '../../../core/format.ts';
import { type OpenDispute, selectDisputesByDeadline } from '../../../desk/lists.ts';
import { words } from '../../../desk/words.ts';
import { amountColumn, bookingColumns, currencyColumn, listedTime } from './columns.tsx';
import type { StaffList, StaffPage } from './list.tsx';

const names = words.columns;
const { disputes: copy } = words;

/** Open disputes, those that need an answer first, the soonest deadline first. */
export const disputes: StaffList<OpenDispute> = {
  ...copy,
  name: 'openDisputes',
  field: 'after',
  file: 'disputes',
  key: ({ id, respondByMs, status }) => [status, respondByMs ?? 0, id],
  select: (queries, scope, _nowMs, part) => selectDisputesByDeadline(queries, scope, part),
  columns: ({ nowMs, shown }) => [
    {
      ...listedTime<OpenDispute>(
        copy.due,
        ({ respondByMs, status }) => (status === 'under_review' ? null : respondByMs),
        shown,
      ),
      cell: (row) => deadlineCopy(row, nowMs),
    },
    ...bookingColumns(shown),
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    amountColumn(copy.fee, ({ feeMinor }) => feeMinor),
    currencyColumn,
    { name: copy.reason, text: ({ reason }) => reason.replaceAll('_', ' ') },
    { name: copy.stage, text: ({ stage }) => words.disputeStages[stage] },
    { name: copy.state, text: ({ status }) => words.disputeStates[status] },
    { ...listedTime(copy.opened, ({ openedAtMs }) => openedAtMs, shown), fileName: copy.opened },
    { name: names.ofPayment, isNumber: true, text: ({ transactionId }) => transactionId },
    { name: copy.id, text: ({ id }) => id },
  ],
};

export const disputesPage: StaffPage = { ...copy, path: 'disputes', lists: [disputes] };

function deadlineCopy({ respondByMs, status, timeZone }: OpenDispute, nowMs: number): string {
  if (status === 'under_review') return copy.given;
  if (respondByMs === null) return copy.noDeadline;
  const time = instant(respondByMs, timeZone);
  return respondByMs < nowMs ? copy.late({ time }) : time;
}
