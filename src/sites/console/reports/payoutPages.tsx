import { day, money } from '../../../core/format.ts';
import type { CountedPayout, ItemSum, Payout } from '../../../desk/reports/payouts.ts';
import type { Page } from '../../../platform/db/page.ts';
import type { Person } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import { EmptyNote, Records } from '../../web/table.tsx';
import { Fact } from '../pages/fact.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { bankLinePath, disbursementPath, disbursementsPath } from '../paths.ts';
import { amountColumns, itemColumns, payoutColumns } from './payoutTables.tsx';
import { categoryCopy, payoutStatusCopy } from './payoutWords.ts';
import { PayoutTabs } from './tabs.tsx';

/** The payouts of a property, newest first. */
export function PayoutsPage({
  person,
  property,
  payouts: { rows },
  next,
}: {
  readonly person: Person;
  readonly property: PropertyRow;
  readonly payouts: Page<CountedPayout>;
  /** The address of the next page; null on the last. */
  readonly next: string | null;
}) {
  return (
    <ConsoleLayout title="Disbursements" person={person} property={property} here="disbursements">
      <PayoutTabs property={property} current="list" />
      <section aria-labelledby="payouts">
        <h2 id="payouts">What the acquirer pays out</h2>
        {rows.length === 0 ? (
          <EmptyNote text="There are no payouts yet." />
        ) : (
          <Records caption="The newest first" columns={payoutColumns(property.id)} rows={rows} />
        )}
        {next !== null && (
          <p>
            <a href={next}>Earlier payouts</a>
          </p>
        )}
        <CsvLink path={disbursementsPath(property.id)} />
      </section>
    </ConsoleLayout>
  );
}

/** A payout with what it is made of, down to the bookings. */
export function PayoutPage({
  person,
  property,
  payout: { items, row, sums },
  shownPage,
  pages,
}: {
  readonly person: Person;
  readonly property: PropertyRow;
  readonly payout: Payout;
  /** The page of its items that is shown, and how many there are. */
  readonly shownPage: number;
  readonly pages: number;
}) {
  const path = (page: number) => disbursementPath(property.id, row.id, page);
  return (
    <ConsoleLayout
      title={`Payout ${row.id}`}
      person={person}
      property={property}
      here="disbursements"
    >
      <PayoutTabs property={property} current={null} />
      <section aria-labelledby="payout">
        <h2 id="payout">{money(row.netMinor, row.currency)}</h2>
        <dl>
          <Fact name="Status">{payoutStatusCopy[row.status]}</Fact>
          <Fact name="Arrives">{day(row.arrivalDate)}</Fact>
          <Fact name="Description">
            <bdi>{row.description}</bdi>
          </Fact>
          <Fact name="Acquirer">{row.gateway}</Fact>
        </dl>
        <Records
          caption="What it is made of"
          columns={[
            { name: 'What', cell: ({ name }: NamedSum) => name },
            { name: 'Items', isNumber: true, cell: ({ number }) => number },
            ...amountColumns<NamedSum>(() => row.currency),
          ]}
          rows={withTotal(sums)}
        />
        <p>
          <a href={bankLinePath(property.id, { day: row.arrivalDate })}>
            Compare with a line of the bank
          </a>
        </p>
      </section>
      <section aria-labelledby="items">
        <h2 id="items">Items</h2>
        {items.length === 0 ? (
          <EmptyNote text="There are no items." />
        ) : (
          <Records
            caption={
              pages > 1 ? `The oldest first, page ${shownPage} of ${pages}` : 'The oldest first'
            }
            columns={itemColumns(property)}
            rows={items}
          />
        )}
        <p>
          {shownPage > 1 && <a href={path(shownPage - 1)}>Earlier items</a>}{' '}
          {shownPage < pages && <a href={path(shownPage + 1)}>Later items</a>}
        </p>
        <CsvLink path={path(1)} of="all items" />
      </section>
    </ConsoleLayout>
  );
}

type NamedSum = Omit<ItemSum, 'category'> & { readonly name: string };

function withTotal(sums: readonly ItemSum[]): NamedSum[] {
  const total = sums.reduce(
    (all, { feeMinor, grossMinor, netMinor, number }) => ({
      name: 'Total',
      number: all.number + number,
      grossMinor: all.grossMinor + grossMinor,
      feeMinor: all.feeMinor + feeMinor,
      netMinor: all.netMinor + netMinor,
    }),
    { name: 'Total', number: 0, grossMinor: 0, feeMinor: 0, netMinor: 0 },
  );
  const categories = Object.keys(categoryCopy);
  const ordered = sums.toSorted(
    (one, other) => categories.indexOf(one.category) - categories.indexOf(other.category),
  );
  return [
    ...ordered.map(({ category, ...sum }) => ({ ...sum, name: categoryCopy[category] })),
    total,
  ];
}
