/** Compares service, journal, messages to the PMS and the acquirer's own movements of money, after corrections. */
import type { Gateway, PaymentRecord } from '../../src/gateways/gateway.ts';
import type { GatewayMovement } from '../../src/gateways/movements.ts';
import { selectGateway } from '../../src/gateways/select.ts';
import { requireConfig } from '../../src/platform/config.ts';
import { testEnv, transactionsOf } from './api.ts';
import { MOVEMENTS } from './history.ts';
import { moneyTold } from './messages.ts';

interface Row {
  readonly id: number;
  readonly status: string;
  readonly amount_minor: number;
  readonly gateway_reference: string | null;
}

/**
 * Every disagreement about a booking, in words. Journal, acquirer and PMS have the same movements, each once; each
 * transaction is what its payment is; the list shows every refund that the acquirer has.
 */
export async function disagreementsInAll(booking: string): Promise<string[]> {
  const gateway = selectGateway(await requireConfig(testEnv), testEnv);
  const found: string[] = [];
  const rows = await rowsOf<Row>('transactions', booking);
  const journal = (await rowsOf<{ amount_minor: number }>(MOVEMENTS, booking)).map(
    (row) => row.amount_minor,
  );
  const payments: PaymentRecord[] = [];
  for (const row of rows) {
    const payment = await paymentOf(gateway, row);
    if (payment) payments.push(payment);
    found.push(...stateDiffers(row, payment));
  }
  const theirs = (await movementsOf(gateway))
    .filter(
      ({ about, payment }) =>
        about?.bookingReference === booking || payments.some(({ id }) => id === payment),
    )
    .map(({ amountMinor }) => amountMinor);
  found.push(...differs('the journal', journal, 'the acquirer', theirs));
  found.push(...differs('the PMS', await toldPms(booking), 'the acquirer', theirs));
  found.push(...(await refundsDiffer(booking, payments)));
  return found;
}

async function rowsOf<T>(table: string, booking: string): Promise<T[]> {
  const sql = `SELECT * FROM ${table} WHERE property_id = 'demo' AND booking_reference = ?`;
  return (await testEnv.DB.prepare(sql).bind(booking).all<T>()).results;
}

async function paymentOf(gateway: Gateway, row: Row): Promise<PaymentRecord | null> {
  if (row.gateway_reference === null) return null;
  const report = await gateway.payment(row.gateway_reference, null);
  return report.kind === 'payment' ? report.payment : null;
}

const STATES: Readonly<Record<string, PaymentRecord['status']>> = {
  Accepted: 'taken',
  Authorized: 'held',
  Released: 'released',
  Expired: 'released',
};

function stateDiffers(row: Row, payment: PaymentRecord | null): string[] {
  const { status, amount_minor: ours } = row;
  const expected = STATES[status] ?? 'failed';
  const actual = payment?.status ?? 'failed';
  if (actual !== expected) return [`${status} here, ${actual} there`];
  const theirs = payment?.takenMinor ?? ours;
  return status === 'Accepted' && theirs !== ours ? [`${ours} here, ${theirs} there`] : [];
}

async function movementsOf(gateway: Gateway): Promise<GatewayMovement[]> {
  const all: GatewayMovement[] = [];
  let cursor: string | null = null;
  do {
    const page = await gateway.movements({
      account: null,
      cursor,
      fromMs: 0,
      toMs: Date.UTC(2100, 0),
    });
    if (page.kind === 'unknown') throw new Error(page.reason);
    all.push(...page.movements);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

/** What the PMS is told of: amounts in minor units, negative for what left the property. */
async function toldPms(booking: string): Promise<number[]> {
  const messages = await moneyTold(booking);
  return messages.map(({ AmountGross, Type }) => {
    const amountMinor = Math.round(Number(AmountGross) * 100);
    return Type === 'Refund' ? -amountMinor : amountMinor;
  });
}

function differs(
  what: string,
  some: readonly number[],
  other: string,
  others: readonly number[],
): string[] {
  const [one, two] = [some, others].map((all) => all.toSorted((a, b) => a - b).join());
  return one === two ? [] : [`${what} has ${one}, ${other} ${two}`];
}

async function refundsDiffer(
  booking: string,
  payments: readonly PaymentRecord[],
): Promise<string[]> {
  const ours = (await transactionsOf(booking))
    .flatMap(({ refunds }) => refunds)
    .map(({ status, amount }) => `${status} ${Math.round(amount * 100)}`);
  const theirs = payments
    .flatMap(({ refunds }) => refunds)
    .map(
      ({ status, amountMinor }) => `${status === 'failed' ? 'Failed' : 'Refunded'} ${amountMinor}`,
    );
  const [one, two] = [ours, theirs].map((all) => all.toSorted().join());
  return one === two ? [] : [`refunds: ${one} here, ${two} there`];
}
