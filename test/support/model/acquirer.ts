import {
  type AcquirerRequest,
  type BookingModel,
  type CardState,
  cardOf,
  type Effect,
  type Outage,
  type Outcome,
  REJECTED,
  type RequestKind,
  type Said,
} from './state.ts';
import { ZONE } from './times.ts';

const APPROVED: Outcome = { kind: 'approved' };
const NEEDS_GUEST: Outcome = {
  kind: 'declined',
  code: 'authentication_required',
  retryable: false,
};

/** The model of the sandbox acquirer: one effect a key; null when its answer is lost (interface: Sandbox). */
export function ask(model: BookingModel, request: AcquirerRequest): Said | null {
  const recorded = lookUp(model, request.key, request.kind);
  if (model.outage) {
    const meant = meaningOf(model.outage);
    if (meant === null && !recorded) model.onTheWay[request.key] = request;
    return meant;
  }
  // A key that stands for another card or amount says nothing of what became of the request.
  if (recorded) return recorded === REJECTED || isSame(model, request) ? recorded : null;
  const card = cardOf(model, request.card);
  const { behaviour } = card;
  const isNew = request.kind === 'charge' || request.kind === 'authorization';
  if (isNew && behaviour.does === 'refuse twice' && card.refusals < 2) {
    card.refusals += 1;
    return { kind: 'rejected', temporary: true, retryAfterMs: behaviour.retryAfterMs };
  }
  const loses = losesAnswer(model, request.key, card);
  if (loses && behaviour.does === 'nothing, answer lost') {
    model.onTheWay[request.key] = request;
    return null;
  }
  const outcome = carryOut(model, request, card);
  return loses ? null : outcome;
}

/** Whether a key stands for this amount and card. */
function isSame(model: BookingModel, { amountMinor, card, key }: AcquirerRequest): boolean {
  const known = effectOf(model, key);
  const isOnIt = known?.card === undefined || known.card === card;
  return isOnIt && known?.amountMinor === amountMinor;
}

/** What a status says of a request: a refusal for now or for good; null where it may have been carried out. */
function meaningOf({ retryAfterMs, status }: Outage): Outcome | null {
  if (status >= 500 || status === 409) return null;
  return [401, 403, 429].includes(status)
    ? { kind: 'rejected', temporary: true, retryAfterMs }
    : REJECTED;
}

/** Whether the acquirer tells what it has. */
export function answers({ outage }: BookingModel): boolean {
  return !outage?.lookUps;
}

/** A request that was lost arrives after all: nobody hears of the answer. */
export function arrive(model: BookingModel, request: AcquirerRequest): void {
  delete model.onTheWay[request.key];
  if (lookUp(model, request.key)) return;
  ask(model, request);
  if (lookUp(model, request.key)?.kind === 'approved') isAhead(model, request.payment);
}

/** Notes that the acquirer knows more of a payment or of a dispute than the service. */
export function isAhead(model: BookingModel, name: string): void {
  if (!model.untold.includes(name)) model.untold.push(name);
}

/** What the acquirer has recorded under a key; null when it has no such operation. A key stands for one kind of it. */
export function lookUp(model: BookingModel, key: string, kind?: RequestKind): Said | null {
  const effect = effectOf(model, key);
  if (effect && kind !== undefined && effect.kind !== kind) return REJECTED;
  return effect?.ended === 'failed' ? REJECTED : (effect?.outcome ?? null);
}

/** The acquirer's entry with this key or name. */
export function effectOf(model: BookingModel, id: string): Effect | null {
  return model.effects.find((effect) => effect.id === id) ?? null;
}

/** Adds an entry of the acquirer's desk, and gives it a name: a count of its kind on its payment. */
export function enter(
  model: BookingModel,
  kind: Effect['kind'],
  payment: string,
  amountMinor: number,
  of?: string,
): Effect {
  const alike = model.effects.filter(
    (it) => it.byDesk && it.kind === kind && it.payment === payment,
  );
  const id = deskName(payment, kind, alike.length);
  const entry: Effect = {
    kind,
    id,
    byDesk: true,
    payment,
    amountMinor,
    outcome: APPROVED,
    atMs: model.nowMs,
    ...(of !== undefined && { of }),
  };
  model.effects.push(entry);
  return entry;
}

/** The name of an entry without a key: the how-manieth of its kind on its payment. */
export function deskName(payment: string, kind: string, number: number): string {
  return `${payment} ${kind} ${number}`;
}

/** Replaces an entry. */
export function change(model: BookingModel, entry: Effect): void {
  model.effects = model.effects.map((it) => (it.id === entry.id ? entry : it));
}

/** A dispute or inquiry as the acquirer has it. */
export interface DisputeThere {
  readonly opened: Effect;
  /** What it withdrew first, or what was inquired about; and what of it is held back. */
  readonly amountMinor: number;
  readonly withdrawnMinor: number;
}

/** Whether an entry opens a dispute or an inquiry. */
export function opensDispute({ kind, of }: Effect): boolean {
  return kind === 'inquiry' || (kind === 'dispute' && of === undefined);
}

function disputeOf(opened: Effect, own: readonly Effect[]): DisputeThere {
  const moved = own.filter((it) => it.of === opened.id || it.id === opened.id);
  const withdrawn = moved.filter(({ kind }) => kind === 'dispute');
  const returned = moved.filter(({ kind }) => kind === 'dispute_reversal');
  return {
    opened,
    amountMinor: (withdrawn[0] ?? opened).amountMinor,
    withdrawnMinor: sumOf(withdrawn) - sumOf(returned),
  };
}

/** A dispute or inquiry by its name. */
export function disputeThere(model: BookingModel, id: string): DisputeThere | null {
  const opened = effectOf(model, id);
  const own = model.effects.filter(({ payment }) => payment === opened?.payment);
  return opened && disputeOf(opened, own);
}

/** The inquiries that wait for their decision, and the end of those that a refund came up to. */
export function inquiriesOf({ disputes }: PaymentThere): DisputeThere[] {
  return disputes
    .filter(({ opened }) => opened.kind === 'inquiry' && opened.ended === undefined)
    .filter(({ withdrawnMinor }) => withdrawnMinor === 0);
}

/** A refund ends an inquiry about what it gives back. */
export function endInquiries(model: BookingModel, ref: string): void {
  const there = paymentThere(model, ref);
  for (const { opened } of there ? inquiriesOf(there) : []) {
    const since = there?.refunds.filter(
      ({ atMs, ended }) => ended !== 'failed' && atMs >= opened.atMs,
    );
    const isGivenBack = refundableMinor(there) === 0 || sumOf(since ?? []) >= opened.amountMinor;
    if (!isGivenBack) continue;
    change(model, { ...opened, ended: 'won' });
    isAhead(model, opened.id);
  }
}

/** A charge or hold as the acquirer has it, by its reference here; null when it certainly has none. */
export interface PaymentThere {
  readonly made: Effect;
  readonly taken: Effect | null;
  readonly released: Effect | null;
  readonly refunds: readonly Effect[];
  readonly disputes: readonly DisputeThere[];
}

export function paymentThere(model: BookingModel, ref: string): PaymentThere | null {
  const own = model.effects.filter(
    ({ payment, outcome }) => payment === ref && outcome.kind === 'approved',
  );
  const find = (...kinds: Effect['kind'][]) => own.find(({ kind }) => kinds.includes(kind)) ?? null;
  const made = find('charge', 'authorization');
  return (
    made && {
      made,
      taken: find('charge', 'capture'),
      released: find('release'),
      refunds: own.filter(({ kind }) => kind === 'refund'),
      disputes: own.filter(opensDispute).map((opened) => disputeOf(opened, own)),
    }
  );
}

/** The charges and holds that the acquirer has, by their references: also such as are not known here. */
export function refsThere(model: BookingModel): string[] {
  const refs = new Set(model.effects.map(({ payment }) => payment));
  return [...refs].filter((ref) => paymentThere(model, ref) !== null);
}

/** What a capture can still take, or a release let go. */
export function heldMinor(there: PaymentThere | null): number {
  if (there?.made.kind !== 'authorization' || there.taken || there.released) return 0;
  return there.made.amountMinor;
}

/** What can still be refunded. */
export function refundableMinor(there: PaymentThere | null): number {
  const kept = there?.refunds.filter(({ ended }) => ended !== 'failed') ?? [];
  return (there?.taken?.amountMinor ?? 0) - sumOf(kept);
}

/** What can still be disputed: refunded or not, but nothing twice. */
export function disputableMinor(there: PaymentThere | null): number {
  const claimed = (there?.disputes ?? []).map(({ amountMinor, opened, withdrawnMinor }) =>
    opened.ended === 'won' ? withdrawnMinor : amountMinor,
  );
  return (there?.taken?.amountMinor ?? 0) - claimed.reduce((sum, minor) => sum + minor, 0);
}

/** Whether money is held back for a dispute, or one was lost. */
export function isDisputedThere({ disputes }: PaymentThere): boolean {
  return disputes.some(
    ({ opened, withdrawnMinor }) => withdrawnMinor > 0 || opened.ended === 'lost',
  );
}

/** Whether the acquirer gives money back, or takes or lets go a hold. */
export function judgeFollowUp(
  model: BookingModel,
  { kind, payment, amountMinor, card }: Omit<AcquirerRequest, 'key' | 'isGuestThere'>,
): Outcome {
  const there = paymentThere(model, payment);
  if (kind === 'release') return heldMinor(there) > 0 ? APPROVED : REJECTED;
  if (kind === 'capture') return amountMinor <= heldMinor(there) ? APPROVED : REJECTED;
  const refuses = cardOf(model, card).behaviour.does === 'refuse refunds';
  const disputed = there !== null && isDisputedThere(there);
  return refuses || disputed || amountMinor > refundableMinor(there) ? REJECTED : APPROVED;
}

/** Whether the acquirer takes money from a card. It judges by the month's end in UTC. */
export function judgeCard(
  model: BookingModel,
  { behaviour, declines, expiresAtMs }: CardState,
  isGuestThere = false,
): Said {
  const expired = model.nowMs >= expiresAtMs + ZONE.aheadMs;
  if (behaviour.does === 'decline') {
    return { kind: 'declined', code: behaviour.code, retryable: behaviour.retryable };
  }
  if (behaviour.does === 'error') return { kind: 'rejected', temporary: true, retryAfterMs: null };
  if (expired && behaviour.does !== 'accept expired') {
    return { kind: 'declined', code: 'expired_card', retryable: false };
  }
  if (behaviour.does === 'ask the bank') return isGuestThere ? { kind: 'open' } : NEEDS_GUEST;
  return behaviour.does === 'decline once' && declines === 0
    ? { kind: 'declined', code: 'generic_decline', retryable: true }
    : APPROVED;
}

function carryOut(model: BookingModel, request: AcquirerRequest, card: CardState): Said {
  const { kind, key: id, payment, amountMinor } = request;
  const isNew = kind === 'charge' || kind === 'authorization';
  const outcome = isNew
    ? judgeCard(model, card, request.isGuestThere)
    : judgeFollowUp(model, request);
  if (outcome.kind === 'declined') card.declines += 1;
  const atMs = model.nowMs;
  const made = { kind, id, byDesk: false, payment, amountMinor, outcome, atMs };
  model.effects.push({ ...made, card: request.card });
  const takes = kind === 'charge' || kind === 'capture';
  if (takes && outcome.kind === 'approved' && card.behaviour.does === 'dispute') {
    isAhead(model, enter(model, 'dispute', payment, amountMinor).id);
  }
  if (kind === 'refund') endInquiries(model, payment);
  return outcome;
}

function losesAnswer(model: BookingModel, key: string, { behaviour }: CardState): boolean {
  if (!behaviour.does.endsWith('answer lost') || model.lost.includes(key)) return false;
  model.lost.push(key);
  return true;
}

function sumOf(entries: readonly Effect[]): number {
  return entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
