import { instant } from '../../../core/format.ts';
import { DAY_MS } from '../../../core/time.ts';
import { COMING_DAYS, type ComingPayment, selectComing } from '../../../desk/lists.ts';
import { cardCopy, words } from '../../../desk/words.ts';
import { amountColumn, bookingColumns, currencyColumn, listedTime } from './columns.tsx';
import type { StaffList, StaffPage } from './list.tsx';

const names = words.columns;
const { coming: copy } = words;

/** What will be charged, and which holds end, the next first. */
export const coming: StaffList<ComingPayment> = {
  ...copy,
  name: 'coming',
  field: 'after',
  file: 'coming',
  key: ({ atMs, id }) => [atMs, id],
  select: (queries, scope, nowMs, part) =>
    selectComing(queries, scope, nowMs + COMING_DAYS * DAY_MS, part),
  columns: ({ shown }) => [
    listedTime(copy.due, ({ atMs }) => atMs, shown),
    ...bookingColumns(shown),
    { name: names.what, text: whatComes },
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    currencyColumn,
    ...(shown ? [{ name: names.card, text: cardCopy }] : []),
    { name: copy.note, text: noteOf },
    { name: names.id, isForFiles: shown !== null, text: ({ id }) => id },
  ],
};

export const comingPage: StaffPage = {
  path: 'coming',
  title: copy.title,
  intro: copy.intro({ days: String(COMING_DAYS) }),
  lists: [coming],
};

function whatComes({ kind, status }: ComingPayment): string {
  return status === 'Authorized' ? copy.holdEnds : words.kinds[kind];
}

/** What people should know before the time comes. */
function noteOf(row: ComingPayment): string {
  const { attempts, cause, deadlineAtMs, endedAs, status, timeZone } = row;
  const asked = row.asked ?? 0;
  const isOpen = cause !== null && (endedAs === null || endedAs === 'unanswered');
  const notes = [
    attempts > 0 && status === 'Pending' && copy.declinedBefore,
    isOpen && cause === 'expiring' && copy.cardExpired,
    isOpen && asked > 0 && copy.asked,
    isOpen && deadlineAtMs !== null && copy.until({ time: instant(deadlineAtMs, timeZone) }),
    isOpen && asked === 0 && copy.ask,
  ];
  return notes.filter(Boolean).join(' ');
}
