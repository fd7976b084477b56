/** Compares what the service says of a booking's money with what the acquirer itself recorded. */
import { call, ledgerOf } from './api.ts';
import { moneyTold } from './messages.ts';

/** One thing that an acquirer did. */
export interface Effect {
  readonly kind: string;
  readonly amount: number;
  readonly idempotencyKey: string;
}

interface Transaction {
  readonly id: number;
  readonly status: string;
  readonly amount: number;
  readonly reference: string;
  readonly preAuth?: boolean;
  readonly refunds: {
    readonly id: number;
    readonly status: string;
    readonly amount: number;
    readonly reference: string;
  }[];
}

/** What an acquirer did for a booking. */
export type Ledger = (reference: string) => Effect[] | Promise<Effect[]>;

/** What the embedded acquirer did. */
async function sandboxLedger(reference: string): Promise<Effect[]> {
  return (await ledgerOf(reference)).filter(({ status }) => status === 'succeeded');
}

/** Every disagreement about a booking, in words; none when all is well and nothing is open. */
export async function disagreements(
  reference: string,
  ledger: Ledger = sandboxLedger,
): Promise<string[]> {
  const { json } = await call('/payment/v1/transaction', { reference });
  const transactions = json.transactions as Transaction[];
  const effects = await ledger(reference);
  const left = new Set<Effect>(effects);
  const found: string[] = [];
  for (const transaction of transactions) {
    found.push(...ofTransaction(transaction, left), ...ofRefunds(transaction, left));
  }
  for (const { kind, idempotencyKey } of left)
    found.push(`unknown here: ${kind} ${idempotencyKey}`);
  return [...found, ...(await untold(reference, transactions))];
}

/** Ids as one text, whatever their order. */
function inAnyOrder(ids: readonly string[]): string {
  return ids.toSorted((one, other) => one.localeCompare(other)).join();
}

/** What the PMS is told of money, against what was moved: each once, and nothing else. */
async function untold(reference: string, transactions: Transaction[]): Promise<string[]> {
  const messages = await moneyTold(reference, 'demo');
  const moved = transactions.flatMap(({ id, status, refunds }) => [
    ...(status === 'Accepted' ? [id] : []),
    ...refunds.filter((refund) => refund.status === 'Refunded').map((refund) => refund.id),
  ]);
  const told = messages.map(({ TransactionID }) => String(TransactionID));
  return inAnyOrder(told) === inAnyOrder(moved.map(String))
    ? []
    : [`the PMS is told of ${told.join()}, but moved were ${moved.join()}`];
}

/** Which effects a transaction in a state must have had, and no others. */
function expectedKinds({ status, preAuth }: Transaction): string[] | null {
  switch (status) {
    case 'Accepted':
      return preAuth ? ['authorization', 'capture'] : ['charge'];
    case 'Authorized':
      return ['authorization'];
    case 'Released':
    case 'Expired':
      return ['authorization', 'release'];
    case 'Processing':
      return null;
    default:
      return [];
  }
}

function ofTransaction(transaction: Transaction, left: Set<Effect>): string[] {
  const own = [...left].filter(
    ({ kind, idempotencyKey }) =>
      kind !== 'refund' && idempotencyKey.startsWith(`${transaction.reference}-`),
  );
  for (const effect of own) left.delete(effect);
  const expected = expectedKinds(transaction);
  if (expected === null) return ['still Processing'];
  const kinds = own.map(({ kind }) => kind).toSorted();
  if (kinds.join() !== expected.toSorted().join()) {
    return [`${transaction.status}, but the acquirer has [${kinds.join()}]`];
  }
  const taken = own.find(({ kind }) => kind === 'charge' || kind === 'capture');
  return taken && taken.amount !== transaction.amount
    ? [`${transaction.amount} here, ${taken.amount} there`]
    : [];
}

function ofRefunds(transaction: Transaction, left: Set<Effect>): string[] {
  const found: string[] = [];
  let cents = 0;
  for (const refund of transaction.refunds) {
    const own = [...left].filter(({ idempotencyKey }) => idempotencyKey === refund.reference);
    for (const effect of own) left.delete(effect);
    if (refund.status === 'Processing') found.push('a refund is still Processing');
    const expected = refund.status === 'Refunded' ? 1 : 0;
    if (refund.status !== 'Processing' && own.length !== expected) {
      found.push(`a refund is ${refund.status}, but was made ${own.length} times`);
    }
    if (refund.status !== 'Failed') cents += Math.round(refund.amount * 100);
  }
  if (cents > Math.round(transaction.amount * 100)) found.push('more was refunded than charged');
  return found;
}
