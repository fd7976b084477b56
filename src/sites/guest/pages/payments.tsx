import type { Reader } from '../../../core/words/reader.ts';
import type { Words } from '../../../core/words/words.ts';
import type { Folio } from '../../../money/guest/folio.ts';
import { dueTimeOf, isAtBank } from '../../../money/payments/rules.ts';
import { cardInUse } from '../../../records/bookings/rules.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import { LinkLine, Section } from '../../web/page.tsx';
import { cardName } from '../rules/cardName.ts';
import { Layout } from './layout.tsx';
import { useGuest, useReader } from './reader.tsx';

/** How many payments and refunds the booking's page shows. */
const MOST_SHOWN = 10;

/** The payments and refunds of the booking, with links to the receipts: the last of them, or `all`. */
export function Payments({ all = false }: { readonly all?: boolean }) {
  const { folio, home } = useGuest();
  const reader = useReader();
  const { payments } = reader.words;
  const lines = folio.transactions.flatMap((row) => {
    const line = lineOf(row, folio, reader);
    const refunds = folio.refunds.filter(({ transactionId }) => transactionId === row.id);
    return [
      ...(line ? [line] : []),
      ...refunds.map((refund) => refundLine(refund, row, folio, reader)),
    ];
  });
  if (lines.length === 0) return null;
  const shown = all ? lines : lines.slice(-MOST_SHOWN);
  return (
    <Section id="movements" heading={payments.heading}>
      {shown.length < lines.length && (
        <LinkLine href={`${home}/all`} text={payments.all({ count: lines.length })} />
      )}
      <ul class="movements">
        {shown.map(({ amount, receiptId, what, when }) => (
          <li>
            <span>{what}</span>
            <span class="amount">{amount}</span>
            <span class="hint">
              {when}
              {receiptId !== null && (
                <>
                  {' '}
                  <a
                    href={`${home}/receipt/${receiptId}`}
                    aria-label={payments.receiptOf({ amount, time: when })}
                  >
                    {payments.receipt}
                  </a>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface Line {
  readonly what: string;
  readonly when: string;
  readonly amount: string;
  readonly receiptId: number | null;
}

/** Describes a transaction to the guest; null for one that is not worth showing. */
function lineOf(
  row: TransactionRow,
  { state, usedCards }: Folio,
  { instant, money, words }: Reader,
): Line | null {
  const { payments } = words;
  const { timeZone } = state.property;
  // A schedule that names no card charges the booking's card at that time.
  const later = row.status === 'Pending' && !row.cardNamed ? cardInUse(state) : null;
  const card = later ?? usedCards.find(({ token }) => token === row.cardToken);
  const by = card ? `, ${cardName(words, card)}` : '';
  const purpose = words.purposes[row.purpose];
  const at = `${instant(row.completedAtMs ?? row.createdAtMs, timeZone)}${by}`;
  const line = { when: at, amount: money(row.amountMinor, row.currency), receiptId: null };
  const until =
    row.expiresAtMs === null
      ? ''
      : `, ${payments.heldUntil({ time: instant(row.expiresAtMs, timeZone) })}`;
  const feeMinor = row.cardFeeMinor + row.transactionFeeMinor;
  const fee = feeMinor === 0 ? '' : `, ${payments.withFee({ fee: money(feeMinor, row.currency) })}`;
  switch (row.status) {
    case 'Accepted':
      return { ...line, what: payments.paid({ purpose }), when: `${at}${fee}`, receiptId: row.id };
    case 'Pending': {
      const time = instant(dueTimeOf(row), timeZone);
      const when = `${payments.willBeCharged({ time })}${by}${fee}`;
      return { ...line, what: payments.scheduled({ purpose }), when };
    }
    case 'Authorized':
      return { ...line, what: payments.held, when: `${at}${until}` };
    case 'Processing':
      return { ...line, what: underWay(row, purpose, words) };
    case 'Failed':
      return { ...line, what: payments.failed({ purpose }) };
    case 'Declined':
      return { ...line, what: notTaken(row, purpose, words) };
    default:
      return null;
  }
}

/** Describes what the bank declined, or what the guest did not confirm there. */
function notTaken({ declineCode }: TransactionRow, purpose: string, { payments }: Words): string {
  return declineCode === 'authentication_required'
    ? payments.notConfirmed({ purpose })
    : payments.declined({ purpose });
}

/** Describes the operation that the bank has yet to confirm. */
function underWay(row: TransactionRow, purpose: string, { payments }: Words): string {
  if (isAtBank(row)) return payments.waitingForYou({ purpose });
  switch (row.pendingOperation) {
    case 'authorize':
      return payments.holdBeingPlaced;
    case 'release':
    case 'expire':
      return payments.holdBeingReleased;
    default:
      return payments.confirming({ purpose });
  }
}

function refundLine(
  refund: RefundRow,
  { cardToken }: TransactionRow,
  { state, usedCards }: Folio,
  { instant, money, words }: Reader,
): Line {
  const { payments } = words;
  const card = usedCards.find(({ token }) => token === cardToken);
  const what = {
    Refunded: payments.refunded,
    Processing: payments.refundConfirming,
    Failed: payments.refundFailed,
  };
  return {
    what: what[refund.status],
    when: [
      instant(refund.completedAtMs ?? refund.createdAtMs, state.property.timeZone),
      ...(card ? [cardName(words, card)] : []),
      ...(refund.status === 'Refunded' ? [payments.refundTakes] : []),
    ].join(', '),
    amount: `−${money(refund.amountMinor, refund.currency)}`,
    receiptId: null,
  };
}

/** Every payment and refund of a booking that has many. */
export function PaymentsPage() {
  const { words } = useReader();
  return (
    <Layout heading={words.booking.title}>
      <Payments all />
      <LinkLine href={useGuest().home} text={words.booking.back} />
    </Layout>
  );
}
