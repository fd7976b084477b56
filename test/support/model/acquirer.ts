import type { Behaviour } from './cards.ts';
import type { BookingModel, CardState, Effect, EffectKind, Outcome } from './state.ts';

/** A request as the modelled acquirer takes it. */
interface Request {
  readonly kind: EffectKind;
  readonly key: string;
  readonly amountMinor: number;
  readonly card: CardState;
}

/** The model of the sandbox acquirer: one effect a key; null when its answer is lost (interface: Sandbox). */
export function ask(model: BookingModel, request: Request): Outcome | null {
  const recorded = lookUp(model, request.key);
  if (recorded) return recorded;
  const loses = losesAnswer(model, request);
  if (loses && request.card.behaviour.does === 'nothing, answer lost') return null;
  const { kind, key, amountMinor, card } = request;
  const outcome = judge(kind, card);
  if (outcome.kind === 'declined') card.declines += 1;
  const effect: Effect = { kind, key, amountMinor, outcome };
  model.effects.push(effect);
  return loses ? null : outcome;
}

/** What the acquirer has recorded under a key; null when it has no such operation. */
export function lookUp(model: BookingModel, key: string): Outcome | null {
  return model.effects.find((effect) => effect.key === key)?.outcome ?? null;
}

function losesAnswer(model: BookingModel, { key, card }: Request): boolean {
  if (!card.behaviour.does.endsWith('answer lost') || model.lost.includes(key)) return false;
  model.lost.push(key);
  return true;
}

function judge(kind: EffectKind, card: CardState): Outcome {
  if (kind === 'charge' || kind === 'authorization') return judgeCard(card.behaviour, card);
  const refuses = kind === 'refund' && card.behaviour.does === 'refuse refunds';
  return refuses ? { kind: 'rejected' } : { kind: 'approved' };
}

function judgeCard(behaviour: Behaviour, { declines }: CardState): Outcome {
  switch (behaviour.does) {
    case 'decline':
      return { kind: 'declined', code: behaviour.code, retryable: behaviour.retryable };
    case 'decline once':
      return declines === 0
        ? { kind: 'declined', code: 'generic_decline', retryable: true }
        : { kind: 'approved' };
    case 'error':
      return { kind: 'rejected' };
    default:
      return { kind: 'approved' };
  }
}
