import { appendAudit } from '../audit/store.ts';
import { type BookingState, bookingNotFound, busy } from '../bookings/rules.ts';
import { selectCard } from '../bookings/store.ts';
import { auditEntry, type BookingWork, bookingState, onCurrentState } from '../bookings/work.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Statement } from '../db/database.ts';
import { certainlyRefused, violatesUnique } from '../db/errors.ts';
import type { CardRow, TransactionRow } from '../db/schema.ts';
import { type Answered, type CallerKey, keyRow, keyTakenOr, once } from '../idempotency/actions.ts';
import { takeKey } from '../idempotency/store.ts';
import { type AllowedCharge, allowCharge, type ChargeRequest, SAFETY_NET_MS } from './rules.ts';
import { awaitInquiry, sendCharge, settle } from './settle.ts';
import { insertTransaction, selectTransaction, selectTransactionCards } from './store.ts';
import { chargeAnswer, type TransactionView } from './views.ts';

/** A charge as it reaches the booking's object. */
export interface ChargeCommand extends ChargeRequest {
  /** Made by the Worker: the same command sent twice, after a broken call, is recorded once. */
  readonly transactionReference: string;
  readonly caller: CallerKey | null;
}

/** An intent as it stands in D1, with what is needed to act on it. */
interface Intent {
  readonly state: BookingState;
  readonly row: TransactionRow;
  readonly card: CardRow;
  /** `before`: by an earlier delivery of the same command. `perhaps`: D1 did not say. */
  readonly recorded: 'now' | 'before' | 'perhaps';
}

/**
 * Charges a booking at once (interface: 4.1). The intent is in D1 before the gateway hears of it, and
 * nothing is answered before the outcome is in D1 too; an outcome that nobody knows stays `Processing`
 * and is found out by the alarm.
 */
export function charge(
  work: BookingWork,
  command: ChargeCommand,
): Promise<Answered<TransactionView>> {
  return once(
    work,
    command.caller,
    async () => {
      const intent = await onCurrentState(work, () => intend(work, command));
      return intent.ok ? carryOut(work, intent.value) : intent;
    },
    (row) => asRecorded(work, row.transactionReference ?? ''),
  );
}

async function intend(work: BookingWork, command: ChargeCommand): Promise<Result<Intent, Failure>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  if (state.booking.currency !== command.currency) return err(busy());
  const named = await namedCard(work, state, command.cardToken);
  const allowed = allowCharge(state, command, named, work.now());
  if (!allowed.ok) return allowed;

  const row = intendedRow(work, state, command, allowed.value);
  await work.wakeBy(work.now() + SAFETY_NET_MS);
  const recorded = await record(work, command, row);
  return ok({ state, row, card: allowed.value.card, recorded });
}

async function carryOut(
  work: BookingWork,
  { state, row, card, recorded }: Intent,
): Promise<Result<TransactionView, Failure>> {
  const { timeZone } = state.property;
  if (recorded === 'before') return asRecorded(work, row.reference);
  if (recorded === 'perhaps') return chargeAnswer(row, card, timeZone);
  const outcome = await sendCharge(work, row, card);
  const now =
    outcome.kind === 'unknown'
      ? await awaitInquiry(work, row)
      : await settle(work, row, card, timeZone, outcome);
  return chargeAnswer(now, card, timeZone);
}

/** A card that the request names: one of the booking's, or another of the property's. */
async function namedCard(
  work: BookingWork,
  state: BookingState,
  token: string | null,
): Promise<CardRow | null> {
  if (token === null) return null;
  const attached = state.cards.find((card) => card.token === token);
  if (attached) return attached;
  const [[card]] = await work.database.batch('d1.card.find', [
    selectCard(work.database.queries, work.propertyId, token),
  ]);
  return card ?? null;
}

function intendedRow(
  work: BookingWork,
  state: BookingState,
  command: ChargeCommand,
  allowed: AllowedCharge,
): TransactionRow {
  const nowMs = work.now();
  return {
    id: work.ids.next('charge', nowMs),
    propertyId: work.propertyId,
    bookingReference: work.reference,
    reference: command.transactionReference,
    kind: 'charge',
    purpose: command.purpose,
    status: 'Processing',
    currency: state.booking.currency,
    ...allowed.priced,
    refundReservedMinor: 0,
    virtualCard: command.virtualCard,
    description: command.description,
    cardToken: allowed.card.token,
    gateway: work.gateway.name,
    gatewayKey: `${command.transactionReference}-1`,
    gatewayReference: null,
    attempts: 1,
    inquiries: 0,
    declineCode: null,
    declineRetryable: null,
    dueAtMs: nowMs + SAFETY_NET_MS,
    idempotencyKey: command.caller?.key ?? null,
    bookingVersion: state.booking.version,
    propertyVersion: state.property.version,
    version: 1,
    createdAtMs: nowMs,
    settledAtMs: null,
  };
}

/**
 * Records the intent. When D1 does not say whether it committed, the same batch is sent once more: the
 * unique keys in it tell.
 */
async function record(
  work: BookingWork,
  command: ChargeCommand,
  row: TransactionRow,
): Promise<Intent['recorded']> {
  const statements = await intentStatements(work, command, row);
  for (let sending = 1; ; sending += 1) {
    try {
      await work.database.batch('d1.charge.intend', statements);
      return 'now';
    } catch (error) {
      if (violatesUnique(error, 'transactions.reference')) return 'before';
      if (certainlyRefused(error)) throw keyTakenOr(error);
      if (sending === 2) return 'perhaps';
    }
  }
}

async function intentStatements(
  work: BookingWork,
  command: ChargeCommand,
  row: TransactionRow,
): Promise<[Statement, ...Statement[]]> {
  const { queries } = work.database;
  const statements: [Statement, ...Statement[]] = [
    insertTransaction(queries, row),
    appendAudit(
      queries,
      auditEntry(work, { subject: `charge ${row.id}`, from: null, to: row.status }),
    ),
  ];
  if (command.caller) {
    // First, so that a key taken before is what the batch fails on.
    statements.unshift(takeKey(queries, await keyRow(work, command.caller, row.reference, null)));
  }
  return statements;
}

/** The answer that a transaction recorded earlier gives now. */
async function asRecorded(
  work: BookingWork,
  transactionReference: string,
): Promise<Result<TransactionView, Failure>> {
  const { queries } = work.database;
  const [[row], transactionCards, state] = [
    ...(await work.database.batch('d1.transaction.read', [
      selectTransaction(queries, work.propertyId, work.reference, {
        reference: transactionReference,
      }),
      selectTransactionCards(queries, work.propertyId, work.reference),
    ])),
    await bookingState(work),
  ] as const;
  if (!row || !state) throw new Error('a recorded transaction is not there');
  const card = transactionCards.find((candidate) => candidate.token === row.cardToken) ?? null;
  return chargeAnswer(row, card, state.property.timeZone);
}
