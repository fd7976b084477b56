import { ask, effectOf, lookUp } from './acquirer.ts';
import type { Operation } from './operation.ts';
import { followUpUnknown, judgeByHand, nextLookAtMs, type Verdict } from './settle.ts';
import {
  type Answer,
  type BookingModel,
  type Effect,
  isDisputed,
  type Outcome,
  type Payment,
  paymentOf,
  type Refund,
  refusal,
  roomOf,
} from './state.ts';

type RefundOperation = Extract<Operation, { do: 'refund' }>;

interface Part {
  readonly charge: Payment;
  readonly amountMinor: number;
}

/**
 * Sends money back (interface: Refunds): the fewest records, and what the acquirer refuses of one charge
 * goes to the others that have room.
 */
export function refund(model: BookingModel, operation: RefundOperation): Answer {
  const { ref, amountMinor, command } = operation;
  if (ref !== null) {
    const charge = paymentOf(model, ref);
    if (!charge) return refusal('transaction_not_found');
    const refundable = charge.status === 'Accepted' && !isDisputed(model, charge);
    if (!refundable) return refusal('invalid_state');
  }
  if (roomFor(model, ref, []) < amountMinor) return refusal('refund_exceeds_charge');

  const refused: string[] = [];
  let left = amountMinor;
  while (left > 0) {
    const parts = allocate(model, ref, refused, Math.min(left, roomFor(model, ref, refused)));
    if (parts.length === 0) break;
    const made = parts.map((part) => reserve(model, command, part));
    left = 0;
    for (const record of made) {
      settleOrPostpone(model, record, askFor(model, record));
      if (record.status !== 'Failed') continue;
      refused.push(record.charge);
      left += record.amountMinor;
    }
  }
  return refundAnswer(model, command, amountMinor);
}

/** What a refund has come to by its records: unknown while one is open. */
export function refundAnswer(model: BookingModel, command: string, askedMinor: number): Answer {
  const records = model.refunds.filter((record) => record.command === command);
  const made = records.filter(({ status }) => status === 'Refunded');
  if (records.some(({ status }) => status === 'Processing')) {
    const refunds = records
      .filter(({ status }) => status !== 'Failed')
      .map(({ amountMinor, status }) => ({ amountMinor, status }));
    return { code: 'outcome_unknown', replayed: false, refunds };
  }
  const sum = made.reduce((total, { amountMinor }) => total + amountMinor, 0);
  const code = sum === askedMinor ? 'ok' : 'gateway_error';
  return { code, replayed: false, refunds: made.map(shownAsMade) };
}

function shownAsMade({ amountMinor }: Refund) {
  return { amountMinor, status: null };
}

/** Finds out what became of a refund whose answer was lost. */
export function resolveRefund(model: BookingModel, record: Refund): void {
  const known = lookUp(model, refundKey(record));
  const outcome =
    known ??
    followUpUnknown(model, record, () => {
      const again = askFor(model, record);
      return again?.kind === 'rejected' ? lookUp(model, refundKey(record)) : again;
    });
  settleOrPostpone(model, record, outcome);
}

/** By an administrator's word, unless it is too early for that, or the acquirer can still tell. */
export function resolveRefundByHand(model: BookingModel, record: Refund, verdict: Verdict): Answer {
  if (record.status !== 'Processing') return refusal('invalid_state');
  const { answer, outcome } = judgeByHand(model, record, refundKey(record), verdict);
  if (outcome) settleOrPostpone(model, record, outcome);
  return answer;
}

/** The acquirer's record of a refund becomes ours: of one that is known, or of one that its desk made. */
export function learnRefund(
  model: BookingModel,
  charge: Payment,
  entry: Effect,
  known: Refund | null,
): void {
  const record = known ?? madeAtDesk(charge, entry);
  if (!known) model.refunds.push(record);
  // One that failed there before it was learnt is recorded as both.
  if (!known && isFailedThere(entry)) record.trail.push('Refunded');
  record.status = isFailedThere(entry) ? 'Failed' : 'Refunded';
  record.trail.push(record.status);
  record.settledAtMs = entry.atMs;
  record.dueAtMs = null;
}

function madeAtDesk(charge: Payment, { amountMinor, atMs, id }: Effect): Refund {
  return {
    origin: 'gateway',
    command: id,
    part: 0,
    charge: charge.ref,
    amountMinor,
    askedAtMs: atMs,
    sentAtMs: null,
    absentAtMs: null,
    settledAtMs: null,
    status: 'Refunded',
    trail: [],
    statusChecks: 0,
    dueAtMs: null,
  };
}

/** Whether a refund that the acquirer made has failed since. */
export function isFailedThere({ ended }: Effect): boolean {
  return ended === 'failed';
}

/** The key of a refund at the acquirer, or the name of its desk's. */
export function refundKey({ command, origin, part }: Refund): string {
  return origin === 'gateway' ? command : `${command}/${part}`;
}

/** The charges that may be refunded from, newest first. */
function candidates(model: BookingModel, ref: string | null, refused: readonly string[]) {
  return model.payments
    .filter((payment) => ref === null || payment.ref === ref)
    .filter((payment) => !refused.includes(payment.ref) && roomOf(model, payment) > 0)
    .toReversed();
}

function roomFor(model: BookingModel, ref: string | null, refused: readonly string[]): number {
  const open = candidates(model, ref, refused);
  return open.reduce((sum, payment) => sum + roomOf(model, payment), 0);
}

function allocate(
  model: BookingModel,
  ref: string | null,
  refused: readonly string[],
  amountMinor: number,
): Part[] {
  if (amountMinor === 0) return [];
  const open = candidates(model, ref, refused);
  const whole = open.find((payment) => roomOf(model, payment) >= amountMinor);
  if (whole) return [{ charge: whole, amountMinor }];
  const parts: Part[] = [];
  let left = amountMinor;
  for (const charge of open.toSorted((a, b) => roomOf(model, b) - roomOf(model, a))) {
    const part = Math.min(left, roomOf(model, charge));
    if (part > 0) parts.push({ charge, amountMinor: part });
    left -= part;
  }
  return parts;
}

function reserve(model: BookingModel, command: string, { charge, amountMinor }: Part): Refund {
  const record: Refund = {
    origin: 'service',
    command,
    part: model.refunds.filter((other) => other.command === command).length,
    charge: charge.ref,
    amountMinor,
    askedAtMs: model.nowMs,
    sentAtMs: null,
    absentAtMs: null,
    settledAtMs: null,
    status: 'Processing',
    trail: ['Processing'],
    statusChecks: 0,
    dueAtMs: null,
  };
  model.refunds.push(record);
  return record;
}

function askFor(model: BookingModel, record: Refund): Outcome | null {
  const charge = paymentOf(model, record.charge);
  if (!charge) throw new Error('the model has a refund without a charge');
  return ask(model, {
    kind: 'refund',
    key: refundKey(record),
    payment: charge.ref,
    amountMinor: record.amountMinor,
    card: charge.card,
  });
}

function settleOrPostpone(model: BookingModel, record: Refund, outcome: Outcome | null): void {
  if (outcome === null) {
    record.dueAtMs = nextLookAtMs(model.nowMs, record);
    record.statusChecks += 1;
    return;
  }
  record.status = outcome.kind === 'approved' ? 'Refunded' : 'Failed';
  record.trail.push(record.status);
  record.settledAtMs = effectOf(model, refundKey(record))?.atMs ?? null;
  record.dueAtMs = null;
}
