/** Compares the service's list with the acquirer's ledger: both have every effect once, with the same amount. */
import type { LedgerEntry, Listed, ListedRefund } from './answers.ts';
import type { Shown } from './quiet.ts';
import type { Rule, Violation } from './violations.ts';

/** The expected number of effects at the acquirer, by kind and status. */
type Effects = Readonly<Partial<Record<LedgerEntry['kind'], 0 | 1>>>;

/**
 * Compares everything. The ledger must have no entry that is missing in the list. `holdsMade` are the ids of holds that a
 * caller was told of.
 */
export function compare(
  bookings: readonly Shown[],
  ledger: readonly LedgerEntry[],
  holdsMade: ReadonlySet<number>,
): Violation[] {
  const effects = Map.groupBy(ledger, recordOf);
  const violations: Violation[] = [];
  for (const { reference, transactions } of bookings) {
    for (const transaction of transactions) {
      const add = (rule: Rule, detail: string) =>
        violations.push({ rule, detail: `${reference}, ${describe(transaction)}: ${detail}` });
      const entries = effects.get(transaction.reference) ?? [];
      const arrived = entries.length > 0 || holdsMade.has(transaction.id);
      compareTransaction(transaction, entries, arrived, add);
      effects.delete(transaction.reference);
      for (const refund of transaction.refunds) {
        compareRefund(refund, effects.get(refund.reference) ?? [], add);
        effects.delete(refund.reference);
      }
      compareSum(transaction, add);
    }
  }
  for (const [reference, entries] of effects) {
    const detail = `the acquirer has ${entries.length} operations of ${reference}, the service has none`;
    violations.push({ rule: 'lost', detail });
  }
  return violations;
}

type Add = (rule: Rule, detail: string) => void;

/** Our reference in a gateway key: a refund's own, or a transaction's before the number of its attempt. */
function recordOf({ idempotencyKey }: LedgerEntry): string {
  return idempotencyKey.replace(/-\d+$/, '');
}

function compareTransaction(
  transaction: Listed,
  entries: readonly LedgerEntry[],
  arrived: boolean,
  add: Add,
): void {
  const succeeded = entries.filter(({ status }) => status === 'succeeded');
  compareEffects(expectedOf(transaction, arrived), succeeded, add);
  const paid = transaction.preAuth ? 'capture' : 'charge';
  for (const { kind, amount } of succeeded) {
    const same = kind === paid || (kind === 'authorization' && transaction.status !== 'Accepted');
    if (same && amount !== transaction.amount) {
      add('amount differs', `${transaction.amount} here, ${kind} of ${amount} at the acquirer`);
    }
  }
}

function compareRefund(refund: ListedRefund, entries: readonly LedgerEntry[], add: Add): void {
  const succeeded = entries.filter(({ status }) => status === 'succeeded');
  compareEffects({ refund: refund.status === 'Refunded' ? 1 : 0 }, succeeded, add);
  for (const { amount } of succeeded) {
    if (amount !== refund.amount)
      add('amount differs', `refund of ${refund.amount}, not ${amount}`);
  }
}

function compareEffects(expected: Effects, succeeded: readonly LedgerEntry[], add: Add): void {
  for (const kind of ['charge', 'authorization', 'capture', 'release', 'refund'] as const) {
    const here = expected[kind] ?? 0;
    const there = succeeded.filter((entry) => entry.kind === kind).length;
    if (there > 1) add('duplicated', `${there} × ${kind} at the acquirer`);
    else if (there !== here) add('lost', `${here} × ${kind} here, ${there} at the acquirer`);
  }
}

/** A released hold whose request was lost, and no longer wanted, never arrived at the acquirer. */
function expectedOf({ preAuth, status }: Listed, arrived: boolean): Effects {
  if (!preAuth) return { charge: status === 'Accepted' ? 1 : 0 };
  switch (status) {
    case 'Authorized':
      return { authorization: 1 };
    case 'Accepted':
      return { authorization: 1, capture: 1 };
    case 'Released':
      return arrived ? { authorization: 1, release: 1 } : {};
    case 'Expired':
      return { authorization: 1, release: 1 };
    default:
      return {};
  }
}

function compareSum({ amount, refunds }: Listed, add: Add): void {
  const given = refunds.filter(({ status }) => status !== 'Failed');
  const sum = given.reduce((total, refund) => total + cents(refund.amount), 0);
  if (sum > cents(amount)) add('refunded too much', `${sum / 100} of ${amount}`);
}

/** Amounts of this property as whole cents, so that sums are exact. */
function cents(amount: number): number {
  return Math.round(amount * 100);
}

function describe({ id, status, preAuth, scheduledTime }: Listed): string {
  const what = preAuth ? 'hold' : scheduledTime === undefined ? 'charge' : 'schedule';
  return `${what} ${id} ${status}`;
}
