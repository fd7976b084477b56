import type { Child } from 'hono/jsx';
import type { Person } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { CsvLink } from '../../web/csvLink.tsx';
import { type Column, EmptyNote, Records } from '../../web/table.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { bookingPath, pathOf } from '../paths.ts';
import type { Listed } from './pages.ts';

/** Who looks at a work list, and whose. */
export interface ListOf {
  readonly person: Person;
  readonly property: PropertyRow;
}

/** The frame of a work list. `here` is the last part of its path. */
export function ListPage({
  person,
  property,
  here,
  title,
  intro,
  children,
}: ListOf & {
  readonly here: string;
  readonly title: string;
  readonly intro: string;
  readonly children?: Child;
}) {
  return (
    <ConsoleLayout title={title} person={person} property={property} here={here}>
      <p class="soft">
        <bdi>{property.name}</bdi>. {intro} Times are those of {property.timeZone}.
      </p>
      {children}
    </ConsoleLayout>
  );
}

/** One list of a page, with a link to its next entries. */
export function ListSection<Row>({
  property,
  here,
  heading,
  caption,
  listed,
  columns,
  empty,
  after = 'after',
  table,
}: {
  readonly property: Pick<PropertyRow, 'id'>;
  readonly here: string;
  readonly heading: string;
  readonly caption: string;
  readonly listed: Listed<Row>;
  readonly columns: readonly Column<Row>[];
  /** What stands in place of an empty list. */
  readonly empty: string;
  /** The field of the query that says where the list continues. */
  readonly after?: string;
  /** Which table of the page it is as CSV, where the page has several. */
  readonly table?: string;
}) {
  const { next, rows } = listed;
  return (
    <section aria-label={heading}>
      <h2>{heading}</h2>
      {rows.length === 0 ? (
        <EmptyNote text={empty} />
      ) : (
        <Records caption={caption} columns={columns} rows={rows} />
      )}
      {next !== null && (
        <p>
          <a href={pathOf(here, { property: property.id, [after]: next })}>More of these</a>
        </p>
      )}
      {rows.length > 0 && (
        <CsvLink
          path={pathOf(here, { property: property.id, ...(table !== undefined && { table }) })}
          of={heading.toLowerCase()}
        />
      )}
    </section>
  );
}

/** The booking that an entry is of: a link, and the guest. */
export function BookingCell({
  property,
  row,
}: {
  readonly property: Pick<PropertyRow, 'id'>;
  readonly row: {
    readonly bookingReference: string;
    readonly firstName: string | null;
    readonly lastName: string;
  };
}) {
  return (
    <>
      <a href={bookingPath(property.id, row.bookingReference)}>
        <bdi>{row.bookingReference}</bdi>
      </a>{' '}
      <bdi>{guestOf(row)}</bdi>
    </>
  );
}

/** A guest's name. */
export function guestOf({
  firstName,
  lastName,
}: {
  readonly firstName: string | null;
  readonly lastName: string | null;
}): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}
