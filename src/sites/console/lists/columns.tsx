import type { Child } from 'hono/jsx';
import { plainMoney } from '../../../core/format.ts';
import { localTimestamp } from '../../../core/time.ts';
import { money } from '../../../desk/format.ts';
import { guestOf, type NamedGuest, words } from '../../../desk/words.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { type Column, Instant } from '../../web/table.tsx';
import { bookingPath } from '../paths.ts';

const names = words.columns;

/** The property whose entries a list shows; null where it shows those of all. */
export type Shown = PropertyRow | null;

/** A column that narrow screens show only to whom asks for all. */
export function more<Row>(column: Column<Row>): Column<Row> {
  return { ...column, isMore: true };
}

/** A time in a zone, which the page says elsewhere. */
export function timeColumn<Row>(
  name: string,
  atMsOf: (row: Row) => number | null,
  { timeZone }: Pick<PropertyRow, 'timeZone'>,
): Column<Row> {
  return {
    name,
    fileName: words.list.in({ name, timeZone }),
    text: (row) => {
      const atMs = atMsOf(row);
      return atMs === null ? null : localTimestamp(atMs, timeZone);
    },
    cell: (row) => <Instant atMs={atMsOf(row)} timeZone={timeZone} />,
  };
}

/** A time of an entry. Among those of all properties, it names the zone of its own; their file has it in UTC. */
export function listedTime<Row extends { readonly timeZone: string }>(
  name: string,
  atMsOf: (row: Row) => number | null,
  shown: Shown,
): Column<Row> {
  if (shown) return timeColumn(name, atMsOf, shown);
  return {
    ...timeColumn(name, atMsOf, { timeZone: 'UTC' }),
    cell: (row) => <Instant atMs={atMsOf(row)} timeZone={row.timeZone} isZoned />,
  };
}

/** A time in UTC, of what belongs to no property. */
export function zonedTime<Row>(name: string, atMsOf: (row: Row) => number | null): Column<Row> {
  return { name, cell: (row) => <Instant atMs={atMsOf(row)} isZoned /> };
}

type Written = (amountMinor: number, currency: string) => string;

/** An amount in the currency of its row, or in one for all; a dash for null. A file has the currency in another column. */
export function amountIn<Row>(
  currency: string | ((row: Row) => string),
  name: string,
  minorOf: (row: Row) => number | null,
  write: Written = money,
): Column<Row> {
  const written = (row: Row, by: Written) => {
    const minor = minorOf(row);
    return minor === null
      ? null
      : by(minor, typeof currency === 'string' ? currency : currency(row));
  };
  return {
    name,
    isNumber: true,
    text: (row) => written(row, plainMoney),
    cell: (row) => written(row, write) ?? '–',
  };
}

/** An amount in its own currency. */
export function amountColumn<Row extends { readonly currency: string }>(
  name: string,
  minorOf: (row: Row) => number,
  write?: Written,
): Column<Row> {
  return amountIn<Row>(({ currency }) => currency, name, minorOf, write);
}

/** Writes an amount, and nothing for zero. */
export function unlessZero(write: Written): Written {
  return (minor, currency) => (minor === 0 ? '' : write(minor, currency));
}

export const currencyColumn: Column<{ readonly currency: string }> = {
  get name() {
    return names.currency;
  },
  isForFiles: true,
  text: ({ currency }) => currency,
};

/** The one currency of all entries, which a page says elsewhere. */
export function currencyOfAll(currency: string): Column<unknown> {
  return { name: names.currency, isForFiles: true, text: () => currency };
}

/** A text that somebody wrote, in whatever direction. */
export function typedColumn<Row>(name: string, text: (row: Row) => string | null): Column<Row> {
  return { name, text, cell: (row) => <bdi>{text(row)}</bdi> };
}

/** The amount of an entry, and its currency. */
export function moneyColumns<
  Row extends { readonly amountMinor: number; readonly currency: string },
>(): Column<Row>[] {
  return [amountColumn<Row>(names.amount, ({ amountMinor }) => amountMinor), currencyColumn];
}

/** When something happened, and to which booking, with its guest. */
export function entryColumns<
  Row extends OfBooking & { readonly timeZone: string; readonly atMs: number },
>(shown: Shown, time = names.time): Column<Row>[] {
  return [more(listedTime<Row>(time, ({ atMs }) => atMs, shown)), ...bookingColumns(shown)];
}

/** The id of an entry: only files of one property have it. */
export function entryId(shown: Shown): Column<{ readonly id: string | number }> {
  return { name: names.id, isMore: true, isForFiles: shown !== null, text: ({ id }) => id };
}

interface OfBooking extends NamedGuest {
  readonly propertyId: string;
  readonly bookingReference: string;
}

export const bookingColumn: Column<Pick<OfBooking, 'propertyId' | 'bookingReference'>> = {
  get name() {
    return names.booking;
  },
  text: ({ bookingReference }) => bookingReference,
  cell: (row) => <BookingLink property={row.propertyId} reference={row.bookingReference} />,
};

/** The booking of an entry, with its guest. Lists of all properties name the property, and no guest. */
export function bookingColumns(shown: Shown): Column<OfBooking>[] {
  if (!shown) return [bookingColumn, propertyColumn];
  const withGuest = (row: OfBooking) => (
    <>
      {bookingColumn.cell?.(row)} <bdi>{guestOf(row)}</bdi>
    </>
  );
  return [
    { ...bookingColumn, cell: withGuest },
    { name: names.guest, isForFiles: true, text: guestOf },
  ];
}

export const propertyColumn: Column<{ readonly propertyId: string | null }> = {
  get name() {
    return names.property;
  },
  text: ({ propertyId }) => propertyId ?? '–',
};

/** A booking's reference, which leads to its page; a dash where none is known. */
export function BookingLink({
  property,
  reference,
}: Readonly<{ property: string | null; reference: string | null }>) {
  if (property === null || reference === null) return <>–</>;
  return (
    <a href={bookingPath(property, reference)}>
      <bdi>{reference}</bdi>
    </a>
  );
}

/** What a payment or refund is, with what somebody wrote about it. */
export function Described({
  what,
  description,
}: Readonly<{ what: Child; description: string | null }>) {
  return (
    <>
      {what}
      {description !== null && (
        <p class="soft">
          <bdi>{description}</bdi>
        </p>
      )}
    </>
  );
}
