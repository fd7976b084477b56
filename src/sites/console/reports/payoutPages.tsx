import { day, money } from '../../../core/format.ts';
import type { PayoutItem } from '../../../desk/reports/payoutStore.ts';
import type { ItemSum, Payout } from '../../../desk/reports/payouts.ts';
import { words } from '../../../desk/words.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import { Fact } from '../../web/forms.tsx';
import { LinkLine, Tabs } from '../../web/staffLayout.tsx';
import { type Column, Records, TableSection } from '../../web/table.tsx';
import { BookingLink, currencyColumn, guestOf, timeColumn } from '../lists/columns.tsx';
import { sumColumns } from '../lists/payouts.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { bankLinePath, disbursementPath, disbursementsPath } from '../paths.ts';
import type { Viewed } from '../propertyRequest.ts';

const { columns: names, payouts: copy } = words;

/** The two ways to a payout: the list, and a line of the bank. */
export function PayoutTabs({
  property: { id },
  current,
}: {
  readonly property: PropertyRow;
  readonly current: 'list' | 'bank-line' | null;
}) {
  return (
    <Tabs
      name={copy.ways}
      tabs={[
        { name: copy.all, href: disbursementsPath(id), isCurrent: current === 'list' },
        {
          name: copy.bankLine,
          href: bankLinePath(id),
          isCurrent: current === 'bank-line',
        },
      ]}
    />
  );
}

/** A payout with what it is made of, down to the bookings. */
export function PayoutPage({
  person,
  property,
  payout: { items, row, sums },
  cursor,
  next,
}: Viewed & {
  readonly payout: Payout;
  /** Where the shown items begin; empty for the first ones. */
  readonly cursor: string;
  /** The cursor of the next items; null on the last page. */
  readonly next: string | null;
}) {
  const path = disbursementPath(property.id, row.id);
  return (
    <ConsoleLayout
      title={copy.of({ id: row.id })}
      person={person}
      property={property}
      here="disbursements"
    >
      <PayoutTabs property={property} current={null} />
      <section aria-labelledby="payout">
        <h2 id="payout">{money(row.netMinor, row.currency)}</h2>
        <dl>
          <Fact name={names.status}>{words.payoutStates[row.status]}</Fact>
          <Fact name={copy.arrives}>{day(row.arrivalDate)}</Fact>
          <Fact name={names.description}>
            <bdi>{row.description}</bdi>
          </Fact>
          <Fact name={copy.acquirer}>{row.gateway}</Fact>
        </dl>
        <Records
          caption={copy.madeOf}
          columns={[
            { name: names.what, text: ({ name }) => name },
            { name: names.items, isNumber: true, text: ({ number }) => number },
            ...sumColumns(),
          ]}
          rows={withTotal(sums, row.currency)}
        />
        <LinkLine href={bankLinePath(property.id, { day: row.arrivalDate })} text={copy.compare} />
      </section>
      <TableSection
        id="items"
        heading={names.items}
        caption={copy.itemsCaption}
        columns={itemColumns(property)}
        rows={items.rows}
        empty={copy.noItems}
      >
        <p>
          {cursor !== '' && <a href={path}>{copy.firstItems}</a>}{' '}
          {next !== null && <a href={`${path}&after=${next}`}>{copy.laterItems}</a>}
        </p>
        <CsvLink path={path} of={copy.allItems} />
      </TableSection>
    </ConsoleLayout>
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
      text: (item) => guestOf(item),
      cell: (item) => item.reference !== null && <bdi>{guestOf(item)}</bdi>,
    },
    { name: names.what, text: ({ category }) => words.payoutItems[category] },
    { name: names.description, isForFiles: true, text: ({ description }) => description },
    timeColumn(names.time, ({ effectiveAtMs }) => effectiveAtMs, property),
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
  const sumOf = (numberOf: (sum: ItemSum) => number) =>
    sums.reduce((all, sum) => all + numberOf(sum), 0);
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
      number: sumOf(({ number }) => number),
      grossMinor: sumOf(({ grossMinor }) => grossMinor),
      feeMinor: sumOf(({ feeMinor }) => feeMinor),
      netMinor: sumOf(({ netMinor }) => netMinor),
    },
  ];
}
