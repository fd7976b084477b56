import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { type BookingWork, decideAgain } from '../../operation/work.ts';
import { uncertain } from '../../records/bookings/rules.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { applyOutcome, isCertain, lookUp } from '../gateway/operation.ts';
import { abandon, awaitBank } from '../gateway/resolve.ts';
import { recordWish } from '../payments/callOff.ts';
import { transactionOperation } from '../payments/gatewayOperation.ts';
import { type LoadedTransaction, loadTransaction } from '../payments/loadTransaction.ts';

/** A guest comes back to their payment, or gives it up. */
export interface GuestStepCommand {
  readonly chargeId: number;
  readonly givesUp: boolean;
}

/** What is left for a guest to do about a payment of theirs. */
export interface GuestStep {
  /** Where they confirm it; null if their bank does not ask, or no longer. */
  readonly bankUrl: string | null;
}

const NOTHING_TO_DO: GuestStep = { bankUrl: null };

const GIVEN_UP = 'given up by its guest';

/**
 * Asks the acquirer what became of a guest's payment, and records it (interface: The bank's step). A payment that the
 * guest gives up is canceled there, unless it was taken before. That they gave it up is recorded first: a request that
 * was lost is then not sent again, and one whose acquirer does not answer now is canceled later. Asking again changes
 * nothing.
 */
export async function followGuestPayment(
  work: BookingWork,
  { chargeId, givesUp }: GuestStepCommand,
): Promise<Result<GuestStep, Failure>> {
  const found = await decideAgain(work, () => beginStep(work, { chargeId, givesUp }));
  if (!found.ok) return found;
  if (found.value === null) return ok(NOTHING_TO_DO);
  const operation = transactionOperation(work, found.value);
  const said = await lookUp(work, operation);
  if (isCertain(said)) await applyOutcome(work, operation, said);
  if (said.kind !== 'open') return ok(NOTHING_TO_DO);
  const after = givesUp
    ? await abandon(work, operation, said)
    : await awaitBank(work, operation, said);
  return ok({ bankUrl: after.status === 'Processing' ? said.url : null });
}

/** The payment, once it is recorded that its guest gave it up, if they did; null if nothing is left to do about it. */
async function beginStep(
  work: BookingWork,
  { chargeId, givesUp }: GuestStepCommand,
): Promise<Result<LoadedTransaction | null, Failure>> {
  const found = await loadTransaction(work, chargeId);
  if (!found.ok) return found;
  if (!awaitsGuest(found.value.row)) return ok(null);
  const row = givesUp ? await recordWish(work, found.value.row, null, GIVEN_UP) : found.value.row;
  return row === null ? err(uncertain()) : ok({ ...found.value, row });
}

function awaitsGuest({ initiator, status }: TransactionRow): boolean {
  return status === 'Processing' && initiator === 'guest';
}
