import { answers, effectOf, type PaymentThere, paymentThere } from './acquirer.ts';
import { correctPayment } from './correctPayment.ts';
import { recordDispute } from './disputes.ts';
import { learnRefunds } from './refunds.ts';
import { lookUpOf, settle } from './settle.ts';
import { type Answer, type BookingModel, type Payment, paymentOf, refusal } from './state.ts';
import { canBeTakenOver, takeOver } from './takeOver.ts';

const NOT_FOUND = refusal('transaction_not_found');
const UNKNOWN = refusal('outcome_unknown');

/**
 * The acquirer tells that something became of a payment, and the service looks: what is under
 * way ends as it did there, then the acquirer's record outranks ours, then its refunds do.
 */
export function tell(model: BookingModel, ref: string): Answer {
  const there = paymentThere(model, ref);
  if (!there) return NOT_FOUND;
  if (!answers(model)) return UNKNOWN;
  const isMissing = paymentOf(model, ref) === null;
  if (isMissing && canBeTakenOver(model, ref)) takeOver(model, ref);
  const payment = paymentOf(model, ref);
  if (!payment) {
    // What was let go by now leaves nothing to record.
    model.untold = model.untold.filter((it) => it !== ref);
    return NOT_FOUND;
  }
  const settled = settleUnderWay(model, payment);
  const corrected = correctPayment(model, payment) !== null;
  const refunds = learnRefunds(model, payment, there.refunds);
  const changed = isMissing || settled || corrected || refunds.corrected;
  if (!refunds.complete) return { ...refusal('ok'), corrected: changed };
  if (payment.underWay === null) model.untold = model.untold.filter((it) => it !== ref);
  return { ...refusal('ok'), corrected: changed };
}

function settleUnderWay(model: BookingModel, payment: Payment): boolean {
  const there = paymentThere(model, payment.ref);
  if (payment.status !== 'Processing' || (there && endedOtherwise(payment, there))) return false;
  const known = lookUpOf(model, payment);
  // One that waits for its guest is left to them.
  if (known === null || known.kind === 'open') return false;
  settle(model, payment, known);
  return true;
}

/** A hold that was let go while it is captured here, or captured while it is let go here, has one end: the acquirer's. */
function endedOtherwise({ underWay }: Payment, { taken, released }: PaymentThere): boolean {
  const operation = underWay?.operation;
  return operation === 'capture'
    ? Boolean(released)
    : Boolean(taken) && (operation === 'release' || operation === 'expire');
}

/** The acquirer tells of a dispute. */
export function tellDispute(model: BookingModel, id: string): Answer {
  const entry = effectOf(model, id);
  if (!entry) return NOT_FOUND;
  if (!answers(model)) return UNKNOWN;
  // Only what was taken is disputed: the charge is learnt first.
  const isKnown = paymentOf(model, entry.payment)?.status === 'Accepted';
  const learnt = isKnown ? null : tell(model, entry.payment);
  const payment = paymentOf(model, entry.payment);
  if (!payment) return NOT_FOUND;
  if (payment.status !== 'Accepted') return UNKNOWN;
  const changed = recordDispute(model, id);
  return { ...refusal('ok'), corrected: changed || Boolean(learnt?.corrected) };
}
