import {
  answers,
  ask,
  disputeThere,
  effectOf,
  isDisputedThere,
  lookUp,
  paymentThere,
} from './acquirer.ts';
import { recordDispute } from './disputes.ts';
import type { Operation } from './operation.ts';
import { findOut, judgeByHand, nextLookAtMs, type Verdict } from './settle.ts';
import {
  type Answer,
  type BookingModel,
  type Effect,
  isDisputed,
  isInTheWay,
  leftOf,
  type Payment,
  paymentOf,
  REJECTED,
  type Refund,
  refusal,
  roomOf,
  type Said,
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
  const unfit = ref === null ? null : unfitFor(model, ref);
  if (unfit) return unfit;
  const rounds: Rounds = { refused: [], looked: [], left: amountMinor, isDisputed: false };
  while (rounds.left > 0 && !rounds.isDisputed) {
    const isWhole = rounds.left === amountMinor && rounds.refused.length === 0;
    const parts = allocateSparingBonds(model, ref, rounds);
    if (isWhole && sumOf(parts.map(({ amountMinor }) => amountMinor)) < rounds.left)
      return exceedsCharge(rounds);
    if (parts.length === 0) break;
    // What had no room waits for a round in which a corrected charge has some.
    rounds.left -= sumOf(parts.map((part) => part.amountMinor));
    const made = parts.map((part) => reserve(model, operation, part));
    for (const record of made) send(model, record, rounds);
  }
  const answer = refundAnswer(model, command, amountMinor);
  const endsDisputed = rounds.isDisputed && answer.code === 'gateway_error';
  return endsDisputed ? { ...answer, code: 'invalid_state' } : answer;
}

/** Nothing is refunded. What the acquirer refused before leaves the answer without refunds, and kept so. */
function exceedsCharge({ looked }: Rounds): Answer {
  const refused = refusal('refund_exceeds_charge');
  return looked.length === 0 ? refused : { ...refused, refunds: [] };
}

/** Why a named charge cannot be refunded; null if it can. */
function unfitFor(model: BookingModel, ref: string): Answer | null {
  const charge = paymentOf(model, ref);
  if (!charge) return refusal('transaction_not_found');
  const refundable = charge.status === 'Accepted' && !isDisputed(model, charge);
  return refundable ? null : refusal('invalid_state');
}

/** How far a refund is. */
interface Rounds {
  /** The charges of which the acquirer refused a part. */
  readonly refused: string[];
  /** Those of which its record then corrected ours: each is tried once more. */
  readonly looked: string[];
  left: number;
  /** Whether the acquirer refused a part because of a dispute: that ends the refund. */
  isDisputed: boolean;
}

function send(model: BookingModel, record: Refund, rounds: Rounds): void {
  // Nothing moves to another charge once one is disputed.
  const isSent = !rounds.isDisputed;
  settleOrPostpone(model, record, isSent ? askFor(model, record) : REJECTED);
  if (!isSent || record.status !== 'Failed') return;
  rounds.left += record.amountMinor;
  const looksAgain = !rounds.looked.includes(record.charge);
  const isCorrected = looksAgain && lookAgain(model, record);
  if (looksAgain) rounds.isDisputed = learnDisputes(model, record.charge);
  (isCorrected ? rounds.looked : rounds.refused).push(record.charge);
}

/** The acquirer refused a refund: its desk may have refunded the charge, and its record counts. */
function lookAgain(model: BookingModel, { charge }: Refund): boolean {
  const payment = paymentOf(model, charge);
  const there = paymentThere(model, charge);
  if (!payment || !there) return false;
  const { complete, corrected } = learnRefunds(model, payment, there.refunds);
  if (complete) model.untold = model.untold.filter((it) => it !== charge);
  return corrected;
}

/** The acquirer's disputes of a charge become ours. Returns whether its money is held back for one. */
function learnDisputes(model: BookingModel, charge: string): boolean {
  const there = answers(model) ? paymentThere(model, charge) : null;
  for (const { opened } of there?.disputes ?? []) recordDispute(model, opened.id);
  return there !== null && isDisputedThere(there);
}

/** What a refund has come to by its records: unknown while one is open. */
function refundAnswer(model: BookingModel, command: string, askedMinor: number): Answer {
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

/**
 * What a repeated request hears of a refund whose answer was not certain: the same, but that a dispute was in its way from
 * the beginning, where one is known by now.
 */
export function laterAnswer(model: BookingModel, command: string, askedMinor: number): Answer {
  const answer = refundAnswer(model, command, askedMinor);
  const wasDisputed = model.refunds.some((record) => {
    const payment = record.command === command && record.status === 'Failed' && record.charge;
    return payment && wasDisputedAt(model, payment, record.askedAtMs);
  });
  return wasDisputed && answer.code === 'gateway_error'
    ? { ...answer, code: 'invalid_state' }
    : answer;
}

function wasDisputedAt(model: BookingModel, charge: string, atMs: number): boolean {
  return model.disputes.some((dispute) => {
    const openedAtMs = disputeThere(model, dispute.id)?.opened.atMs ?? Number.POSITIVE_INFINITY;
    return dispute.charge === charge && openedAtMs <= atMs && isInTheWay(dispute);
  });
}

function shownAsMade({ amountMinor }: Refund) {
  return { amountMinor, status: null };
}

/** Finds out what became of a refund whose answer was lost. */
export function resolveRefund(model: BookingModel, record: Refund): void {
  const found = findOut(model, {
    unknown: record,
    key: refundKey(record),
    kind: 'refund',
    isWanted: true,
    sendAgain: () => askFor(model, record),
  });
  if (typeof found === 'number') record.dueAtMs = found;
  else settleOrPostpone(model, record, found);
}

/** By an administrator's word, unless it is too early for that, or the acquirer can still tell. */
export function resolveRefundByHand(model: BookingModel, record: Refund, verdict: Verdict): Answer {
  if (record.status !== 'Processing') return refusal('invalid_state');
  const { answer, outcome } = judgeByHand(model, record, lookUp(model, refundKey(record)), verdict);
  if (outcome) settleOrPostpone(model, record, outcome);
  return answer;
}

/** The acquirer's refunds of a charge become ours, until one has no room here: that waits for something else to end. */
export function learnRefunds(
  model: BookingModel,
  charge: Payment,
  there: readonly Effect[],
): { readonly corrected: boolean; readonly complete: boolean } {
  let corrected = false;
  for (const entry of there) {
    const seen = correctRefund(model, charge, entry);
    if (seen === 'no room') return { corrected, complete: false };
    corrected ||= seen === 'corrected';
  }
  return { corrected, complete: true };
}

function correctRefund(
  model: BookingModel,
  payment: Payment,
  entry: Effect,
): 'corrected' | 'agrees' | 'no room' {
  const known = model.refunds.find((record) => refundKey(record) === entry.id);
  const failed = isFailedThere(entry);
  const agrees = known?.status === (failed ? 'Failed' : 'Refunded');
  if (agrees || payment.status !== 'Accepted') return 'agrees';
  const needsRoom = !failed && known?.status !== 'Processing';
  if (needsRoom && leftOf(model, payment) < entry.amountMinor) return 'no room';
  learnRefund(model, payment, entry, known ?? null);
  return 'corrected';
}

/** The acquirer's record of a refund becomes ours: of one that is known, or of one that its desk made. */
function learnRefund(
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
    waived: false,
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
function isFailedThere({ ended }: Effect): boolean {
  return ended === 'failed';
}

/** The key of a refund at the acquirer, or the name of its desk's. */
function refundKey({ command, origin, part }: Refund): string {
  return origin === 'gateway' ? command : `${command}/${part}`;
}

/** The charges that may be refunded from, newest first. */
function candidates(model: BookingModel, ref: string | null, refused: readonly string[]) {
  return model.payments
    .filter((payment) => ref === null || payment.ref === ref)
    .filter((payment) => !refused.includes(payment.ref) && roomOf(model, payment) > 0)
    .toReversed();
}

/** Bonds give only what all other charges together do not have, whatever the acquirer refuses of these. */
function allocateSparingBonds(
  model: BookingModel,
  ref: string | null,
  { left, refused }: Rounds,
): Part[] {
  const isSpared = ({ purpose }: Payment) => ref === null && purpose === 'Bond';
  const all = candidates(model, ref, []);
  const open = all.filter((charge) => !refused.includes(charge.ref));
  const roomIn = (charges: readonly Payment[]) => sumOf(charges.map((it) => roomOf(model, it)));
  const bonds = open.filter(isSpared);
  const others = open.filter((charge) => !isSpared(charge));
  const lackingMinor = left - roomIn(all.filter((charge) => !isSpared(charge)));
  const ofBondsMinor = Math.min(roomIn(bonds), Math.max(0, lackingMinor));
  const ofOthersMinor = Math.min(roomIn(others), left - ofBondsMinor);
  return [...allocate(model, others, ofOthersMinor), ...allocate(model, bonds, ofBondsMinor)];
}

function allocate(model: BookingModel, open: readonly Payment[], amountMinor: number): Part[] {
  if (amountMinor === 0) return [];
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

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function reserve(
  model: BookingModel,
  { command, waive }: RefundOperation,
  { charge, amountMinor }: Part,
): Refund {
  const record: Refund = {
    origin: 'service',
    command,
    part: model.refunds.filter((other) => other.command === command).length,
    charge: charge.ref,
    amountMinor,
    waived: waive,
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

function askFor(model: BookingModel, record: Refund): Said | null {
  const charge = paymentOf(model, record.charge);
  if (!charge) throw new Error('the model has a refund without a charge');
  return ask(model, {
    kind: 'refund',
    key: refundKey(record),
    payment: charge.ref,
    amountMinor: record.amountMinor,
    // A charge that D1 forgot may be recorded on another card than the acquirer took it from.
    card: paymentThere(model, charge.ref)?.made.card ?? charge.card,
    isGuestThere: false,
  });
}

function settleOrPostpone(model: BookingModel, record: Refund, outcome: Said | null): void {
  if (outcome?.kind === 'open') throw new Error('no bank asks about a refund');
  // What is refused for now stays on its charge, and is sent again.
  if (outcome === null || (outcome.kind === 'rejected' && outcome.temporary)) {
    record.dueAtMs = nextLookAtMs(model.nowMs, record);
    record.statusChecks += 1;
    return;
  }
  record.status = outcome.kind === 'approved' ? 'Refunded' : 'Failed';
  record.trail.push(record.status);
  record.settledAtMs = effectOf(model, refundKey(record))?.atMs ?? null;
  record.dueAtMs = null;
}
