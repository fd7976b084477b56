import { day, money } from '../../../desk/format.ts';
import { stateOfBooking } from '../../../desk/moneyState.ts';
import type { OwingStay } from '../../../desk/reports/owing.ts';
import { guestOf, words } from '../../../desk/words.ts';
import type { Balance } from '../../../money/balance/rules/balance.ts';
import type { BookingRow } from '../../../schema/bookingTables.ts';
import { StateBadge } from '../../web/badge.tsx';
import type { Column } from '../../web/table.tsx';
import { amountColumn, BookingLink, currencyColumn, more, unlessZero } from './columns.tsx';

const { columns: names, search: copy } = words;

export type ListedStay = Pick<
  BookingRow,
  'reference' | 'status' | 'arrival' | 'firstName' | 'lastName' | 'currency'
> & {
  readonly balance: Balance;
  /** Null where it is archived, and nobody has looked it up. */
  readonly departure: string | null;
  readonly totalCostMinor: number | null;
};

/** The columns of stays: who comes when, how their money stands, and what is due. */
export function stayColumns(propertyId: string): Column<ListedStay>[] {
  const state = ({ balance, status }: ListedStay) => stateOfBooking({ status }, balance);
  return [
    {
      name: names.booking,
      text: ({ reference }) => reference,
      cell: (stay) => (
        <>
          <BookingLink property={propertyId} reference={stay.reference} />{' '}
          <bdi>{guestOf(stay)}</bdi>
        </>
      ),
    },
    { name: copy.firstName, isForFiles: true, text: ({ firstName }) => firstName },
    { name: copy.lastName, isForFiles: true, text: ({ lastName }) => lastName },
    { name: names.status, isForFiles: true, text: ({ status }) => status },
    {
      name: copy.state,
      text: (stay) => {
        const known = state(stay);
        return known === null ? null : words.moneyStates[known];
      },
      cell: (stay) => {
        const known = state(stay);
        return known === null ? '' : <StateBadge state={known} />;
      },
    },
    {
      name: copy.arrival,
      isMore: true,
      text: ({ arrival }) => arrival,
      cell: ({ arrival }) => day(arrival),
    },
    {
      name: copy.departure,
      isMore: true,
      text: ({ departure }) => departure,
      cell: ({ departure }) => departure && day(departure),
    },
    more(
      amountColumn<ListedStay>(
        copy.total,
        ({ totalCostMinor }) => totalCostMinor ?? 0,
        unlessZero(money),
      ),
    ),
    amountColumn(
      copy.due,
      ({ balance, status }) => (status === 'booked' ? balance.dueMinor : 0),
      unlessZero(money),
    ),
    currencyColumn,
  ];
}

/** How many stays owe something, and how much: in each currency. */
export function owingCopy(stays: readonly OwingStay[]): string {
  const byCurrency = new Map(stays.map((stay) => [stay.currency, stay]));
  return [...byCurrency.values()]
    .map(({ all, allMinor, currency }) =>
      words.today.arrivals.caption({ number: all, amount: money(allMinor, currency) }),
    )
    .join('; ');
}
