import { ZONE } from './clock.ts';
import {
  type AcquirerRequest,
  type BookingModel,
  type CardState,
  cardOf,
  type Effect,
  type Outcome,
  REJECTED,
} from './state.ts';

const APPROVED: Outcome = { kind: 'approved' };

/** The model of the sandbox acquirer: one effect a key; null when its answer is lost (interface: Sandbox). */
export function ask(model: BookingModel, request: AcquirerRequest): Outcome | null {
  const recorded = lookUp(model, request.key);
  if (recorded) return recorded;
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

/** A request that was lost arrives after all. */
export function arrive(model: BookingModel, request: AcquirerRequest): void {
  delete model.onTheWay[request.key];
  if (lookUp(model, request.key)) return;
  const outcome = carryOut(model, request, cardOf(model, request.card));
  if (outcome.kind === 'approved') isAhead(model, request.payment);
}

/** Notes that the acquirer knows more of a payment or of a dispute than the service. */
export function isAhead(model: BookingModel, name: string): void {
  if (!model.untold.includes(name)) model.untold.push(name);
}

/** What the acquirer has recorded under a key; null when it has no such operation. */
export function lookUp(model: BookingModel, key: string): Outcome | null {
  const effect = effectOf(model, key);
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

/** A charge or hold as the acquirer has it, by its reference here; null when it certainly has none. */
export interface PaymentThere {
  readonly made: Effect;
  readonly taken: Effect | null;
  readonly released: Effect | null;
  readonly refunds: readonly Effect[];
  readonly disputes: readonly Effect[];
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
      disputes: own.filter(({ kind }) => kind === 'dispute'),
    }
  );
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
  return (there?.taken?.amountMinor ?? 0) - sumOf(there ? unwon(there) : []);
}

/** The disputes that are open or were lost. */
export function unwon({ disputes }: PaymentThere): Effect[] {
  return disputes.filter(({ ended }) => ended !== 'won');
}

/** Whether the acquirer gives money back, or takes or lets go a hold. */
export function judgeFollowUp(
  model: BookingModel,
  { kind, payment, amountMinor, card }: Omit<AcquirerRequest, 'key'>,
): Outcome {
  const there = paymentThere(model, payment);
  if (kind === 'release') return heldMinor(there) > 0 ? APPROVED : REJECTED;
  if (kind === 'capture') return amountMinor <= heldMinor(there) ? APPROVED : REJECTED;
  const refuses = cardOf(model, card).behaviour.does === 'refuse refunds';
  const disputed = there !== null && unwon(there).length > 0;
  return refuses || disputed || amountMinor > refundableMinor(there) ? REJECTED : APPROVED;
}

/** Whether the acquirer takes money from a card. It judges by the month's end in UTC. */
export function judgeCard(
  model: BookingModel,
  { behaviour, declines, expiresAtMs }: CardState,
): Outcome {
  const expired = model.nowMs >= expiresAtMs + ZONE.aheadMs;
  if (behaviour.does === 'decline') {
    return { kind: 'declined', code: behaviour.code, retryable: behaviour.retryable };
  }
  if (behaviour.does === 'error') return { kind: 'rejected', temporary: true, retryAfterMs: null };
  if (expired && behaviour.does !== 'accept expired') {
    return { kind: 'declined', code: 'expired_card', retryable: false };
  }
  return behaviour.does === 'decline once' && declines === 0
    ? { kind: 'declined', code: 'generic_decline', retryable: true }
    : APPROVED;
}

function carryOut(model: BookingModel, request: AcquirerRequest, card: CardState): Outcome {
  const { kind, key: id, payment, amountMinor } = request;
  const isNew = kind === 'charge' || kind === 'authorization';
  const outcome = isNew ? judgeCard(model, card) : judgeFollowUp(model, request);
  if (outcome.kind === 'declined') card.declines += 1;
  const atMs = model.nowMs;
  model.effects.push({ kind, id, byDesk: false, payment, amountMinor, outcome, atMs });
  const takes = kind === 'charge' || kind === 'capture';
  if (takes && outcome.kind === 'approved' && card.behaviour.does === 'dispute') {
    isAhead(model, enter(model, 'dispute', payment, amountMinor).id);
  }
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
