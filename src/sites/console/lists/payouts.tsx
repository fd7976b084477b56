import { day } from '../../../core/format.ts';
import { type ListedPayout, selectPayouts } from '../../../desk/lists.ts';
import { words } from '../../../desk/words.ts';
import type { Column } from '../../web/table.tsx';
import { disbursementPath } from '../paths.ts';
import { amountColumn, currencyColumn, propertyColumn } from './columns.tsx';
import type { StaffList, StaffPage } from './list.tsx';

const names = words.columns;
const { payouts: copy } = words;

export const payouts: StaffList<ListedPayout> = {
  ...copy,
  name: 'disbursements',
  field: 'after',
  file: 'disbursements',
  key: ({ effectiveAtMs, id }) => [effectiveAtMs, id],
  select: (queries, scope, _nowMs, part) => selectPayouts(queries, scope, part),
  columns: ({ shown }) => [
    {
      name: copy.payout,
      text: ({ id }) => id,
      cell: ({ id, propertyId }) => (
        <a href={disbursementPath(propertyId, id)}>
          <bdi>{id}</bdi>
        </a>
      ),
    },
    ...(shown ? [] : [propertyColumn]),
    {
      name: copy.arrives,
      fileName: copy.day,
      text: ({ arrivalDate }) => arrivalDate,
      cell: ({ arrivalDate }) => day(arrivalDate),
    },
    { name: names.status, text: ({ status }) => words.payoutStates[status] },
    { name: names.description, isForFiles: true, text: ({ description }) => description },
    { name: names.items, isNumber: true, text: ({ items }) => items },
    currencyColumn,
    ...sumColumns(),
  ],
};

export const payoutsPage: StaffPage = {
  ...copy,
  path: 'disbursements',
  intro: words.payouts.intro,
  lists: [payouts],
};

/** What came in, what the acquirer kept, and what is left. */
interface Sums {
  readonly currency: string;
  readonly grossMinor: number;
  readonly feeMinor: number;
  readonly netMinor: number;
}

export function sumColumns(): Column<Sums>[] {
  return [
    amountColumn(names.gross, ({ grossMinor }) => grossMinor),
    amountColumn(names.fees, ({ feeMinor }) => feeMinor),
    amountColumn(names.net, ({ netMinor }) => netMinor),
  ];
}
