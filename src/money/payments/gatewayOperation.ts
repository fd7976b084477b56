import { pick } from '../../core/pick.ts';
import type { Result } from '../../core/result.ts';
import type {
  CardPaymentRequest,
  Gateway,
  LookUpRequest,
  OperationKind,
  PaymentOutcome,
} from '../../gateways/gateway.ts';
import { rejection } from '../../gateways/rules/outcome.ts';
import { moveApplications } from '../../operation/applications.ts';
import type { Write } from '../../operation/draft.ts';
import { completeKey } from '../../operation/idempotency.ts';
import type { IdempotentOperation } from '../../operation/idempotencyStore.ts';
import type { BookingWork } from '../../operation/work.ts';
import { queueMessage } from '../../pms/outbox/queue.ts';
import { correctionMessage, paymentMessage } from '../../pms/rules/messages.ts';
import type { PendingOperation, TransactionRow } from '../../schema/moneyTables.ts';
import { type Applied, type GatewayOperation, shownNames } from '../gateway/operation.ts';
import { sentUntilMs } from '../gateway/rules/statusChecks.ts';
import { recoverDeclined } from './beginRecovery.ts';
import { changed, changeWrites } from './entries.ts';
import { type LoadedTransaction, readTransaction } from './loadTransaction.ts';
import { isStillWanted, type UnderWay, underWay } from './rules/cases.ts';
import { cardAfter, eventOf } from './rules/history.ts';
import { bankStepUntilMs } from './rules.ts';
import { outcomeChange, type TransactionChange } from './states.ts';
import { updateTransaction } from './store.ts';
import { changeSuperseded } from './superseded.ts';
import { adoptCard, readCardDependents } from './takeCard.ts';
import { outcomeAnswer } from './views.ts';

interface InProcess extends LoadedTransaction {
  readonly row: UnderWay;
}

export type TransactionOperation = GatewayOperation<TransactionRow>;

/** The gateway operation whose outcome a transaction in `Processing` waits for. */
export function transactionOperation(
  work: BookingWork,
  loaded: LoadedTransaction,
): TransactionOperation {
  const { state, card } = loaded;
  const row = underWay(loaded.row);
  const subject = { state, row, card };
  return {
    row,
    kind: row.pendingOperation,
    askedAtMs: row.askedAtMs,
    isWanted: isStillWanted(state, row),
    lookUpRequest: lookUpRequestOf(work, subject),
    spans: { apply: 'd1.transaction.apply', postpone: 'd1.transaction.postpone' },
    send: (gateway) => send(gateway, work, subject),
    apply: (outcome, why) => apply(work, subject, outcome, why),
    bankStep: bankStep(work, subject),
    postpone: (change) => {
      // That the outcome is not known is an event.
      const isNew = row.statusChecks === 0 && (change.statusChecks ?? 0) > 0;
      return isNew
        ? changeWrites(work, row, change, { isQuiet: true, card })
        : [updateTransaction(row, change)];
    },
    withRow: (later) => transactionOperation(work, { ...subject, row: later }),
    read: () => readTransaction(work, { id: row.id }),
  };
}

/** What a payment needs while the guest's bank wants to verify them. */
function bankStep(
  work: BookingWork,
  { state, row, card }: LoadedTransaction,
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
      gateway.abandon(gatewayReference, card.gatewayToken),
  };
}

/** The new state, its audit entry, the message to the PMS and the caller's kept answer. */
async function apply(
  work: BookingWork,
  subject: InProcess,
  outcome: Parameters<TransactionOperation['apply']>[0],
  why: string | undefined,
): Promise<Applied<TransactionRow>> {
  const { state, row, card } = subject;
  const { timeZone } = state.property;
  return withEffects(work, subject, outcomeChange(state, row, outcome, work.now()), {
    why,
    answerOf: (after) =>
      outcomeAnswer(after, outcome, cardAfter(card, { before: row, after }), timeZone),
  });
}

/** Why a transaction changes, and what the caller who waits for its pending operation is told of it as it is then. */
interface ChangeReason {
  readonly why: string | undefined;
  readonly answerOf: (after: TransactionRow) => Result<unknown>;
}

/** A change of a transaction with everything that follows from it. */
export async function withEffects(
  work: BookingWork,
  { state, row, card }: LoadedTransaction,
  outcome: TransactionChange,
  { why, answerOf }: ChangeReason,
): Promise<Applied<TransactionRow>> {
  const takenMinor = outcome.requestedMinor ?? row.requestedMinor;
  // What was asked for is kept where another amount was taken: a part of a hold, or what the acquirer took.
  const isOther = row.askedMinor === null && takenMinor !== row.requestedMinor;
  const change = isOther ? { ...outcome, askedMinor: row.requestedMinor } : outcome;
  const after = changed(row, change);
  const writes = changeWrites(work, row, change, { why, card });
  if (after.status === 'Accepted' && row.status !== 'Accepted') {
    writes.push(...(await ofAcceptance(work, { state, row, card }, after)));
  }
  if (row.status !== 'Declined') {
    writes.push(...recoverDeclined(work, state.property, after));
  }
  if (row.status === 'Accepted' && after.amountMinor !== row.amountMinor) {
    const id = work.ids.next('charge', work.now());
    const message = correctionMessage({ ...state, card }, row, after, id);
    writes.push(...queueMessage(work, state.property, message));
  }
  const operation = row.pendingOperation && CALLERS_OPERATION[row.pendingOperation];
  // The event of an acceptance tells what its caller is answered: see `firstAnswer`.
  const isInEvent =
    after.kind === 'charge' && eventOf({ before: row, after }) === 'payment.accepted';
  if (row.idempotencyKey !== null && operation && !isInEvent) {
    const caller = { operation, key: row.idempotencyKey };
    const answer = answerOf(changed(row, outcome));
    writes.push({ beside: completeKey(work, caller, row.reference, answer) });
  }
  return { row: after, writes };
}

/**
 * What follows from an acceptance: an accepted deposit moves its booking's applications to `Held`, and the PMS hears of it.
 * A guest's card becomes the card in use and takes over schedules, and their payment ends or lowers those that it is made
 * instead of, as they are then.
 */
async function ofAcceptance(
  work: BookingWork,
  { state, row, card }: LoadedTransaction,
  after: TransactionRow,
): Promise<Write[]> {
  const { property } = state;
  const isDeposit = row.purpose === 'Deposit';
  const writes = isDeposit ? await moveApplications(work, property, 'Held') : [];
  writes.push(...queueMessage(work, property, paymentMessage({ ...state, card }, after)));
  const isInstead = row.replaces.length > 0 || row.lowers !== null;
  if (row.initiator !== 'guest' || !(isInstead || card.enteredToPay)) return writes;
  const answerable = await readCardDependents(work, state, card);
  const adopted = await adoptCard(work, state, row, card, answerable);
  const pending = answerable.pending.map(
    (one) => adopted.schedules.find(({ id }) => id === one.id) ?? one,
  );
  return [...writes, ...adopted.writes, ...(await changeSuperseded(work, row, pending))];
}

/** The caller's operation that the outcome answers; null if the service started it. */
const CALLERS_OPERATION = {
  charge: 'create',
  authorize: 'create',
  capture: 'charge-pre-auth',
  release: 'cancel-pre-auth',
  expire: null,
} as const satisfies Record<PendingOperation, IdempotentOperation | null>;

async function send(
  gateway: Gateway,
  work: BookingWork,
  { state, row, card }: InProcess,
): Promise<PaymentOutcome> {
  const { gatewayReference, pendingOperation } = row;
  const request: CardPaymentRequest = {
    idempotencyKey: row.gatewayKey,
    ...pick(row, 'propertyId', 'bookingReference', 'reference', 'amountMinor', 'currency'),
    gatewayToken: card.gatewayToken,
    ...pick(row, 'initiator', 'returnUrl'),
    ...shownNames(state, row.description),
    askedAtMs: work.now(),
  };
  if (pendingOperation === 'charge') return gateway.charge(request);
  if (pendingOperation === 'authorize') return gateway.authorize(request);
  if (gatewayReference === null) return rejection('no hold is known at the gateway');
  const followUp = { ...request, gatewayReference };
  if (pendingOperation !== 'capture') return gateway.release(followUp);
  return gateway.capture({ ...followUp, amountMinor: row.captureAmountMinor ?? row.amountMinor });
}

/** What the acquirer is asked for the outcome of a transaction's pending operation. */
function lookUpRequestOf(work: BookingWork, { row, card }: InProcess): LookUpRequest {
  return {
    kind: OPERATION_KIND[row.pendingOperation],
    idempotencyKey: row.gatewayKey,
    propertyId: work.propertyId,
    reference: row.reference,
    gatewayToken: card.gatewayToken,
    gatewayReference: row.gatewayReference,
    // D1 may have been restored to a time before a schedule was charged.
    sinceMs: Math.min(row.askedAtMs, row.scheduledAtMs ?? row.askedAtMs),
    untilMs: sentUntilMs(row.askedAtMs, work.now()),
  };
}

/** What the acquirer knows a pending operation as. */
const OPERATION_KIND = {
  charge: 'charge',
  authorize: 'authorization',
  capture: 'capture',
  release: 'release',
  expire: 'release',
} as const satisfies Record<PendingOperation, OperationKind>;
