import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { commitIntent, type Recorded } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import { type Answered, type CallerKey, keyRow, once } from '../../operation/idempotency.ts';
import { takeKey } from '../../operation/idempotencyStore.ts';
import { type BookingWork, bookingState, onCurrentState } from '../../operation/work.ts';
import { type BookingState, bookingNotFound, busy } from '../../records/bookings/rules.ts';
import type { Standing } from '../../records/history/sums.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { standingBefore } from './amountDue.ts';
import { type Attempt, execute } from './attempt.ts';
import { expiryWarningAtMs, planExpiryWarning } from './beginRecovery.ts';
import { refuseDuplicate } from './duplicates.ts';
import { transactionEntry } from './entries.ts';
import { cardByToken, cardToCharge } from './loadTransaction.ts';
import { quotedPrice } from './quote.ts';
import type { SealedQuote } from './quoteSeal.ts';
import { quoteToUse } from './quotes.ts';
import { isRenewed } from './renewCard.ts';
import { giveWay } from './replacedSchedules.ts';
import { type DecidedPayment, decidePayment } from './rules/decidePayment.ts';
import { newTransaction, type TransactionCommand } from './rules/newTransaction.ts';
import { dependsOnStanding } from './rules/overcharge.ts';
import { isQuotedPrice, quoteStale } from './rules/quoteCheck.ts';
import { insertTransaction, selectTransaction } from './store.ts';
import { recordedAnswer, type TransactionAnswer } from './views.ts';

/** A payment as it reaches the booking's object. */
export interface PaymentCommand extends TransactionCommand {
  readonly caller: CallerKey | null;
  /** Whether a payment like an earlier one is wanted. A caller's key says so too. */
  readonly allowDuplicate: boolean;
  /** The quote to charge exactly; null for none. */
  readonly quoteId: string | null;
}

/**
 * Charges a booking at once, holds an amount (interface: Charges), or schedules a charge (interface: Schedules). The
 * intent is in D1 before the gateway gets the request, and the outcome is in D1 before the caller gets the answer. An
 * unknown outcome stays `Processing` until the alarm finds it out. A schedule is complete once it is recorded. `check`
 * may refuse the payment for a further reason; it runs each time the payment is decided.
 */
export function create(
  work: BookingWork,
  command: PaymentCommand,
  check: () => Promise<Failure | null> = async () => null,
): Promise<Answered<TransactionAnswer>> {
  return once(
    work,
    command.caller,
    async () => {
      const started = await decideAfresh(work, command, async () => {
        const refused = await check();
        return refused ? err(refused) : start(work, command);
      });
      if (!started.ok) return started;
      const attempt = started.value;
      return attempt.row.kind === 'schedule' ? scheduleAnswer(attempt) : execute(work, attempt);
    },
    (kept) => asRecorded(work, kept.commandReference ?? ''),
  );
}

/**
 * Decides and records. The schema refuses what was decided on an outdated state, but nothing is written for a refusal: so
 * what was refused on the remembered state is decided again on D1's rows. The property may have changed since, and so may
 * a card that has expired by our record: its acquirer is asked.
 */
async function decideAfresh<T>(
  work: BookingWork,
  { cardToken }: Pick<PaymentCommand, 'cardToken'>,
  decide: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const isRemembered = work.memory.state !== null;
  const decided = await onCurrentState(work, decide);
  if (decided.ok) return decided;
  const isOutdated = decided.error.code === 'card_expired' && (await isRenewed(work, cardToken));
  if (!isRemembered && !isOutdated) return decided;
  work.memory.forget();
  return onCurrentState(work, decide);
}

/** Decides the payment and records its intent. */
async function start(
  work: BookingWork,
  command: PaymentCommand,
): Promise<Result<Attempt, Failure>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  if (state.booking.currency !== command.currency) return err(busy());
  const named =
    command.cardToken === null ? null : await cardToCharge(work, state, command.cardToken);
  const standing = await standingFor(work, state, command);
  const quote = await quoteToUse(work, state, command, named, standing);
  if (!quote.ok) return quote;
  const decided = decidePayment(state, command, {
    named,
    standing,
    nowMs: work.now(),
    stepMinor: work.gateway.amountStepMinor(command.currency),
  });
  if (!decided.ok) return decided;
  const { card } = decided.value;
  if (quote.value && !isMadeAsQuoted(work, quote.value, state, command, decided.value)) {
    return err(quoteStale());
  }
  const duplicate = await findDuplicate(work, state, command, card);
  if (duplicate) return err(duplicate);

  const row = newTransaction(command, {
    state,
    decided: decided.value,
    gateway: work.gateway.name,
    id: work.ids.next('charge', work.now()),
    nowMs: work.now(),
    idempotencyKey: command.caller?.key ?? null,
    quoteId: quote.value?.id ?? null,
  });
  const warningAtMs = expiryWarningAtMs(state.property, row, card);
  await work.wakeBy(Math.min(row.dueAtMs ?? work.now(), warningAtMs ?? Number.POSITIVE_INFINITY));
  return ok({ state, row, card, recorded: await record(work, command, state, row, card) });
}

/** Whether the payment costs what was quoted: a schedule at its time, when it may cost less than now. */
function isMadeAsQuoted(
  work: BookingWork,
  quote: SealedQuote,
  state: BookingState,
  { time, ...command }: PaymentCommand,
  { card, priced }: Pick<DecidedPayment<CardRow>, 'card' | 'priced'>,
): boolean {
  if (command.kind !== 'schedule') return isQuotedPrice(quote, priced);
  const nowMs = work.now();
  const stepMinor = work.gateway.amountStepMinor(command.currency);
  const request = { ...command, kind: 'schedule' as const, atMs: time?.atMs ?? nowMs };
  const then = quotedPrice(state, card, request, { nowMs, stepMinor });
  return then.ok && isQuotedPrice(quote, then.value.priced);
}

/** The sums of the booking's payments, where the payment depends on them; else null. */
async function standingFor(
  work: BookingWork,
  { property, booking }: BookingState,
  command: PaymentCommand,
): Promise<Standing | null> {
  const counts = dependsOnStanding(property, booking, command);
  return counts || command.quoteId !== null ? standingBefore(work) : null;
}

/** The refusal of a payment like an earlier one; null if there is none, or if the caller wants it. */
async function findDuplicate(
  work: BookingWork,
  state: BookingState,
  { kind, purpose, requestedMinor: askedMinor, caller, allowDuplicate }: PaymentCommand,
  card: CardRow,
): Promise<Failure | null> {
  if (caller !== null || allowDuplicate) return null;
  return refuseDuplicate(work, state, { kind, purpose, askedMinor, cardToken: card.token }, card);
}

async function record(
  work: BookingWork,
  command: PaymentCommand,
  state: BookingState,
  row: TransactionRow,
  card: CardRow,
): Promise<Recorded> {
  const { queries } = work.database;
  const writes: Write[] = [
    insertTransaction(queries, row),
    transactionEntry(work, { before: null, after: row, atMs: row.createdAtMs, card }),
    ...giveWay(work, row),
    ...planExpiryWarning(work, state.property, row, card),
  ];
  if (command.caller) {
    const answer =
      row.kind === 'schedule' ? recordedAnswer(row, card, state.property.timeZone) : null;
    const kept = answer && JSON.stringify(answer);
    // First in the batch, so that a taken key is what the batch fails on.
    writes.unshift(takeKey(queries, await keyRow(work, command.caller, row.reference, kept)));
  }
  return commitIntent(work, 'd1.transaction.intend', writes, () => isRecorded(work, row));
}

function scheduleAnswer({
  state,
  row,
  card,
  recorded,
}: Attempt): Result<TransactionAnswer, Failure> {
  return recorded === 'unknown'
    ? err(
        failure(
          'outcome_unknown',
          'It is unknown whether the schedule was recorded. List the transactions to find out.',
        ),
      )
    : recordedAnswer(row, card, state.property.timeZone);
}

async function isRecorded(work: BookingWork, { id, reference }: TransactionRow): Promise<boolean> {
  return (await findRecorded(work, reference))?.id === id;
}

/** The answer to a request whose transaction was recorded earlier, from the transaction's current state. */
export async function asRecorded(
  work: BookingWork,
  transactionReference: string,
  answerOf: typeof recordedAnswer = recordedAnswer,
): Promise<Result<TransactionAnswer, Failure>> {
  const row = await findRecorded(work, transactionReference);
  const state = await bookingState(work);
  if (!row || !state) throw new Error('a recorded transaction is missing');
  const card = row.cardToken === null ? null : await cardByToken(work, state, row.cardToken);
  return answerOf(row, card, state.property.timeZone);
}

async function findRecorded(work: BookingWork, reference: string): Promise<TransactionRow | null> {
  const [[row]] = await work.database.batch('d1.transaction.read', [
    selectTransaction(work.database.queries, work.propertyId, work.reference, { reference }),
  ]);
  return row ?? null;
}
