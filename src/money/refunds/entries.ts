import { draftEntry, type Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { MoneyMoved } from '../../records/history/rules/entry.ts';
import type { EventType } from '../../records/history/rules/eventTypes.ts';
import type { RefundRow, TransactionRow } from '../../schema/moneyTables.ts';
import { listedRefundView } from './views.ts';

/** A refund before a change and after it; null before for a new one. */
interface ChangedRefund {
  readonly before: RefundRow | null;
  readonly after: RefundRow;
  readonly charge: TransactionRow;
}

/** The entry of a change of a refund, at an instant of the property's clock. */
export function refundEntry(
  work: BookingWork,
  atMs: number,
  { after, before, charge }: ChangedRefund,
  why?: string,
): Write {
  const type = eventOf(before, after);
  return draftEntry(
    work,
    atMs,
    { kind: 'refund', id: String(after.id) },
    {
      from: before?.status ?? null,
      to: after.status,
      detail: why,
      event: type && {
        type,
        cardToken: charge.cardToken,
        snapshot: ({ card, property }) => ({
          refund: listedRefundView(after, card(charge.cardToken), property.timeZone),
          chargeId: charge.id,
        }),
      },
      charge,
      moved: movementOf(before, after, charge),
    },
  );
}

function eventOf(before: RefundRow | null, { status }: RefundRow): EventType | null {
  if (status === 'Processing' || before?.status === status) return null;
  return status === 'Refunded' ? 'refund.refunded' : 'refund.failed';
}

/** The movement that a change of a refund is: it was made, or its money came back; null for none. */
function movementOf(
  before: RefundRow | null,
  after: RefundRow,
  { gateway }: TransactionRow,
): MoneyMoved | null {
  const wasMade = before?.status === 'Refunded';
  const isMade = after.status === 'Refunded';
  if (wasMade === isMade) return null;
  const { amountMinor, completedAtMs, createdAtMs, currency, gatewayReference, waived } = after;
  const sign = isMade ? -1 : 1;
  return {
    kind: isMade ? 'refund' : 'reversal',
    currency,
    amountMinor: sign * amountMinor,
    feeMinor: 0,
    ...(waived && { waivedMinor: -sign * amountMinor }),
    gateway,
    gatewayReference,
    occurredAtMs: completedAtMs ?? createdAtMs,
  };
}
