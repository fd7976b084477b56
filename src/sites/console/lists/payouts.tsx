import { sumOf } from '../../../core/sum.ts';
import { day, money } from '../../../desk/format.ts';
import { type ListedPayout, selectPayouts } from '../../../desk/lists.ts';
import {
  type ItemSum,
  type Payout,
  type PayoutItem,
  readPayout,
} from '../../../desk/reports/payouts.ts';
import { guestOf, words } from '../../../desk/words.ts';
import type { DisbursementRow } from '../../../schema/disbursementTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { Fact } from '../../web/forms.tsx';
import { LinkLine, page, Section } from '../../web/page.tsx';
import { type Column, Records, wantsCsv } from '../../web/table.tsx';
import { disbursementPath, pathOf } from '../paths.ts';
import { framed, type PropertyRequest, refusedPage, useViewed, Ways } from '../site.tsx';
import {
  amountColumn,
  BookingLink,
  currencyColumn,
  more,
  propertyColumn,
  timeColumn,
} from './columns.tsx';
import { askedOf, type ListOf, type StaffList, type StaffPage, viewOf } from './list.tsx';

const { columns: names, payouts: copy } = words;

export const payouts: StaffList<ListedPayout> = {
  copy,
  name: 'disbursements',
  file: 'disbursements',
  key: ({ effectiveAtMs, id }) => [effectiveAtMs, id],
  select: (scope, _nowMs, part) => selectPayouts(scope, part),
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
    ...(shown ? [] : [more(propertyColumn)]),
    {
      name: copy.arrives,
      fileName: copy.day,
      text: ({ arrivalDate }) => arrivalDate,
      cell: ({ arrivalDate }) => day(arrivalDate),
    },
    { name: names.status, isMore: true, text: ({ status }) => words.payoutStates[status] },
    { name: names.description, isForFiles: true, text: ({ description }) => description },
    { name: names.items, isMore: true, isNumber: true, text: ({ itemCount }) => itemCount },
    currencyColumn,
    ...sumColumns(),
  ],
};

export const payoutsPage: StaffPage = { copy, path: 'disbursements', lists: [payouts] };

/** What came in, what the acquirer kept, and what is left. */
type Sums = Pick<DisbursementRow, 'currency' | 'grossMinor' | 'feeMinor' | 'netMinor'>;

function sumColumns(): Column<Sums>[] {
  return [
    more(amountColumn<Sums>(names.gross, ({ grossMinor }) => grossMinor)),
    more(amountColumn<Sums>(names.fees, ({ feeMinor }) => feeMinor)),
    amountColumn(names.net, ({ netMinor }) => netMinor),
  ];
}

/** The items of a payout, the oldest first. */
export function itemsOf(property: PropertyRow, id: string): ListOf<PayoutItem> {
  return {
    copy: { ...copy.contained, heading: names.items },
    name: 'payoutItems',
    file: `items-${id}`,
    shown: 40,
    mostInFile: 10_000,
    key: (item) => [item.effectiveAtMs, item.id],
    columns: () => itemColumns(property),
  };
}

/** Shows a payout down to its bookings (interface: Console). */
export async function showPayout(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const { id = '' } = c.req.query();
  const place = { path: 'disbursement', query: { id }, owner: id };
  const { file, part, section } = askedOf(c, itemsOf(property, id), viewOf(request), place);
  const payout = await readPayout(c.get('database'), property, id, part);
  if (!payout.ok) return refusedPage(c, payout.error);
  const { items } = payout.value;
  if (wantsCsv(c)) return file(items);
  const content = (
    <>
      <PayoutParts {...payout.value} />
      {section(items)}
    </>
  );
  return page(c, 200, framed(request, { title: copy.of({ id }), here: 'disbursements' }, content));
}

/** The ways to a payout: the list, a line of the bank, and the bank's statement. */
export function PayoutTabs(shown: {
  readonly current?: 'disbursements' | 'bank-line' | 'bank-statement';
}) {
  const ways = {
    disbursements: copy.all,
    'bank-line': copy.bankLine,
    'bank-statement': copy.statement,
  };
  return <Ways name={copy.ways} ways={ways} {...shown} />;
}

export function PayoutParts({ row, sums }: Pick<Payout, 'row' | 'sums'>) {
  const { id: property } = useViewed().property;
  return (
    <>
      <PayoutTabs />
      <Section id="payout" heading={money(row.netMinor, row.currency)}>
        <dl>
          <Fact name={names.status}>{words.payoutStates[row.status]}</Fact>
          <Fact name={copy.arrives}>{day(row.arrivalDate)}</Fact>
          <Fact name={names.description} typed>
            {row.description}
          </Fact>
          <Fact name={copy.acquirer}>{row.gateway}</Fact>
        </dl>
        <Records
          caption={copy.madeOf}
          columns={[
            { name: names.what, text: ({ name }) => name },
            { name: names.items, isMore: true, isNumber: true, text: ({ number }) => number },
            ...sumColumns(),
          ]}
          rows={withTotal(sums, row.currency)}
        />
        <LinkLine
          href={pathOf('bank-line', { property, day: row.arrivalDate })}
          text={copy.compare}
        />
      </Section>
    </>
  );
}

/** The columns of items of payouts, each with its booking, on pages and in files. */
export function itemColumns(property: PropertyRow): Column<PayoutItem>[] {
  return [
    { name: copy.payout, isForFiles: true, text: ({ disbursementId }) => disbursementId },
    {
      name: names.booking,
      text: ({ reference }) => reference,
      cell: ({ description, reference }) =>
        reference === null ? (
          description || copy.noBooking
        ) : (
          <BookingLink property={property.id} reference={reference} />
        ),
    },
    {
      name: names.guest,
      isMore: true,
      text: (item) => guestOf(item),
      cell: (item) => item.reference !== null && <bdi>{guestOf(item)}</bdi>,
    },
    { name: names.what, text: ({ category }) => words.payoutItems[category] },
    { name: names.description, isForFiles: true, text: ({ description }) => description },
    more(timeColumn<PayoutItem>(names.time, ({ effectiveAtMs }) => effectiveAtMs, property)),
    currencyColumn,
    ...sumColumns(),
    {
      name: copy.acquirersId,
      isForFiles: true,
      text: ({ gatewayTransactionId }) => gatewayTransactionId,
    },
  ];
}

/** The sums of each category, in the order of their words, and of all. */
function withTotal(sums: readonly ItemSum[], currency: string) {
  const categories = Object.keys(words.payoutItems);
  const ordered = sums.toSorted(
    (one, other) => categories.indexOf(one.category) - categories.indexOf(other.category),
  );
  return [
    ...ordered.map(({ category, ...sum }) => ({
      ...sum,
      currency,
      name: words.payoutItems[category],
    })),
    {
      name: copy.total,
      currency,
      number: sumOf(sums, 'number'),
      grossMinor: sumOf(sums, 'grossMinor'),
      feeMinor: sumOf(sums, 'feeMinor'),
      netMinor: sumOf(sums, 'netMinor'),
    },
  ];
}
