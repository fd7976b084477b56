import { day, money, plainMoney } from '../../../core/format.ts';
import { localTimestamp } from '../../../core/time.ts';
import type { PayoutItem } from '../../../desk/reports/payoutStore.ts';
import type { CountedPayout } from '../../../desk/reports/payouts.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import type { CsvColumns } from '../../web/csvTable.ts';
import { type Column, Instant } from '../../web/table.tsx';
import { guestOf } from '../lists/listPage.tsx';
import { bookingPath, disbursementPath } from '../paths.ts';
import { categoryCopy, payoutStatusCopy } from './payoutWords.ts';

/** Three amounts of which the last is what is left. */
interface Amounts {
  readonly grossMinor: number;
  readonly feeMinor: number;
  readonly netMinor: number;
}

/** The columns of what came in, what the acquirer kept, and what is left. */
export function amountColumns<Row extends Amounts>(
  currencyOf: (row: Row) => string,
): Column<Row>[] {
  return (['Gross', 'Fees', 'Net'] as const).map((name) => ({
    name,
    isNumber: true,
    cell: (row) => money(amountsOf(row)[name], currencyOf(row)),
  }));
}

function amountsOf({ feeMinor, grossMinor, netMinor }: Amounts) {
  return { Gross: grossMinor, Fees: feeMinor, Net: netMinor };
}

/** The columns of a list of payouts. */
export function payoutColumns(propertyId: string): Column<CountedPayout>[] {
  return [
    {
      name: 'Payout',
      cell: ({ id }) => (
        <a href={disbursementPath(propertyId, id)}>
          <bdi>{id}</bdi>
        </a>
      ),
    },
    { name: 'Arrives', cell: ({ arrivalDate }) => day(arrivalDate) },
    { name: 'Status', cell: ({ status }) => payoutStatusCopy[status] },
    { name: 'Items', isNumber: true, cell: ({ items }) => items },
    ...amountColumns<CountedPayout>(({ currency }) => currency),
  ];
}

/** The same as CSV. */
export const payoutCsv: CsvColumns<CountedPayout> = {
  Payout: ({ id }) => id,
  'Day of arrival': ({ arrivalDate }) => arrivalDate,
  Status: ({ status }) => payoutStatusCopy[status],
  Description: ({ description }) => description,
  Items: ({ items }) => items,
  Currency: ({ currency }) => currency,
  Gross: ({ currency, grossMinor }) => plainMoney(grossMinor, currency),
  Fees: ({ currency, feeMinor }) => plainMoney(feeMinor, currency),
  Net: ({ currency, netMinor }) => plainMoney(netMinor, currency),
};

/** The columns of items of payouts, each with its booking. */
export function itemColumns({ id, timeZone }: PropertyRow): Column<PayoutItem>[] {
  return [
    {
      name: 'Booking',
      cell: ({ description, reference }) =>
        reference === null ? (
          description || 'No booking'
        ) : (
          <a href={bookingPath(id, reference)}>
            <bdi>{reference}</bdi>
          </a>
        ),
    },
    {
      name: 'Guest',
      cell: (item) => item.reference !== null && <bdi>{guestOf(item)}</bdi>,
    },
    { name: 'What', cell: ({ category }) => categoryCopy[category] },
    {
      name: 'Time',
      cell: ({ effectiveAtMs }) => <Instant atMs={effectiveAtMs} timeZone={timeZone} />,
    },
    ...amountColumns<PayoutItem>(({ currency }) => currency),
  ];
}

/** The same as CSV. */
export function itemCsv(timeZone: string): CsvColumns<PayoutItem> {
  return {
    Payout: ({ disbursementId }) => disbursementId,
    Booking: ({ reference }) => reference,
    Guest: guestOf,
    What: ({ category }) => categoryCopy[category],
    Description: ({ description }) => description,
    [`Time in ${timeZone}`]: ({ effectiveAtMs }) => localTimestamp(effectiveAtMs, timeZone),
    Currency: ({ currency }) => currency,
    Gross: ({ currency, grossMinor }) => plainMoney(grossMinor, currency),
    Fees: ({ currency, feeMinor }) => plainMoney(feeMinor, currency),
    Net: ({ currency, netMinor }) => plainMoney(netMinor, currency),
    "Acquirer's id": ({ gatewayTransactionId }) => gatewayTransactionId,
  };
}
