import type { Result } from '../../core/result.ts';
import { requireFreshKey } from '../../operation/idempotency.ts';
import type { BookingWork } from '../../operation/work.ts';
import { charge, type Making, type PaymentCommand } from './charge.ts';
import { isRenewed } from './renewCard.ts';
import type { TransactionAnswer } from './views.ts';

/**
 * Makes a payment as {@link charge} does. Where the card has expired by our record, it asks the acquirer whether the issuer
 * has renewed it, and then decides the payment again. A repeated request asks nothing: it gets its first answer.
 */
export async function pay(
  work: BookingWork,
  command: PaymentCommand,
  making?: Partial<Making>,
): Promise<Result<TransactionAnswer>> {
  const paid = await charge(work, command, making);
  if (paid.ok || paid.error.code !== 'card_expired') return paid;
  if (command.caller) await requireFreshKey(work, command.caller);
  if (!(await isRenewed(work, command.cardToken))) return paid;
  work.memory.forget();
  return charge(work, command, making);
}
