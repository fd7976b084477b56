import {
  arrive,
  change,
  disputableMinor,
  disputeThere,
  effectOf,
  endInquiries,
  enter,
  heldMinor,
  inquiriesOf,
  isAhead,
  judgeCard,
  judgeFollowUp,
  opensDispute,
  paymentThere,
  refundableMinor,
} from './acquirer.ts';
import type { DeskAct } from './operation.ts';
import { type Answer, type BookingModel, cardOf, paymentOf, refusal } from './state.ts';

type OnDispute = Extract<DeskAct, { readonly dispute: string }>;

const REFUSED = refusal('refused');
const DONE = refusal('ok');

/** What a person does at the acquirer's desk: the service learns nothing of it. */
export function actAtDesk(model: BookingModel, act: DeskAct): Answer {
  switch (act.action) {
    case 'charge':
      return stray(model, act.token);
    case 'inquiry':
      return inquire(model, act.ref, act.amountMinor);
    case 'dispute':
      return dispute(model, act.ref, act.amountMinor);
    case 'winDispute':
    case 'loseDispute':
      return closeDispute(model, act);
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
  const done = entered(model, kind, ref, amountMinor);
  if (kind === 'refund') endInquiries(model, ref);
  return done;
}

/** The cardholder's bank asks about a payment before it withdraws anything. */
function inquire(model: BookingModel, ref: string, asked: number | null): Answer {
  const leftMinor = disputableMinor(paymentThere(model, ref));
  const amountMinor = asked ?? leftMinor;
  if (leftMinor <= 0 || amountMinor > leftMinor) return REFUSED;
  isAhead(model, enter(model, 'inquiry', ref, amountMinor).id);
  return DONE;
}

/** The cardholder disputes a payment; what their bank inquired about becomes that dispute. */
function dispute(model: BookingModel, ref: string, asked: number | null): Answer {
  const there = paymentThere(model, ref);
  const [inquiry, ...others] = there ? inquiriesOf(there) : [];
  if (others.length > 0) return REFUSED;
  const leftMinor = disputableMinor(there) + (inquiry?.opened.amountMinor ?? 0);
  const amountMinor = asked ?? inquiry?.opened.amountMinor ?? leftMinor;
  if (leftMinor <= 0 || amountMinor > leftMinor) return REFUSED;
  const entry = enter(model, 'dispute', ref, amountMinor, inquiry?.opened.id);
  isAhead(model, inquiry?.opened.id ?? entry.id);
  return DONE;
}

function closeDispute(
  model: BookingModel,
  { action, amountMinor: asked, dispute: id }: OnDispute,
): Answer {
  const ended = action === 'winDispute' ? 'won' : 'lost';
  const open = disputeThere(model, id);
  if (!open || !opensDispute(open.opened) || open.opened.ended !== undefined) return REFUSED;
  const { opened, withdrawnMinor } = open;
  // It becomes a dispute before it can be lost.
  if (ended === 'lost' && withdrawnMinor === 0) return REFUSED;
  const amountMinor = asked ?? withdrawnMinor;
  if (amountMinor > withdrawnMinor) return REFUSED;
  change(model, { ...opened, ended });
  // What was withdrawn stays away when it is lost.
  if (ended === 'won' && amountMinor > 0) {
    enter(model, 'dispute_reversal', opened.payment, amountMinor, id);
  }
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

/** The disputes of a payment that are open, by their names: for who looks for something to do. */
export function openDisputes(model: BookingModel, ref: string): string[] {
  const there = paymentThere(model, ref);
  return (there?.disputes ?? []).flatMap(({ opened: { ended, id } }) =>
    ended === undefined ? [id] : [],
  );
}
