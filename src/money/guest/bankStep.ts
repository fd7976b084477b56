import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { BookingWork } from '../../operation/work.ts';
import { uncertain } from '../../records/bookings/rules.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { applyOutcome, isCertain, lookUp } from '../gateway/operation.ts';
import { abandon, awaitBank } from '../gateway/resolve.ts';
import { recordWish } from '../payments/callOff.ts';
import { transactionOperation } from '../payments/gatewayOperation.ts';
import { loadTransaction } from '../payments/loadTransaction.ts';

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
  let found = await loadTransaction(work, chargeId);
  if (found.ok && !awaitsGuest(found.value.row)) {
    // A restore of D1 may have taken back what is remembered, and nothing is written here that D1 could refuse.
    work.memory.forget();
    found = await loadTransaction(work, chargeId);
  }
  if (!found.ok) return found;
  if (!awaitsGuest(found.value.row)) return ok(NOTHING_TO_DO);
  const row = givesUp ? await recordWish(work, found.value.row, null, GIVEN_UP) : found.value.row;
  if (row === null) return err(uncertain());
  const operation = transactionOperation(work, { ...found.value, row });
  const said = await lookUp(work, operation);
  if (isCertain(said)) await applyOutcome(work, operation, said);
  if (said.kind !== 'open') return ok(NOTHING_TO_DO);
  const after = givesUp
    ? await abandon(work, operation, said)
    : await awaitBank(work, operation, said);
  return ok({ bankUrl: after.status === 'Processing' ? said.url : null });
}

function awaitsGuest({ initiator, status }: TransactionRow): boolean {
  return status === 'Processing' && initiator === 'guest';
}
