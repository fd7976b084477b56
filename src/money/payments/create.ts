import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { commitIntent, type Recorded } from '../../operation/commit.ts';
import { type Answered, type CallerKey, keyRow, once } from '../../operation/idempotency.ts';
import { takeKey } from '../../operation/idempotencyStore.ts';
import {
  auditEntry,
  type BookingWork,
  bookingState,
  onCurrentState,
} from '../../operation/work.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import type { Statement } from '../../platform/db/database.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { appendAudit } from '../../records/audit/store.ts';
import { type BookingState, bookingNotFound, busy } from '../../records/bookings/rules.ts';
import { type Attempt, execute } from './attempt.ts';
import { cardByToken } from './loadTransaction.ts';
import { newTransaction, type TransactionCommand } from './newTransaction.ts';
import { allowPayment } from './rules.ts';
import { insertTransaction, selectTransaction } from './store.ts';
import { recordedAnswer, type TransactionAnswer } from './views.ts';

/** A payment as it reaches the booking's object. */
export interface PaymentCommand extends TransactionCommand {
  readonly caller: CallerKey | null;
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
      const started = await onCurrentState(work, async () => {
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

/** Decides the payment and records its intent. */
async function start(
  work: BookingWork,
  command: PaymentCommand,
): Promise<Result<Attempt, Failure>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  if (state.booking.currency !== command.currency) return err(busy());
  const named =
    command.cardToken === null ? null : await cardByToken(work, state, command.cardToken);
  const stepMinor = work.gateway.amountStepMinor(command.currency);
  const allowed = allowPayment(state, command.kind, command, named, work.now(), stepMinor);
  if (!allowed.ok) return allowed;

  const { card } = allowed.value;
  const row = newTransaction(command, {
    state,
    allowed: allowed.value,
    gateway: work.gateway.name,
    id: work.ids.next('charge', work.now()),
    nowMs: work.now(),
    idempotencyKey: command.caller?.key ?? null,
  });
  await work.wakeBy(row.dueAtMs ?? work.now());
  return ok({ state, row, card, recorded: await record(work, command, state, row, card) });
}

async function record(
  work: BookingWork,
  command: PaymentCommand,
  state: BookingState,
  row: TransactionRow,
  card: CardRow,
): Promise<Recorded> {
  const { queries } = work.database;
  const change = { subject: `charge ${row.id}`, from: null, to: row.status };
  const statements: [Statement, ...Statement[]] = [
    insertTransaction(queries, row),
    appendAudit(queries, auditEntry(work, change)),
  ];
  if (command.caller) {
    const answer =
      row.kind === 'schedule' ? recordedAnswer(row, card, state.property.timeZone) : null;
    const kept = answer && JSON.stringify(answer);
    // First in the batch, so that a taken key is what the batch fails on.
    statements.unshift(takeKey(queries, await keyRow(work, command.caller, row.reference, kept)));
  }
  return commitIntent(work, 'd1.transaction.intend', statements, () => isRecorded(work, row));
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
): Promise<Result<TransactionAnswer, Failure>> {
  const row = await findRecorded(work, transactionReference);
  const state = await bookingState(work);
  if (!row || !state) throw new Error('a recorded transaction is missing');
  const card = row.cardToken === null ? null : await cardByToken(work, state, row.cardToken);
  return recordedAnswer(row, card, state.property.timeZone);
}

async function findRecorded(work: BookingWork, reference: string): Promise<TransactionRow | null> {
  const [[row]] = await work.database.batch('d1.transaction.read', [
    selectTransaction(work.database.queries, work.propertyId, work.reference, { reference }),
  ]);
  return row ?? null;
}
