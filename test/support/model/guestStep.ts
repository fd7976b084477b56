import { answers } from './acquirer.ts';
import { wishEnd } from './payments.ts';
import { endOpen, leaveToBank, lookUpOf, settle } from './settle.ts';
import { type Answer, type BookingModel, paymentOf, refusal } from './state.ts';

/** A guest comes back to a payment of theirs, or gives it up: the acquirer is asked what became of it. */
export function comeBack(model: BookingModel, ref: string, givesUp: boolean): Answer {
  const payment = paymentOf(model, ref);
  if (!payment) return refusal('transaction_not_found');
  const waits = payment.status === 'Processing' && payment.byGuest;
  if (waits && givesUp) wishEnd(model, payment);
  const said = waits && answers(model) ? lookUpOf(model, payment) : null;
  if (said?.kind !== 'open') {
    if (said) settle(model, payment, said);
  } else if (givesUp) endOpen(model, payment);
  else leaveToBank(model, payment);
  return refusal('ok');
}
