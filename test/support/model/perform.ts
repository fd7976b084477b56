import { attach } from './attach.ts';
import { decideAtBank } from './bank.ts';
import { tell, tellDispute } from './corrections.ts';
import { actAtDesk, arriveLate } from './desk.ts';
import { serveNext } from './due.ts';
import { comeBack } from './guestStep.ts';
import { type KeyedOperation, keySpace, type Operation, requestOf } from './operation.ts';
import {
  calledOffAnswer,
  cancelSchedule,
  cancelSchedules,
  capture,
  pay,
  payAsGuest,
  release,
  save,
} from './payments.ts';
import { quote } from './quotes.ts';
import { setTerms } from './recoveries.ts';
import { recover } from './recovery.ts';
import { laterAnswer, refund, resolveRefundByHand } from './refunds.ts';
import { resolveByHand } from './settle.ts';
import { type Answer, type BookingModel, copyOf, type Kept, paymentOf, refusal } from './state.ts';

/** What the model says that an operation leads to. */
export interface Performed {
  readonly model: BookingModel;
  readonly answer: Answer;
}

/** Does an operation on the model as a whole; what it is given stays as it is. */
export function perform(before: BookingModel, operation: Operation): Performed {
  const model = copyOf(before);
  return { model, answer: act(model, operation) };
}

/** Serves the one thing that is due first; null when nothing is. */
export function serveOne(before: BookingModel): BookingModel | null {
  const model = copyOf(before);
  return serveNext(model) ? model : null;
}

function act(model: BookingModel, operation: Operation): Answer {
  switch (operation.do) {
    case 'attach':
      return attachAndCharge(model, operation);
    case 'save':
      return save(model, operation);
    case 'set':
      setTerms(model, operation.terms);
      return refusal('ok');
    case 'outage':
      model.outage = operation.outage;
      return refusal('ok');
    case 'decide at bank':
      return decideAtBank(model, operation.ref, operation.allows);
    case 'come back':
      return comeBack(model, operation.ref, operation.givesUp);
    case 'quote':
      return quote(model, operation);
    case 'resolve by hand': {
      const payment = paymentOf(model, operation.ref);
      return payment
        ? resolveByHand(model, payment, operation.verdict)
        : refusal('transaction_not_found');
    }
    case 'resolve refund by hand': {
      const { command, part } = operation;
      const record = model.refunds.find((it) => it.command === command && it.part === part);
      return record
        ? resolveRefundByHand(model, record, operation.verdict)
        : refusal('transaction_not_found');
    }
    case 'desk':
      return actAtDesk(model, operation.act);
    case 'arrive late':
      return arriveLate(model, operation.request);
    case 'tell':
      return tell(model, operation.ref);
    case 'tell dispute':
      return tellDispute(model, operation.dispute);
    case 'wake':
      serveAll(model);
      return refusal('ok');
    default:
      return once(model, operation);
  }
}

/** More than could ever be due at once. */
const MOST_AT_A_WAKE = 1_000;

function serveAll(model: BookingModel): void {
  for (let served = 0; serveNext(model); served += 1) {
    if (served > MOST_AT_A_WAKE) throw new Error('the model has always something due');
  }
}

/** Gives the first answer again to every request with its key (interface: Idempotency). */
function once(model: BookingModel, operation: KeyedOperation): Answer {
  if (operation.key === null) return actKeyed(model, operation, null);
  const name = `${keySpace(operation)} ${operation.key}`;
  const request = JSON.stringify(requestOf(operation));
  const kept = model.keys[name];
  if (kept) {
    if (kept.request !== request) return refusal('idempotency_key_reused');
    return { ...keptAnswer(model, kept), replayed: true };
  }
  const answer = actKeyed(model, operation, name);
  // Whoever was too early may try again under the same key.
  if (answer.code === 'rate_limited') return answer;
  const open = operation.do === 'refund' && answer.code === 'outcome_unknown' ? operation : null;
  const calledOff = answer.code === 'ok' ? calledOffBy(model, operation) : null;
  model.keys[name] = { request, answer, refund: open, calledOff };
  return answer;
}

function keptAnswer(model: BookingModel, { answer, calledOff, refund: open }: Kept): Answer {
  const payment = calledOff === null ? null : paymentOf(model, calledOff);
  if (payment) return calledOffAnswer(payment);
  return open ? laterAnswer(model, open.command, open.amountMinor) : answer;
}

/** The payment of which an operation only noted that it is not wanted: its answer is that of the record. */
function calledOffBy(model: BookingModel, operation: KeyedOperation): string | null {
  const isEnding = operation.do === 'cancel schedule' || operation.do === 'release';
  const payment = isEnding ? paymentOf(model, operation.ref) : null;
  return payment?.isUnwanted ? payment.ref : null;
}

function actKeyed(model: BookingModel, operation: KeyedOperation, caller: string | null): Answer {
  switch (operation.do) {
    case 'pay':
      return pay(model, operation, caller);
    case 'guest pays':
      return payAsGuest(model, operation, caller);
    case 'capture':
      return capture(model, operation, caller);
    case 'release':
      return release(model, operation, caller);
    case 'cancel schedule':
      return cancelSchedule(model, operation);
    case 'cancel schedules':
      return cancelSchedules(model);
    case 'refund':
      return refund(model, operation);
  }
}

/** How much of what was declined before a new card is charged at once; the rest is due. */
const MOST_AT_ONCE = 5;

function attachAndCharge(
  model: BookingModel,
  operation: Extract<Operation, { do: 'attach' }>,
): Answer {
  for (const recovery of attach(model, operation).slice(0, MOST_AT_ONCE)) {
    // The charge, then what follows from its outcome.
    if (recovery.dueAtMs !== null) recover(model, recovery);
    if (recovery.dueAtMs !== null) recover(model, recovery);
  }
  return refusal('ok');
}
