import { decimalText } from '../../core/money.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { Write } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { changeWrites, MOST_CHANGES } from './entries.ts';
import { cancellation, type FiringEnd } from './rules/firing.ts';
import { changePending, selectInStates } from './store.ts';

/** How long a schedule waits at a time for the outcome of a payment that may make it too much. */
export const WAIT_FOR_OUTCOME_MS = 5 * MINUTE_MS;

type Superseding = Pick<TransactionRow, 'id' | 'replaces' | 'lowers' | 'currency'>;

function changedBy(payment: Pick<Superseding, 'replaces' | 'lowers'>): readonly number[] {
  const { replaces, lowers } = payment;
  return lowers === null ? replaces : [...replaces, lowers.id];
}

/** Names the payment in the schedules that it supersedes if it is accepted; for the batch that records it. */
export function nameSuperseding(
  { propertyId, reference }: BookingWork,
  payment: Superseding,
): Statement[] {
  const ids = changedBy(payment);
  if (ids.length === 0) return [];
  const booking = { propertyId, reference };
  return [changePending(booking, ids, { replacedBy: payment.id })];
}

/**
 * Cancels the schedules that a payment supersedes, and lowers the one that it pays in part, in the batch that accepts it.
 * Those that one batch has no room for are made due, and cancelled when they would fire. Whatever became of them meanwhile
 * stays: nothing is raised, and nothing that is under way is changed.
 *
 * @param pending The booking's schedules that are pending then.
 */
export async function changeSuperseded(
  work: BookingWork,
  payment: Superseding,
  pending: readonly TransactionRow[],
): Promise<Write[]> {
  const { replaces, lowers } = payment;
  const superseded = pending.filter(({ id }) => replaces.includes(id));
  const { change, why } = paidBy(payment, work.now());
  const cancelled = superseded
    .slice(0, MOST_CHANGES)
    .flatMap((schedule) => changeWrites(work, schedule, change, { why }));
  const later = superseded.slice(MOST_CHANGES);
  if (later.length > 0) {
    await work.wakeBy(work.now());
    const ids = later.map(({ id }) => id);
    cancelled.push(changePending(work, ids, { dueAtMs: work.now() }));
  }
  const lowered = pending.find(
    (one) => one.id === lowers?.id && one.requestedMinor > lowers.requestedMinor,
  );
  if (lowers === null || !lowered) return cancelled;
  const { id: _id, ...price } = lowers;
  const amount = decimalText(lowers.amountMinor, payment.currency);
  const told = { why: `lowered to ${amount}: paid in part by charge ${payment.id}` };
  return [...cancelled, ...changeWrites(work, lowered, { ...price, askedMinor: null }, told)];
}

/**
 * What the payments that supersede a schedule, the latest or not, say of it when it would fire: it waits for one without an
 * outcome, and ends if one was accepted. Null where it is charged.
 */
export async function supersededBy(
  work: BookingWork,
  { id, replacedBy }: Pick<TransactionRow, 'id' | 'replacedBy'>,
): Promise<{ readonly kind: 'wait' } | FiringEnd | null> {
  if (replacedBy === null) return null;
  const { database, propertyId, reference } = work;
  const [payments] = await database.batch('d1.transaction.read', [
    selectInStates(propertyId, reference, ['Processing', 'Accepted']),
  ]);
  const accepted = payments.find(
    ({ replaces, status }) => status === 'Accepted' && replaces.includes(id),
  );
  if (accepted) return paidBy(accepted, work.now());
  const isUnderWay = payments.some(
    (payment) => payment.status === 'Processing' && changedBy(payment).includes(id),
  );
  return isUnderWay ? { kind: 'wait' } : null;
}

function paidBy({ id }: Pick<TransactionRow, 'id'>, nowMs: number) {
  return cancellation(nowMs, `paid by charge ${id}`);
}
