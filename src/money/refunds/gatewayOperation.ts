import type { CertainOutcome, Gateway, Outcome } from '../../gateways/gateway.ts';
import type { Write } from '../../operation/draft.ts';
import { selectRefunds } from '../../operation/shownStore.ts';
import type { BookingWork } from '../../operation/work.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { refundMessage } from '../../pms/rules/messages.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { RefundRow } from '../../schema/moneyTables.ts';
import { type Applied, type GatewayOperation, shownNames } from '../gateway/operation.ts';
import { sentUntilMs } from '../gateway/rules/statusChecks.ts';
import { loadTransaction } from '../payments/loadTransaction.ts';
import { type AtGateway, isAtGateway } from '../payments/rules/cases.ts';
import { updateTransaction } from '../payments/store.ts';
import { refundEntry } from './entries.ts';
import { refundChange } from './rules.ts';
import { updateRefund } from './store.ts';

/** A refund with its charge, the charge's card, and their booking. */
export interface RefundSubject {
  readonly state: BookingState;
  readonly refund: RefundRow;
  /** As D1 has it: a failed refund returns its amount to the charge. */
  readonly charge: AtGateway;
  readonly card: CardRow;
}

interface RefundOperation extends GatewayOperation<RefundRow> {
  send(gateway: Gateway): Promise<Outcome>;
}

/** The gateway operation whose outcome a refund in `Processing` waits for. The refund's reference is its key. */
export function refundOperation(work: BookingWork, subject: RefundSubject): RefundOperation {
  const { refund: row, charge, card } = subject;
  const { reference, propertyId, bookingReference, amountMinor, currency } = row;
  const named = { idempotencyKey: reference, propertyId, reference };
  const { gatewayToken } = card;
  const { database } = work;
  return {
    row,
    kind: 'refund',
    askedAtMs: row.createdAtMs,
    isWanted: true,
    lookUpRequest: {
      ...named,
      kind: 'refund',
      gatewayToken,
      gatewayReference: charge.gatewayReference,
      sinceMs: row.createdAtMs,
      untilMs: sentUntilMs(row.createdAtMs, work.now()),
    },
    spans: { apply: 'd1.refund.apply', postpone: 'd1.refund.postpone' },
    send: (gateway) =>
      gateway.refund({
        ...named,
        bookingReference,
        amountMinor,
        currency,
        gatewayToken,
        gatewayReference: charge.gatewayReference,
        ...shownNames(subject.state, row.description),
        askedAtMs: work.now(),
      }),
    apply: (outcome, why) => apply(work, subject, outcome, why),
    bankStep: null,
    postpone: (change) => [updateRefund(database.queries, row, change)],
    withRow: (refund) => refundOperation(work, { ...subject, refund }),
    read: async () => {
      const [all] = await database.batch('d1.refund.read', [
        selectRefunds(database.queries, propertyId, bookingReference),
      ]);
      return all.find(({ id }) => id === row.id) ?? null;
    },
  };
}

/** The new state and its audit entry, with the message to the PMS, or with the amount that returns to the charge. */
function apply(
  work: BookingWork,
  subject: RefundSubject,
  outcome: CertainOutcome,
  why: string | undefined,
): Applied<RefundRow> {
  const { state, refund, charge, card } = subject;
  const change = refundChange(outcome, work.now());
  const row = { ...refund, ...change, version: refund.version + 1 };
  const writes = refundWrites(work, subject, change, why);
  if (row.status === 'Refunded') {
    const message = refundMessage({ ...state, card }, row, charge.gateway);
    writes.push(...queueMessage(work, state.property, message));
  }
  return { row, writes };
}

/** The change of a refund with its entry in the history. A failed refund's amount is refundable again. */
export function refundWrites(
  work: BookingWork,
  { refund, charge }: Pick<RefundSubject, 'refund' | 'charge'>,
  change: Partial<RefundRow>,
  why?: string,
): Write[] {
  const { queries } = work.database;
  const atMs = work.now();
  const after = { ...refund, ...change, version: refund.version + 1 };
  const writes: Write[] = [
    updateRefund(queries, refund, change),
    refundEntry(work, atMs, { before: refund, after, charge }, why),
  ];
  if (after.status === 'Failed') {
    const refundReservedMinor = charge.refundReservedMinor - refund.amountMinor;
    writes.push(updateTransaction(queries, charge, { refundReservedMinor, changedAtMs: atMs }));
  }
  return writes;
}

/** Loads one of the booking's refunds with its charge and card; null if it does not exist. */
export async function loadRefund(work: BookingWork, id: number): Promise<RefundSubject | null> {
  const { database, memory, propertyId, reference } = work;
  const refunds =
    memory.rows?.refunds ??
    (
      await database.batch('d1.refund.read', [
        selectRefunds(database.queries, propertyId, reference),
      ])
    )[0];
  const refund = refunds.find((row) => row.id === id);
  if (!refund) return null;
  const loaded = await loadTransaction(work, refund.transactionId);
  if (!loaded.ok || !isAtGateway(loaded.value.row)) throw new Error('a refund has no charge');
  const { state, row: charge, card } = loaded.value;
  return { state, refund, charge, card };
}
