import {
  arrive,
  change,
  disputableMinor,
  effectOf,
  enter,
  heldMinor,
  isAhead,
  judgeCard,
  judgeFollowUp,
  paymentThere,
  refundableMinor,
  unwon,
} from './acquirer.ts';
import type { DeskAct } from './operation.ts';
import { type Answer, type BookingModel, cardOf, paymentOf, refusal } from './state.ts';

const REFUSED = refusal('refused');
const DONE = refusal('ok');

/** What a person does at the acquirer's desk: the service learns nothing of it. */
export function actAtDesk(model: BookingModel, act: DeskAct): Answer {
  switch (act.action) {
    case 'charge':
      return stray(model, act.token);
    case 'dispute':
      return dispute(model, act.ref, act.amountMinor);
    case 'winDispute':
    case 'loseDispute':
      return closeDispute(model, act.dispute, act.action === 'winDispute' ? 'won' : 'lost');
    case 'failRefund':
      return failRefund(model, act.refund);
    default:
      return followUp(model, act.action, act.ref, act.amountMinor);
  }
}

/** A charge that belongs to no booking. */
function stray(model: BookingModel, token: string): Answer {
  if (judgeCard(model, cardOf(model, token)).kind !== 'approved') return REFUSED;
  model.strays += 1;
  return DONE;
}

/** A request that was lost on its way arrives. */
export function arriveLate(model: BookingModel, key: string): Answer {
  const request = model.onTheWay[key];
  if (request) arrive(model, request);
  return DONE;
}

function followUp(
  model: BookingModel,
  kind: 'capture' | 'release' | 'refund',
  ref: string,
  asked: number | null,
): Answer {
  const payment = paymentOf(model, ref);
  const there = paymentThere(model, ref);
  const leftMinor = kind === 'refund' ? refundableMinor(there) : heldMinor(there);
  if (!payment || leftMinor <= 0) return REFUSED;
  const amountMinor = kind === 'release' ? leftMinor : (asked ?? leftMinor);
  const request = { kind, payment: ref, amountMinor, card: payment.card };
  if (judgeFollowUp(model, request).kind !== 'approved') return REFUSED;
  return entered(model, kind, ref, amountMinor);
}

function dispute(model: BookingModel, ref: string, asked: number | null): Answer {
  const leftMinor = disputableMinor(paymentThere(model, ref));
  const amountMinor = asked ?? leftMinor;
  if (leftMinor <= 0 || amountMinor > leftMinor) return REFUSED;
  isAhead(model, enter(model, 'dispute', ref, amountMinor).id);
  return DONE;
}

function closeDispute(model: BookingModel, id: string, ended: 'won' | 'lost'): Answer {
  const open = effectOf(model, id);
  if (open?.kind !== 'dispute' || open.ended !== undefined) return REFUSED;
  change(model, { ...open, ended });
  // What was withdrawn when it was opened stays away when it is lost.
  if (ended === 'won') enter(model, 'dispute_reversal', open.payment, open.amountMinor);
  isAhead(model, id);
  return DONE;
}

function failRefund(model: BookingModel, id: string): Answer {
  const refund = effectOf(model, id);
  const made = refund?.kind === 'refund' && refund.outcome.kind === 'approved';
  if (!made || refund.ended !== undefined) return REFUSED;
  change(model, { ...refund, ended: 'failed' });
  return entered(model, 'refund_failure', refund.payment, refund.amountMinor);
}

function entered(
  model: BookingModel,
  kind: Parameters<typeof enter>[1],
  ref: string,
  amountMinor: number,
): Answer {
  enter(model, kind, ref, amountMinor);
  isAhead(model, ref);
  return DONE;
}

/** The disputes of a payment that are not won, by their names: for who looks for something to do. */
export function openDisputes(model: BookingModel, ref: string): string[] {
  const there = paymentThere(model, ref);
  return there ? unwon(there).flatMap(({ id, ended }) => (ended === undefined ? [id] : [])) : [];
}
