import { change, effectOf, isAhead } from './acquirer.ts';
import {
  type Answer,
  type BookingModel,
  isStopped,
  moveTo,
  type Outcome,
  type Payment,
  refusal,
} from './state.ts';

/** How long a guest has to confirm a payment at their bank (interface: The bank's step). */
const FOR_GUEST = 30 * 60_000;

const REFUSED_AT_BANK: Outcome = {
  kind: 'declined',
  code: 'authentication_required',
  retryable: false,
};

/** Leaves an open payment to its guest; false once their time is over. */
export function waitForGuest(model: BookingModel, payment: Payment): boolean {
  const { nowMs } = model;
  const askedAtMs = payment.bankAskedAtMs ?? nowMs;
  if (isStopped(model, payment) || nowMs >= askedAtMs + FOR_GUEST) return false;
  if (payment.bankAskedAtMs !== null) return true;
  payment.bankAskedAtMs = nowMs;
  payment.dueAtMs = nowMs + FOR_GUEST;
  // The audit trail notes it.
  moveTo(payment, 'Processing');
  return true;
}

/** Ends an open payment at the acquirer; null where that does not answer. */
export function abandon(model: BookingModel, key: string): Outcome | null {
  const open = effectOf(model, key);
  if (open === null || model.outage) return null;
  change(model, { ...open, outcome: REFUSED_AT_BANK });
  return REFUSED_AT_BANK;
}

/** The guest decides on the bank's page: only the first word counts. */
export function decideAtBank(model: BookingModel, ref: string, allows: boolean): Answer {
  const open = openOf(model, ref);
  if (!open) return refusal('refused');
  const outcome = allows ? ({ kind: 'approved' } as const) : REFUSED_AT_BANK;
  change(model, { ...open, outcome, atMs: model.nowMs });
  if (allows) isAhead(model, ref);
  return refusal('ok');
}

/** What the bank asks the guest of a payment about, while they can answer. */
function openOf({ effects }: BookingModel, ref: string) {
  return effects.find(({ outcome, payment }) => payment === ref && outcome.kind === 'open') ?? null;
}
