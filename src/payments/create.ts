import { appendAudit } from '../audit/store.ts';
import { commitIntent, type Recorded } from '../bookings/commit.ts';
import { type BookingState, bookingNotFound, busy } from '../bookings/rules.ts';
import { auditEntry, type BookingWork, bookingState, onCurrentState } from '../bookings/work.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { CardRow } from '../db/cardTables.ts';
import type { Statement } from '../db/database.ts';
import type { TransactionRow } from '../db/moneyTables.ts';
import { type Answered, type CallerKey, keyRow, keyTakenOr, once } from '../idempotency/actions.ts';
import { takeKey } from '../idempotency/store.ts';
import { carryOut } from './begin.ts';
import { cardByToken } from './find.ts';
import { newTransaction, type TransactionCommand } from './newTransaction.ts';
import { allowPayment } from './rules.ts';
import { insertTransaction, selectTransaction } from './store.ts';
import { recordedAnswer, type TransactionAnswer } from './views.ts';

/** A payment as it reaches the booking's object. */
export interface PaymentCommand extends TransactionCommand {
  readonly caller: CallerKey | null;
}

/** A new transaction as it stands in D1. */
interface Made {
  readonly state: BookingState;
  readonly row: TransactionRow;
  readonly card: CardRow;
  /** `perhaps`: D1 did not say. */
  readonly recorded: Recorded;
}

/**
 * Charges a booking at once, holds an amount (interface: 4.1), or schedules a charge (4.2). The intent is in D1
 * before the gateway hears of it, and nothing is answered before the outcome is in D1 too; an outcome that
 * nobody knows stays `Processing` and is found out by the alarm. A schedule is settled by being recorded. `refusal`
 * says what else speaks against it, and is asked whenever the payment is decided.
 */
export function create(
  work: BookingWork,
  command: PaymentCommand,
  refusal: () => Promise<Failure | null> = async () => null,
): Promise<Answered<TransactionAnswer>> {
  return once(
    work,
    command.caller,
    async () => {
      const made = await onCurrentState(work, async () => {
        const refused = await refusal();
        return refused ? err(refused) : make(work, command);
      });
      if (!made.ok) return made;
      const { state, row, card, recorded } = made.value;
      if (row.kind === 'schedule') return scheduled(made.value);
      return carryOut(work, { state, row, card, recorded });
    },
    (kept) => asRecorded(work, kept.commandReference ?? ''),
  );
}

async function make(work: BookingWork, command: PaymentCommand): Promise<Result<Made, Failure>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  if (state.booking.currency !== command.currency) return err(busy());
  const named =
    command.cardToken === null ? null : await cardByToken(work, state, command.cardToken);
  const allowed = allowPayment(state, command.kind, command, named, work.now());
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
    // First, so that a key taken before is what the batch fails on.
    statements.unshift(takeKey(queries, await keyRow(work, command.caller, row.reference, kept)));
  }
  try {
    return await commitIntent(work, 'd1.transaction.intend', statements, () => exists(work, row));
  } catch (error) {
    throw keyTakenOr(error);
  }
}

function scheduled({ state, row, card, recorded }: Made): Result<TransactionAnswer, Failure> {
  return recorded === 'perhaps'
    ? err(
        failure(
          'outcome_unknown',
          'It is not known whether this was recorded: list the transactions.',
        ),
      )
    : recordedAnswer(row, card, state.property.timeZone);
}

async function exists(work: BookingWork, { id, reference }: TransactionRow): Promise<boolean> {
  return (await findRecorded(work, reference))?.id === id;
}

/** The answer that a transaction recorded earlier gives now. */
export async function asRecorded(
  work: BookingWork,
  transactionReference: string,
): Promise<Result<TransactionAnswer, Failure>> {
  const row = await findRecorded(work, transactionReference);
  const state = await bookingState(work);
  if (!row || !state) throw new Error('a recorded transaction is not there');
  const card = row.cardToken === null ? null : await cardByToken(work, state, row.cardToken);
  return recordedAnswer(row, card, state.property.timeZone);
}

async function findRecorded(work: BookingWork, reference: string): Promise<TransactionRow | null> {
  const [[row]] = await work.database.batch('d1.transaction.read', [
    selectTransaction(work.database.queries, work.propertyId, work.reference, { reference }),
  ]);
  return row ?? null;
}
