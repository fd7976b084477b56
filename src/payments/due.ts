import { type BookingState, givesUp } from '../bookings/rules.ts';
import type { BookingWork } from '../bookings/work.ts';
import { assertNever } from '../core/result.ts';
import { MINUTE_MS } from '../core/time.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import { ask, lookUp } from './ask.ts';
import { begin, carryOut } from './begin.ts';
import { cardByToken } from './find.ts';
import { mayResend } from './inquiries.ts';
import { awaitInquiry, changeStatements, settle } from './settle.ts';
import { fire, mayHaveBeenMade } from './states.ts';
import { updateTransaction } from './store.ts';

/** Does what is due for one transaction: a schedule fires, a hold ends, an unknown outcome is asked for. */
export async function serveTransaction(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
): Promise<void> {
  const card = row.cardToken === null ? null : await cardByToken(work, state, row.cardToken);
  switch (row.status) {
    case 'Pending':
      return fireSchedule(work, state, row, card);
    case 'Authorized':
      return endHold(work, state, row, card);
    case 'Processing':
      return resolve(work, state, row, card);
    case 'Accepted':
    case 'Declined':
    case 'Failed':
    case 'Cancelled':
    case 'Released':
    case 'Expired':
      throw new Error('a transaction in a final state is due');
    default:
      return assertNever(row.status);
  }
}

/** Puts a transaction that could not be served off, so that it does not stand in the way of the others. */
export async function putOff(work: BookingWork, row: TransactionRow): Promise<void> {
  const later = updateTransaction(work.database.queries, row, { dueAtMs: work.now() + MINUTE_MS });
  await work.database.batch('d1.transaction.postpone', [later]);
}

async function fireSchedule(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
  named: CardRow | null,
): Promise<void> {
  const firing = fire(state, row, named, work.now());
  if (firing.kind === 'end') {
    const statements = changeStatements(work, row, firing.change, firing.why);
    await work.database.batch('d1.transaction.settle', statements);
    return;
  }
  const { card } = firing;
  const change = { firstAttemptAtMs: row.firstAttemptAtMs ?? work.now() };
  const operation = { state, row, card, pending: 'charge', change, caller: null } as const;
  const begun = await begin(work, operation);
  if (begun.recorded === 'yes' && mayHaveBeenMade(row, work.now())) {
    await resolve(work, state, begun.row, card);
  } else {
    await carryOut(work, begun);
  }
}

async function endHold(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
  card: CardRow | null,
): Promise<void> {
  if (card === null) throw new Error('a hold has no card');
  const expired = row.expiresAtMs !== null && work.now() >= row.expiresAtMs;
  if (!expired && !givesUp(state)) {
    const later = updateTransaction(work.database.queries, row, { dueAtMs: row.expiresAtMs });
    await work.database.batch('d1.transaction.postpone', [later]);
    return;
  }
  const pending = expired ? 'expire' : 'release';
  await carryOut(work, await begin(work, { state, row, card, pending, caller: null }));
}

/**
 * Finds out what became of an operation whose outcome is unknown: the gateway is asked first; only when it has
 * no such operation is the identical request sent again under the same key, as long as that key is known to be
 * good.
 */
async function resolve(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
  card: CardRow | null,
): Promise<void> {
  if (card === null) throw new Error('an operation under way has no card');
  const found = await lookUp(work, row, card);
  const resend = found.kind === 'absent' && mayResend(row.askedAtMs ?? 0, work.now());
  const outcome = resend ? await ask(work, row, card) : found;
  if (outcome.kind === 'unknown' || outcome.kind === 'absent') await awaitInquiry(work, row);
  else await settle(work, state, row, card, outcome);
}
