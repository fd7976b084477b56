import { testCards } from './cards.ts';
import { tell, tellDispute } from './corrections.ts';
import { actAtDesk, arriveLate } from './desk.ts';
import { serveNext } from './due.ts';
import { type KeyedOperation, keySpace, type Operation, requestOf } from './operation.ts';
import { cancelSchedule, cancelSchedules, capture, pay, release, save } from './payments.ts';
import { refund, refundAnswer, resolveRefundByHand } from './refunds.ts';
import { resolveByHand } from './settle.ts';
import { type Answer, type BookingModel, copyOf, paymentOf, refusal } from './state.ts';

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
      return attach(model, operation);
    case 'save':
      return save(model, operation);
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
      while (serveNext(model));
      return refusal('ok');
    default:
      return once(model, operation);
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
    const { refund: open } = kept;
    const answer = open ? refundAnswer(model, open.command, open.amountMinor) : kept.answer;
    return { ...answer, replayed: true };
  }
  const answer = actKeyed(model, operation, name);
  const open = operation.do === 'refund' && answer.code === 'outcome_unknown' ? operation : null;
  model.keys[name] = { request, answer, refund: open };
  return answer;
}

function actKeyed(model: BookingModel, operation: KeyedOperation, caller: string | null): Answer {
  switch (operation.do) {
    case 'pay':
      return pay(model, operation, caller);
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

function attach(model: BookingModel, operation: Extract<Operation, { do: 'attach' }>): Answer {
  const card = testCards[operation.card];
  if (!card) throw new Error('no such test card');
  const { token, expiresAtMs } = operation;
  const { brand, behaviour } = card;
  model.cards.push({ token, brand, behaviour, expiresAtMs, declines: 0, refusals: 0 });
  return refusal('ok');
}
