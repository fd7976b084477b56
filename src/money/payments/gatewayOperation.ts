import type { Failure } from '../../core/failure.ts';
import { assertNever, type Result } from '../../core/result.ts';
import type {
  CardPaymentRequest,
  Gateway,
  LookUpRequest,
  OperationKind,
  PaymentOutcome,
} from '../../gateways/gateway.ts';
import { moveApplications } from '../../operation/applications.ts';
import type { Write } from '../../operation/draft.ts';
import { completeKey } from '../../operation/idempotency.ts';
import type { IdempotentOperation } from '../../operation/idempotencyStore.ts';
import type { BookingWork } from '../../operation/work.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { correctionMessage, paymentMessage } from '../../pms/rules/messages.ts';
import type { BookingState } from '../../records/bookings/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PendingOperation, TransactionRow } from '../../schema/moneyTables.ts';
import { type Applied, type GatewayOperation, shownNames } from '../gateway/operation.ts';
import { sentUntilMs } from '../gateway/rules/statusChecks.ts';
import { recoverDeclined } from './beginRecovery.ts';
import { changed, changeWrites } from './entries.ts';
import { changeReplacedSchedules } from './replacedSchedules.ts';
import { isStillWanted } from './rules/wanted.ts';
import { bankStepUntilMs } from './rules.ts';
import { outcomeChange, type TransactionChange } from './states.ts';
import { selectTransaction, updateTransaction } from './store.ts';
import { adoptCard, readAnswerable } from './takeCard.ts';
import { outcomeAnswer } from './views.ts';

/** A transaction in `Processing`, with its booking and its card. */
export interface Subject {
  readonly state: BookingState;
  readonly row: TransactionRow;
  /** Null if the card is gone: then the operation can be looked up, but not sent. */
  readonly card: CardRow | null;
}

/** The gateway operation of a transaction. */
export type TransactionOperation = GatewayOperation<TransactionRow>;

/** The gateway operation whose outcome a transaction in `Processing` waits for. */
export function transactionOperation(work: BookingWork, subject: Subject): TransactionOperation {
  const { row, card } = subject;
  const { database, propertyId, reference } = work;
  const kind = pendingOf(row);
  return {
    row,
    kind,
    askedAtMs: row.askedAtMs ?? row.createdAtMs,
    isWanted: isStillWanted(subject.state, row),
    lookUpRequest: lookUpRequestOf(work, row, card),
    spans: { apply: 'd1.transaction.apply', postpone: 'd1.transaction.postpone' },
    send: (gateway) => send(gateway, kind, work, subject),
    apply: (outcome, why) => apply(work, subject, outcome, why),
    bankStep: bankStep(work, subject),
    postpone: (change) => {
      // That the outcome is not known is an event.
      const isNew = row.statusChecks === 0 && (change.statusChecks ?? 0) > 0;
      return isNew
        ? changeWrites(work, row, change, { isQuiet: true, card })
        : [updateTransaction(database.queries, row, change)];
    },
    withRow: (later) => transactionOperation(work, { ...subject, row: later }),
    read: async () => {
      const [[current]] = await database.batch('d1.transaction.read', [
        selectTransaction(database.queries, propertyId, reference, { id: row.id }),
      ]);
      return current ?? null;
    },
  };
}

/** What a payment needs while the guest's bank wants to verify them. */
function bankStep(
  work: BookingWork,
  { state, row, card }: Subject,
): TransactionOperation['bankStep'] {
  const untilMs = bankStepUntilMs(state, row, work.now());
  return {
    untilMs,
    wait: ({ gatewayReference }) => {
      if (row.bankAskedAtMs !== null) return null;
      const change = { bankAskedAtMs: work.now(), gatewayReference, dueAtMs: untilMs };
      const why = "the guest's bank wants to verify them";
      return { row: changed(row, change), writes: changeWrites(work, row, change, { why, card }) };
    },
    abandon: (gateway, { gatewayReference }) =>
      gateway.abandon(gatewayReference, card?.gatewayToken ?? ''),
  };
}

/** The new state, its audit entry, the message to the PMS and the caller's kept answer. */
async function apply(
  work: BookingWork,
  subject: Subject,
  outcome: Parameters<TransactionOperation['apply']>[0],
  why: string | undefined,
): Promise<Applied<TransactionRow>> {
  const { state, row, card } = subject;
  const change = outcomeChange(state, row, outcome, work.now());
  const answer = outcomeAnswer(changed(row, change), outcome, card, state.property.timeZone);
  return withEffects(work, subject, change, { why, answer });
}

/** Why a transaction changes, and what the caller who waits for its pending operation is told. */
export interface ChangeReason {
  readonly why: string | undefined;
  readonly answer: Result<unknown, Failure>;
}

/** A change of a transaction with everything that follows from it. */
export async function withEffects(
  work: BookingWork,
  { state, row, card }: Subject,
  outcome: TransactionChange,
  { why, answer }: ChangeReason,
): Promise<Applied<TransactionRow>> {
  const change = { ...outcome, ...keptAsked(row, outcome) };
  const after = changed(row, change);
  const writes = changeWrites(work, row, change, { why, card });
  if (after.status === 'Accepted' && row.status !== 'Accepted') {
    writes.push(...(await holdApplications(work, state, after)));
    const message = paymentMessage({ ...state, card }, after);
    writes.push(...queueMessage(work, state.property, message));
    if (row.initiator === 'guest') writes.push(...(await ofGuest(work, { state, row, card })));
  }
  if (after.status === 'Declined' && row.status !== 'Declined') {
    writes.push(...recoverDeclined(work, state.property, after));
  }
  if (row.status === 'Accepted' && after.amountMinor !== row.amountMinor) {
    const id = work.ids.next('charge', work.now());
    const message = correctionMessage({ ...state, card }, row, after, id);
    writes.push(...queueMessage(work, state.property, message));
  }
  const operation = row.pendingOperation && callersOperation(row.pendingOperation);
  if (row.idempotencyKey !== null && operation) {
    writes.push(completeKey(work, { operation, key: row.idempotencyKey }, answer));
  }
  return { row: after, writes };
}

/**
 * What a guest's payment brings besides: its card becomes the card in use and takes over schedules, and the payment ends
 * or lowers those that it is made instead of, as they are then.
 */
async function ofGuest(work: BookingWork, { state, row, card }: Subject): Promise<Write[]> {
  const isInstead = row.replaces.length > 0 || row.lowers !== null;
  if (!isInstead && !card?.enteredToPay) return [];
  const answerable = await readAnswerable(work);
  const { writes, schedules } = await adoptCard(work, state, row, card, answerable);
  const pending = answerable.pending.map((one) => schedules.find(({ id }) => id === one.id) ?? one);
  return [...writes, ...changeReplacedSchedules(work, row, pending)];
}

/** What was asked for, where another amount was taken: a part of a hold, or what the acquirer took. */
function keptAsked(
  { askedMinor, requestedMinor }: TransactionRow,
  outcome: TransactionChange,
): TransactionChange {
  const takenMinor = outcome.requestedMinor ?? requestedMinor;
  return askedMinor === null && takenMinor !== requestedMinor ? { askedMinor: requestedMinor } : {};
}

/** An accepted deposit moves its booking's applications to `Held`. */
async function holdApplications(
  work: BookingWork,
  { property }: BookingState,
  { purpose }: TransactionRow,
): Promise<Write[]> {
  return purpose === 'Deposit' ? moveApplications(work, property, 'Held') : [];
}

/** The caller's operation that the outcome answers; null if the service started it. */
function callersOperation(pending: PendingOperation): IdempotentOperation | null {
  switch (pending) {
    case 'charge':
    case 'authorize':
      return 'create';
    case 'capture':
      return 'charge-pre-auth';
    case 'release':
      return 'cancel-pre-auth';
    case 'expire':
      return null;
    default:
      return assertNever(pending);
  }
}

async function send(
  gateway: Gateway,
  kind: PendingOperation,
  work: BookingWork,
  { state, row, card }: Subject,
): Promise<PaymentOutcome> {
  if (card === null) throw new Error('a pending operation has no card');
  const request = moneyRequest(work, state, row, card);
  const followUp = { ...request, gatewayReference: row.gatewayReference ?? '' };
  switch (kind) {
    case 'charge':
      return gateway.charge(request);
    case 'authorize':
      return gateway.authorize(request);
    case 'capture':
      return gateway.capture({
        ...followUp,
        amountMinor: row.captureAmountMinor ?? row.amountMinor,
      });
    case 'release':
    case 'expire':
      return gateway.release(followUp);
    default:
      return assertNever(kind);
  }
}

/** What the acquirer is asked for the outcome of a transaction's pending operation. */
export function lookUpRequestOf(
  work: BookingWork,
  row: TransactionRow,
  card: CardRow | null,
): LookUpRequest {
  return {
    kind: operationKind(pendingOf(row)),
    idempotencyKey: keyOf(row),
    propertyId: work.propertyId,
    reference: row.reference,
    gatewayToken: card?.gatewayToken ?? '',
    gatewayReference: row.gatewayReference,
    sinceMs: sentSinceMs(row),
    untilMs: sentUntilMs(row.askedAtMs ?? row.createdAtMs, work.now()),
  };
}

/**
 * The earliest time at which the pending operation may have been sent. D1 may have been restored to a time before a
 * schedule was charged, so the look-up starts at the schedule's own time.
 */
function sentSinceMs({ askedAtMs, createdAtMs, scheduledAtMs }: TransactionRow): number {
  const askedSinceMs = askedAtMs ?? createdAtMs;
  return Math.min(askedSinceMs, scheduledAtMs ?? askedSinceMs);
}

function operationKind(operation: PendingOperation): OperationKind {
  switch (operation) {
    case 'authorize':
      return 'authorization';
    case 'expire':
      return 'release';
    default:
      return operation;
  }
}

function moneyRequest(
  work: BookingWork,
  state: BookingState,
  row: TransactionRow,
  { gatewayToken }: CardRow,
): CardPaymentRequest {
  const { propertyId, bookingReference, reference, amountMinor, currency } = row;
  const { initiator, returnUrl } = row;
  return {
    idempotencyKey: keyOf(row),
    propertyId,
    bookingReference,
    reference,
    amountMinor,
    currency,
    gatewayToken,
    initiator,
    returnUrl,
    ...shownNames(state, row.description),
    askedAtMs: work.now(),
  };
}

function pendingOf(row: TransactionRow): PendingOperation {
  if (row.pendingOperation === null) throw new Error('no operation is pending');
  return row.pendingOperation;
}

function keyOf(row: TransactionRow): string {
  if (row.gatewayKey === null) throw new Error('a pending operation has no gateway key');
  return row.gatewayKey;
}
