import { money, plainMoney } from '../../../core/format.ts';
import { exponentOf } from '../../../core/money.ts';
import { type Difference, selectDifferences } from '../../../desk/lists.ts';
import { words } from '../../../desk/words.ts';
import { hasRight } from '../../../records/staff/rules.ts';
import type { ExceptionRow, ExceptionSide } from '../../../schema/reconciliationTables.ts';
import type { Column } from '../../web/table.tsx';
import { CONSOLE_PATH, OPS_PATH } from '../paths.ts';
import { BookingLink, listedTime, propertyColumn, type Shown } from './columns.tsx';
import type { StaffList, StaffPage } from './list.tsx';

const names = words.columns;
const { differences: copy } = words;

/** Where the acquirer's record and ours differ, and nobody accepted it yet. */
export const differences: StaffList<Difference> = {
  ...copy,
  name: 'differences',
  field: 'after',
  file: 'differences',
  key: ({ id }) => [id],
  select: (queries, scope, _nowMs, part) => selectDifferences(queries, scope, part),
  columns: ({ person, shown }) => [
    listedTime(copy.found, ({ foundAtMs }) => foundAtMs, shown),
    { name: names.what, text: ({ kind }) => words.differenceKinds[kind] },
    {
      name: names.booking,
      text: ({ bookingReference }) => bookingReference,
      cell: ({ bookingReference, propertyId }) =>
        bookingReference === null ? (
          copy.unknownBooking
        ) : (
          <BookingLink property={propertyId} reference={bookingReference} />
        ),
    },
    ...(shown ? [] : [propertyColumn]),
    ...sideColumns(copy.ours, ({ ours }) => ours),
    ...sideColumns(copy.theirs, ({ theirs }) => theirs),
    { name: copy.detail, text: ({ detail }) => detail },
    ...(!person || hasRight(person.role, 'acceptDifferences')
      ? [{ name: copy.accept, cell: ({ id }: Difference) => <AcceptForm shown={shown} id={id} /> }]
      : []),
  ],
};

export const differencesPage: StaffPage = { ...copy, path: 'differences', lists: [differences] };

/** One of the two records: a column of the page, and four of the file. */
function sideColumns(
  name: (typeof copy)['ours'],
  sideOf: (row: Difference) => ExceptionSide | null,
): Column<Difference>[] {
  const forFiles = { isForFiles: true } as const;
  return [
    { name: name.all, cell: (row) => sideCopy(sideOf(row)) },
    { name: name.status, ...forFiles, text: (row) => sideOf(row)?.status ?? null },
    { name: name.amount, ...forFiles, text: (row) => amountOf(sideOf(row), plainMoney) },
    { name: name.currency, ...forFiles, text: (row) => sideOf(row)?.currency ?? null },
    { name: name.id, ...forFiles, text: (row) => sideOf(row)?.id ?? null },
  ];
}

/** The amount of a record; null where it or its currency is not known. */
function amountOf(
  side: ExceptionSide | null,
  written: (minor: number, currency: string) => string,
): string | null {
  const { amountMinor = null, currency = null } = side ?? {};
  const isKnown = amountMinor !== null && currency !== null && exponentOf(currency) !== null;
  return isKnown ? written(amountMinor, currency) : null;
}

function sideCopy(side: ExceptionSide | null): string {
  if (side === null) return copy.nothing;
  const parts = [side.status, amountOf(side, (minor, currency) => money(minor, currency)), side.id];
  return parts.filter(Boolean).join(', ');
}

export function differenceCopy({ kind, ours, theirs }: ExceptionRow): string {
  const what = words.differenceKinds[kind];
  return copy.sides({ kind: what, ours: sideCopy(ours), theirs: sideCopy(theirs) });
}

/** The form to accept a difference. In the console it leads to a page that asks for confirmation. */
function AcceptForm({ shown, id }: { readonly shown: Shown; readonly id: string }) {
  return (
    <form
      method={shown ? 'get' : 'post'}
      action={shown ? `${CONSOLE_PATH}/accept` : `${OPS_PATH}/reconciliation/accept`}
      class="actions"
    >
      {shown && <input type="hidden" name="property" value={shown.id} />}
      <input type="hidden" name={shown ? 'exception' : 'exceptionId'} value={id} />
      <input
        name="reason"
        required
        maxlength={500}
        placeholder={copy.reason}
        aria-label={copy.reasonFor({ id })}
      />
      <button type="submit">
        {copy.accept} <span class="unseen">{id}</span>
      </button>
    </form>
  );
}
