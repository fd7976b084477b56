import type { Child } from 'hono/jsx';
import { mayTry } from '../../../desk/actions.ts';
import type { BookingFile } from '../../../desk/bookingFile.ts';
import { money } from '../../../desk/format.ts';
import { paymentStateCopy, stateOfPayment } from '../../../desk/moneyState.ts';
import { cardCopy, whatCopy, words } from '../../../desk/words.ts';
import type { Gateway } from '../../../gateways/gateway.ts';
import type { AppContext } from '../../../http/context.ts';
import { cardTokenNow, dueTimeOf } from '../../../money/payments/rules.ts';
import { pageAmong } from '../../../platform/db/page.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { StateBadge } from '../../web/badge.tsx';
import { type Column, type CsvColumn, CsvLink, contentOf, Instant } from '../../web/table.tsx';
import { FollowUps } from '../actions/followUps.tsx';
import {
  amountColumn,
  currencyColumn,
  Described,
  moneyColumns,
  more,
  timeColumn,
} from '../lists/columns.tsx';
import { askedOf, type ListOf, viewOf } from '../lists/list.tsx';
import { bookingPath } from '../paths.ts';
import { useFile, useViewed } from '../site.tsx';

const names = words.columns;
const { payments: copy } = words.booking;

/** The payments of a booking, the latest first, each with its refunds, and with what can be done about them. */
export function Payments({ c, gateway }: { readonly c: AppContext; readonly gateway: Gateway }) {
  const file = useFile();
  const viewed = useViewed();
  const { reference } = file.state.booking;
  const list: ListOf<MoneyRow> = {
    copy,
    name: 'payments',
    file: 'payments',
    field: 'paymentsBefore',
    table: 'payments',
    shown: 14,
    key: (row) => [isRefund(row) ? row.createdAtMs : timeOf(row), row.id],
    columns: () => tableColumns(file, gateway, mayTry(viewed.person, 'charge')),
  };
  const place = { path: 'booking', query: { reference }, owner: 'payments' };
  const { part, section } = askedOf(c, list, viewOf(viewed), place);
  const { next, rows } = pageAmong('descending', file.transactions, part, (row) => list.key(row));
  const refundsFile = `${bookingPath(viewed.property.id, reference)}&table=refunds`;
  return section(
    { rows: rows.flatMap((row) => [row, ...refundsOf(file, row)]), next },
    file.refunds.length > 0 && <CsvLink path={refundsFile} of={words.booking.refunds.file} />,
  );
}

/** A row of the table: a payment, or a refund below its payment. */
type MoneyRow = TransactionRow | RefundRow;

function isRefund(row: MoneyRow): row is RefundRow {
  return 'transactionId' in row;
}

function refundsOf({ refunds }: BookingFile, { id }: TransactionRow): RefundRow[] {
  return refunds.filter(({ transactionId }) => transactionId === id).toReversed();
}

/** The columns of payments. A refund leaves those of fees and cards empty. */
function tableColumns(file: BookingFile, gateway: Gateway, mayAct: boolean): Column<MoneyRow>[] {
  const { property } = file.state;
  const { refunds } = words.booking;
  const links = file.transactions.map(({ cardToken, gatewayReference: id }) => {
    const card = id === null ? undefined : file.cards.find(({ token }) => token === cardToken);
    return card === undefined ? null : gateway.pageOfPayment(id ?? '', card.gatewayToken);
  });
  const atAcquirer: Column<TransactionRow> = {
    name: copy.atAcquirer,
    isMore: true,
    cell: (row) => {
      const href = links[file.transactions.indexOf(row)];
      return (
        href && (
          <a href={href} rel="noreferrer">
            {words.disputes.open}
            <span class="unseen"> {row.id}</span>
          </a>
        )
      );
    },
  };
  const actions: Column<TransactionRow> = {
    name: names.actions,
    cell: (row) => <FollowUps row={row} />,
  };
  const ofRefund: Readonly<Record<string, (row: RefundRow) => Child>> = {
    [names.time]: ({ createdAtMs }) => <Instant atMs={createdAtMs} timeZone={property.timeZone} />,
    [names.what]: ({ description }) => (
      <Described what={<>↳ {refunds.refund}</>} description={description} />
    ),
    [names.status]: ({ status }) => (
      <StateBadge state={REFUND_LOOKS[status]} text={words.refundStates[status]} />
    ),
    [names.amount]: ({ amountMinor, currency }) => money(-amountMinor, currency),
    [names.id]: ({ id }) => id,
    [atAcquirer.name]: ({ gatewayReference, origin }) => (
      <Described
        what={<bdi>{gatewayReference ?? '–'}</bdi>}
        description={origin === 'gateway' ? refunds.atAcquirer : null}
      />
    ),
    [names.actions]: (row) => <FollowUps row={row} />,
  };
  const isKnownThere = file.refunds.length > 0 || links.some(Boolean);
  const columns = [
    ...paymentColumns(file),
    ...(isKnownThere ? [atAcquirer] : []),
    ...(mayAct ? [actions] : []),
  ];
  return columns.map((column) => ({
    ...column,
    text: (row) => (isRefund(row) ? null : (column.text?.(row) ?? null)),
    cell: (row) => (isRefund(row) ? ofRefund[column.name]?.(row) : contentOf(column, row)),
  }));
}

export function paymentColumns(file: BookingFile): Column<TransactionRow>[] {
  const { booking, property } = file.state;
  const cardOf = (row: TransactionRow) => {
    const now = cardTokenNow(row, booking);
    return cardCopy(file.cards.find(({ token }) => token === now) ?? null);
  };
  return [
    more(timeColumn(names.time, timeOf, property)),
    {
      name: names.what,
      text: whatCopy,
      cell: (row) => <Described what={whatCopy(row)} description={row.description} />,
    },
    {
      name: names.status,
      text: (row) => paymentStateCopy(row, file),
      cell: (row) => (
        <StateBadge state={stateOfPayment(row, file.disputes)} text={paymentStateCopy(row, file)} />
      ),
    },
    amountColumn(names.amount, ({ amountMinor }) => amountMinor),
    more(
      amountColumn<TransactionRow>(
        names.feesInIt,
        (row) => row.cardFeeMinor + row.transactionFeeMinor,
      ),
    ),
    currencyColumn,
    { name: names.card, isMore: true, text: cardOf },
    { name: names.id, isMore: true, isNumber: true, text: ({ id }) => id },
    { name: names.description, isForFiles: true, text: ({ description }) => description },
  ];
}

export function refundColumns({ state }: BookingFile): CsvColumn<RefundRow>[] {
  const { refunds } = words.booking;
  return [
    timeColumn(names.time, ({ createdAtMs }) => createdAtMs, state.property),
    { name: names.status, text: ({ status }) => words.refundStates[status] },
    ...moneyColumns<RefundRow>(),
    { name: names.ofPayment, text: ({ transactionId }) => transactionId },
    { name: names.description, text: ({ description }) => description },
    {
      name: refunds.madeAtAcquirer,
      text: ({ origin }) => (origin === 'gateway' ? refunds.yes : refunds.no),
    },
    { name: refunds.acquirersId, text: ({ gatewayReference }) => gatewayReference },
    { name: names.id, text: ({ id }) => id },
  ];
}

/** How refunds stand, as badges show it. */
export const REFUND_LOOKS = {
  Processing: 'unknown',
  Refunded: 'refunded',
  Failed: 'failed',
} as const;

/** When a payment happened: at its outcome, or, before that, when it will or was asked for. */
export function timeOf(row: TransactionRow): number {
  return row.status === 'Pending' ? dueTimeOf(row) : (row.completedAtMs ?? row.createdAtMs);
}
