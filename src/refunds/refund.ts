import { appendAudit } from '../audit/store.ts';
import { commitIntent } from '../bookings/commit.ts';
import { type BookingState, bookingNotFound, busy } from '../bookings/rules.ts';
import { auditEntry, type BookingWork, bookingState, onCurrentState } from '../bookings/work.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { Statement } from '../db/database.ts';
import { violatesUnique } from '../db/errors.ts';
import type { RefundRow, TransactionRow } from '../db/schema.ts';
import type { Outcome } from '../gateways/gateway.ts';
import {
  type Answered,
  type CallerKey,
  completeKey,
  keyRow,
  keyTakenOr,
  once,
} from '../idempotency/actions.ts';
import { takeKey } from '../idempotency/store.ts';
import { SAFETY_NET_MS } from '../payments/inquiries.ts';
import { transactionNotFound, wrongState } from '../payments/rules.ts';
import { changed } from '../payments/settle.ts';
import { selectInStates, selectTransaction, updateTransaction } from '../payments/store.ts';
import { type RefundsAnswer, refundAnswer } from './answer.ts';
import { allocate, exceedsCharge, type RefundPart } from './rules.ts';
import { askRefund, awaitRefundInquiry, settleRefund } from './settle.ts';
import { insertRefund, selectRefunds } from './store.ts';

/** A refund as it reaches the booking's object (interface: 4.3). */
export interface RefundCommand {
  readonly amountMinor: number;
  readonly currency: string;
  /** The charge to refund against; null for any of the booking's. */
  readonly chargeId: number | null;
  readonly description: string | null;
  /** 32 hex digits: the same command sent twice, after a broken call, is recorded once. */
  readonly commandReference: string;
  readonly caller: CallerKey | null;
}

/** One part of a refund, reserved on its charge. */
interface Reserved {
  readonly refund: RefundRow;
  readonly charge: TransactionRow;
}

/** What a request has come to so far. */
interface Progress {
  readonly refunds: RefundRow[];
  /** The last outcome that kept a part from being refunded. */
  refusal: Outcome | null;
}

/**
 * Sends money back (interface: 4.3; decisions: section 5). The parts are reserved on their charges before the
 * gateway hears of any; what it refuses of one charge goes to others that have room.
 */
export function refund(
  work: BookingWork,
  command: RefundCommand,
): Promise<Answered<RefundsAnswer>> {
  return once(
    work,
    command.caller,
    async () => {
      const state = await bookingState(work);
      if (!state) return err(bookingNotFound());
      if (state.booking.currency !== command.currency) return err(busy());
      const answer = await refundInRounds(work, state, command);
      await keepAnswer(work, command, answer);
      return answer;
    },
    () => recordedRefund(work, command),
  );
}

async function refundInRounds(
  work: BookingWork,
  state: BookingState,
  command: RefundCommand,
): Promise<Result<RefundsAnswer, Failure>> {
  const progress: Progress = { refunds: [], refusal: null };
  const tried = new Set<number>();
  let leftMinor = command.amountMinor;
  while (leftMinor > 0) {
    const first = tried.size === 0;
    const round = await onCurrentState(work, () => reserve(work, command, leftMinor, tried));
    if (!round.ok) {
      if (first) return round;
      break;
    }
    if (round.value.recorded === 'before') return recordedRefund(work, command);
    const { parts, recorded } = round.value;
    if (parts.length === 0) break;
    leftMinor = 0;
    for (const part of parts) {
      tried.add(part.charge.id);
      const unmade =
        recorded === 'yes' ? await carryOut(work, part, progress) : keepOpen(part, progress);
      leftMinor += unmade;
    }
  }
  return refundAnswer(work, state, command.amountMinor, progress.refunds, progress.refusal);
}

/** D1 did not say whether the part is recorded: it is shown as open, and the alarm finds out. */
function keepOpen({ refund: row }: Reserved, progress: Progress): number {
  progress.refunds.push(row);
  return 0;
}

/** Asks the gateway for one part and settles it; returns the minor units that were certainly not refunded. */
async function carryOut(work: BookingWork, part: Reserved, progress: Progress): Promise<number> {
  const outcome = await askRefund(work, part.refund, part.charge);
  if (outcome.kind === 'unknown') {
    progress.refunds.push(await awaitRefundInquiry(work, part.refund));
    return 0;
  }
  const settled = await settleRefund(work, part.refund, part.charge, outcome);
  progress.refunds.push(settled);
  if (settled.status !== 'Failed') return 0;
  progress.refusal = outcome;
  return settled.amountMinor;
}

interface Round {
  readonly parts: Reserved[];
  readonly recorded: 'yes' | 'perhaps' | 'before';
}

/** Decides which charges give what, and reserves it, in one batch. Later rounds take what room there is. */
async function reserve(
  work: BookingWork,
  command: RefundCommand,
  leftMinor: number,
  tried: ReadonlySet<number>,
): Promise<Result<Round, Failure>> {
  const candidates = await refundableCharges(work, command);
  if (!candidates.ok) return candidates;
  const open = candidates.value.filter(({ id }) => !tried.has(id));
  const charges = open.map((row) => ({
    id: row.id,
    roomMinor: row.amountMinor - row.refundReservedMinor,
  }));
  const room = charges.reduce((sum, { roomMinor }) => sum + roomMinor, 0);
  const first = tried.size === 0;
  if (first && command.chargeId !== null && room < leftMinor) return err(exceedsCharge());
  const allocated = allocate(first ? leftMinor : Math.min(leftMinor, room), charges);
  if (!allocated.ok) return allocated;

  await work.wakeBy(work.now() + SAFETY_NET_MS);
  const parts = allocated.value.flatMap((part, index) => {
    const charge = open.find(({ id }) => id === part.chargeId);
    return charge ? [reserved(work, command, charge, part, first && index === 0)] : [];
  });
  return ok({ parts, recorded: await record(work, command, parts, first) });
}

async function refundableCharges(
  work: BookingWork,
  { chargeId }: RefundCommand,
): Promise<Result<TransactionRow[], Failure>> {
  const { database, propertyId, reference } = work;
  if (chargeId === null) {
    const [accepted] = await database.batch('d1.transaction.read', [
      selectInStates(database.queries, propertyId, reference, ['Accepted']),
    ]);
    return ok(accepted.filter(({ gatewayReference }) => gatewayReference !== null));
  }
  const [[row]] = await database.batch('d1.transaction.read', [
    selectTransaction(database.queries, propertyId, reference, { id: chargeId }),
  ]);
  if (!row) return err(transactionNotFound());
  if (row.status !== 'Accepted') return err(wrongState('charge', row));
  return row.gatewayReference === null
    ? err(failure('invalid_state', 'The gateway does not know this charge.'))
    : ok([row]);
}

function reserved(
  work: BookingWork,
  command: RefundCommand,
  charge: TransactionRow,
  part: RefundPart,
  first: boolean,
): Reserved {
  const nowMs = work.now();
  const refundRow: RefundRow = {
    id: work.ids.next('refund', nowMs),
    transactionId: charge.id,
    propertyId: work.propertyId,
    bookingReference: work.reference,
    reference: first ? command.commandReference : work.newReference(),
    commandReference: command.commandReference,
    status: 'Processing',
    amountMinor: part.amountMinor,
    currency: charge.currency,
    description: command.description,
    gatewayReference: null,
    inquiries: 0,
    dueAtMs: nowMs + SAFETY_NET_MS,
    idempotencyKey: command.caller?.key ?? null,
    version: 1,
    createdAtMs: nowMs,
    settledAtMs: null,
  };
  const refundReservedMinor = charge.refundReservedMinor + part.amountMinor;
  return { refund: refundRow, charge: changed(charge, { refundReservedMinor }) };
}

async function record(
  work: BookingWork,
  command: RefundCommand,
  parts: readonly Reserved[],
  first: boolean,
): Promise<Round['recorded']> {
  const { queries } = work.database;
  const statements = parts.flatMap(({ refund: row, charge }): Statement[] => [
    updateTransaction(
      queries,
      { ...charge, version: charge.version - 1 },
      { refundReservedMinor: charge.refundReservedMinor },
    ),
    insertRefund(queries, row),
    appendAudit(
      queries,
      auditEntry(work, { subject: `refund ${row.id}`, from: null, to: row.status }),
    ),
  ]);
  if (first && command.caller) {
    const taken = await keyRow(work, command.caller, command.commandReference, null);
    statements.unshift(takeKey(queries, taken));
  }
  const [head, ...rest] = statements;
  if (!head) return 'yes';
  try {
    return await commitIntent(work, 'd1.refund.intend', [head, ...rest], async () => {
      const rows = await refundsOf(work, command);
      return parts.every((part) => rows.some(({ id }) => id === part.refund.id));
    });
  } catch (error) {
    if (violatesUnique(error, 'refunds.reference')) return 'before';
    throw keyTakenOr(error);
  }
}

/** The answer that a refund recorded earlier gives now. */
async function recordedRefund(
  work: BookingWork,
  command: RefundCommand,
): Promise<Result<RefundsAnswer, Failure>> {
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  const rows = await refundsOf(work, command);
  return refundAnswer(work, state, command.amountMinor, rows, null);
}

/** The refunds that this command made, or, under its idempotency key, the first one of the same request. */
async function refundsOf(work: BookingWork, command: RefundCommand): Promise<RefundRow[]> {
  const { database, propertyId, reference } = work;
  const [all] = await database.batch('d1.refund.read', [
    selectRefunds(database.queries, propertyId, reference),
  ]);
  const key = command.caller?.key;
  return all.filter(
    (row) =>
      row.commandReference === command.commandReference ||
      (key !== undefined && row.idempotencyKey === key),
  );
}

/** Keeps a certain answer under the caller's key; one that was cut off is found again by its refunds. */
async function keepAnswer(
  work: BookingWork,
  { caller }: RefundCommand,
  answer: Result<RefundsAnswer, Failure>,
): Promise<void> {
  const certain =
    answer.ok || (answer.error.members !== undefined && answer.error.code !== 'outcome_unknown');
  if (caller === null || !certain) return;
  await work.database
    .batch('d1.answer.keep', [completeKey(work, caller, answer)])
    .catch(() => undefined);
}
