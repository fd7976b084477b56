import { mayTry } from '../../../desk/actions.ts';
import type { BookingFile } from '../../../desk/bookingFile.ts';
import { paymentStateCopy, stateOfPayment } from '../../../desk/moneyState.ts';
import { cardCopy, whatCopy, words } from '../../../desk/words.ts';
import type { Gateway } from '../../../gateways/gateway.ts';
import type { AppContext } from '../../../http/context.ts';
import { cardTokenNow, dueTimeOf } from '../../../money/payments/rules.ts';
import { pageAmong } from '../../../platform/db/page.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { StateBadge } from '../../web/badge.tsx';
import type { Column } from '../../web/table.tsx';
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
import { useFile, useViewed } from '../site.tsx';

const names = words.columns;

/** The two tables of money on a booking's page. */
export type MoneyTable = 'payments' | 'refunds';

/** The payments of a booking, the latest first, with what can be done about each, here and at the acquirer. */
export function Payments({ c, gateway }: { readonly c: AppContext; readonly gateway: Gateway }) {
  const file = useFile();
  const pageOf = ({ cardToken, gatewayReference: id }: TransactionRow) => {
    const card = id === null ? undefined : file.cards.find(({ token }) => token === cardToken);
    return card === undefined ? null : gateway.pageOfPayment(id ?? '', card.gatewayToken);
  };
  const atAcquirer: Column<TransactionRow> = {
    name: words.booking.payments.atAcquirer,
    isMore: true,
    cell: (row) => {
      const href = pageOf(row);
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
  const columns = [
    ...paymentColumns(file),
    ...(file.transactions.some((row) => pageOf(row) !== null) ? [atAcquirer] : []),
    ...(mayTry(useViewed().person, 'charge') ? [actions] : []),
  ];
  return <Money c={c} list={moneyList('payments', timeOf, columns)} rows={file.transactions} />;
}

/** Where the refunds of a booking are; nothing if there are none. */
export function Refunds({ c }: { readonly c: AppContext }) {
  const file = useFile();
  if (file.refunds.length === 0) return null;
  const actions: Column<RefundRow> = {
    name: names.actions,
    cell: (row) => <FollowUps row={row} />,
  };
  const isOpen = file.refunds.some(({ status }) => status === 'Processing');
  const columns = [...refundColumns(file), ...(isOpen ? [actions] : [])];
  const list = moneyList<RefundRow>('refunds', ({ createdAtMs }) => createdAtMs, columns);
  return <Money c={c} list={list} rows={file.refunds} />;
}

/** A list of a booking's money, the latest first. */
function moneyList<Row extends { readonly id: number }>(
  table: MoneyTable,
  atMsOf: (row: Row) => number,
  columns: readonly Column<Row>[],
): ListOf<Row> {
  return {
    copy: words.booking[table],
    name: table,
    file: table,
    field: `${table}Before`,
    table,
    shown: 15,
    key: (row) => [atMsOf(row), row.id],
    columns: () => columns,
  };
}

function Money<Row>({
  c,
  list,
  rows,
}: {
  readonly c: AppContext;
  readonly list: ListOf<Row>;
  readonly rows: readonly Row[];
}) {
  const { reference } = useFile().state.booking;
  const view = viewOf(useViewed());
  const place = { path: 'booking', query: { reference }, owner: list.name };
  const { part, section } = askedOf(c, list, view, place);
  return section(pageAmong('descending', rows, part, (row) => list.key(row)));
}

export function paymentColumns(file: BookingFile): Column<TransactionRow>[] {
  const { booking, property } = file.state;
  const cardOf = (row: TransactionRow) => {
    const now = cardTokenNow(row, booking);
    return cardCopy(file.cards.find(({ token }) => token === now) ?? NO_CARD);
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

export function refundColumns({ cards, state, transactions }: BookingFile): Column<RefundRow>[] {
  const copy = words.booking.refunds;
  const cardOf = ({ transactionId }: RefundRow) => {
    const charge = transactions.find(({ id }) => id === transactionId);
    const card = cards.find(({ token }) => token === charge?.cardToken);
    return card ? cardCopy(card) : '–';
  };
  return [
    timeColumn(names.time, ({ createdAtMs }) => createdAtMs, state.property),
    {
      name: names.status,
      text: ({ status }) => words.refundStates[status],
      cell: ({ description, status }) => (
        <Described
          what={<StateBadge state={REFUND_LOOKS[status]} text={words.refundStates[status]} />}
          description={description}
        />
      ),
    },
    ...moneyColumns(),
    { name: names.card, isMore: true, cell: cardOf },
    {
      name: names.ofPayment,
      isMore: true,
      isNumber: true,
      text: ({ transactionId }) => transactionId,
    },
    { name: names.description, isForFiles: true, text: ({ description }) => description },
    {
      name: copy.madeBy,
      isMore: true,
      fileName: copy.madeAtAcquirer,
      text: ({ origin }) => (origin === 'gateway' ? copy.yes : copy.no),
      cell: ({ origin }) => (origin === 'gateway' ? copy.atAcquirer : copy.here),
    },
    {
      name: copy.acquirersId,
      isMore: true,
      fileName: copy.acquirersIdInFile,
      text: ({ gatewayReference }) => gatewayReference,
      cell: ({ gatewayReference }) => <bdi>{gatewayReference ?? '–'}</bdi>,
    },
    { name: names.id, isMore: true, isNumber: true, text: ({ id }) => id },
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

/** Which card that will be is seen when the time comes. */
const NO_CARD = { brand: null, last4: null };
