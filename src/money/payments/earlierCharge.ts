import { MINUTE_MS } from '../../core/time.ts';
import type { LookUp, LookUpRequest, PaymentReport } from '../../gateways/gateway.ts';
import { commit } from '../../operation/commit.ts';
import type { BookingWork } from '../../operation/work.ts';
import {
  insertException,
  type NewException,
  openException,
} from '../../records/exceptions/exceptions.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { lookUp } from '../gateway/operation.ts';
import { lastKeyNumber } from './attempt.ts';
import { chargedCard, correctTransaction, readPayment, requestByReference } from './correct.ts';
import { changed, changeWrites, postpone } from './entries.ts';
import type { LoadedTransaction } from './loadTransaction.ts';
import type { Firing, FiringEnd } from './rules/firing.ts';
import { afterNoAnswerMs } from './rules/retries.ts';

/**
 * How many keys beyond the last known one are looked up at most. A schedule that is refused for a moment is tried once an
 * hour for 72 hours, each time under a new key.
 */
const MOST_KEYS = 100;

/**
 * What the acquirer has of a schedule's later attempts:
 * - `corrected`: it has charged the schedule, and D1 has that now;
 * - `none`: it has not. `lastKey` is the last key that it knows;
 * - `unknown`: it did not say. `retryAfterMs` is how long it asks to wait, in milliseconds; null if it does not say.
 */
type EarlierCharge =
  | { readonly kind: 'corrected' }
  | { readonly kind: 'none'; readonly lastKey: string | null }
  | { readonly kind: 'unknown'; readonly retryAfterMs: number | null };

/**
 * Asks the acquirer whether it has charged a pending schedule already, under keys that D1 does not know: D1 may have been
 * restored to an earlier state. A schedule is neither charged late nor ended before the acquirer was asked. `cards` are
 * those that it may have been charged on.
 */
export async function findEarlierCharge(
  work: BookingWork,
  { state, row }: Pick<LoadedTransaction, 'state' | 'row'>,
  cards: readonly CardRow[],
): Promise<EarlierCharge> {
  let { gatewayKey } = row;
  for (const card of cards) {
    const found = await findOnCard(work, { state, row: { ...row, gatewayKey }, card });
    if (found.kind !== 'none') return found;
    gatewayKey = found.lastKey;
  }
  return { kind: 'none', lastKey: gatewayKey };
}

async function findOnCard(work: BookingWork, subject: LoadedTransaction): Promise<EarlierCharge> {
  const { row, card } = subject;
  // As if it were charged now: the look-up covers the time from the schedule's own until now.
  const request = requestByReference(work, row, card, work.now());
  const taken = await lookUp(work, request);
  if (taken.kind === 'absent') return lastKnownKey(work, subject, request);
  const payment = taken.kind === 'approved' ? taken.gatewayReference : null;
  return payment === null ? unanswered(taken) : correct(work, subject, payment);
}

/** The charge is made already, whichever of the schedule's attempts it was. */
async function correct(
  work: BookingWork,
  subject: LoadedTransaction,
  payment: string,
): Promise<EarlierCharge> {
  const { row } = subject;
  const report = await readPayment(work, payment, subject.card.gatewayToken);
  if (report.kind !== 'payment') return unanswered(report);
  const card = await chargedCard(work, subject.card, report.payment);
  if (card === null) return { kind: 'unknown', retryAfterMs: null };
  const further = {
    cardToken: card.token,
    gatewayKey: report.payment.idempotencyKey,
    attempts: row.attempts + 1,
    askedAtMs: work.now(),
  };
  await correctTransaction(work, { ...subject, card }, report.payment, further);
  return { kind: 'corrected' };
}

/** The acquirer did not say. */
function unanswered(said: LookUp | PaymentReport): EarlierCharge {
  const waitMs = said.kind === 'unknown' && 'retryAfterMs' in said ? said.retryAfterMs : null;
  return { kind: 'unknown', retryAfterMs: waitMs ?? null };
}

/** The last of the schedule's keys that the acquirer knows, so that the next attempt has a new one. */
async function lastKnownKey(
  work: BookingWork,
  { row }: LoadedTransaction,
  request: LookUpRequest,
): Promise<EarlierCharge> {
  let lastKey = row.gatewayKey;
  for (let tried = 1; tried <= MOST_KEYS; tried += 1) {
    const idempotencyKey = `${row.reference}-${lastKeyNumber(row) + tried}`;
    const found = await lookUp(work, { ...request, idempotencyKey });
    if (found.kind === 'absent') break;
    if (found.kind === 'unknown' || found.kind === 'open') return unanswered(found);
    lastKey = idempotencyKey;
  }
  return { kind: 'none', lastKey };
}

/** The acquirer did not say whether it has charged a late schedule already: asks again later, until its time is over. */
export async function awaitAnswer(
  work: BookingWork,
  row: TransactionRow,
  firing: Firing,
  retryAfterMs: number | null,
): Promise<void> {
  const dueAtMs = afterNoAnswerMs(row, retryAfterMs, work.now());
  if (dueAtMs === null && firing.kind === 'end') return endUnasked(work, row, firing);
  await postpone(work, row, {
    dueAtMs: dueAtMs ?? work.now() + 5 * MINUTE_MS,
    rejections: row.rejections + 1,
  });
}

/** Ends a schedule although the acquirer could not be asked, and leaves it to a person to compare both records. */
async function endUnasked(
  work: BookingWork,
  row: TransactionRow,
  { change, why }: FiringEnd,
): Promise<void> {
  const after = changed(row, change);
  const { amountMinor, bookingReference, currency, gateway, id, propertyId, scheduledAtMs } = after;
  const exception: NewException = {
    kind: 'state_differs',
    subject: `charge ${id}`,
    gateway,
    propertyId,
    bookingReference,
    ours: { status: after.status, amountMinor, currency, id: String(id), atMs: scheduledAtMs },
    theirs: null,
    detail: 'The gateway could not be asked whether it has made this scheduled charge.',
  };
  await commit(work, 'd1.transaction.apply', [
    ...changeWrites(work, row, change, { why: `${why}, and the gateway could not be asked` }),
    insertException(openException(exception, work.now())),
  ]);
}
