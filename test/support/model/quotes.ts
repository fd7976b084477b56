import { balanceOf } from './balance.ts';
import { judgeNew } from './guard.ts';
import type { Operation } from './operation.ts';
import { price, termsNow } from './price.ts';
import {
  type Answer,
  type BookingModel,
  type CardState,
  cardInUse,
  isFormer,
  type Quote,
  refusal,
} from './state.ts';

type Of<Do extends Operation['do']> = Extract<Operation, { do: Do }>;

const QUOTE_LIFE = 15 * 60_000;

/** Says what a charge or hold would come to (interface: Quotes): it writes nothing. */
export function quote(model: BookingModel, operation: Of<'quote'>): Answer {
  const { kind, name, purpose, requestedMinor, token, virtual } = operation;
  const card =
    token === null ? cardInUse(model) : (model.cards.find((it) => it.token === token) ?? null);
  if (token !== null && !card) return refusal('token_not_found');
  const { paidMinor, uncertainMinor } = balanceOf(model);
  const terms = termsNow(model, card ?? { brand: 'unknown' }, virtual);
  const { amountMinor } = price(requestedMinor, terms);
  const asked = { kind, purpose, requestedMinor, virtual };
  model.quotes[name] = {
    ...asked,
    named: token,
    card: card?.token ?? null,
    amountMinor,
    version: model.version,
    paidMinor,
    uncertainMinor,
    untilMs: model.nowMs + QUOTE_LIFE,
  };
  return { code: 'ok', replayed: false, quote: quoted(model, operation, card, amountMinor) };
}

function quoted(
  model: BookingModel,
  { kind, purpose, requestedMinor }: Of<'quote'>,
  card: CardState | null,
  amountMinor: number,
) {
  const { dueMinor } = balanceOf(model);
  const judged = judgeNew(model, { kind, purpose, requestedMinor, limitToDue: false });
  const brings = kind === 'charge' && purpose !== 'Bond';
  const refusals = refusalsOf(model, kind, card, judged === null);
  return {
    amountMinor,
    dueBeforeMinor: dueMinor,
    dueAfterMinor: Math.max(0, dueMinor - (brings ? requestedMinor : 0)),
    refusals,
    warnings: refusals.length === 0 ? (judged?.warnings ?? []) : [],
  };
}

function refusalsOf(
  model: BookingModel,
  kind: Of<'quote'>['kind'],
  card: CardState | null,
  exceeds: boolean,
): string[] {
  if (kind !== 'charge' && model.status === 'cancelled') return ['invalid_state'];
  if (!card) return ['no_card'];
  if (isFormer(model, card)) return ['card_of_former_account'];
  if (model.nowMs >= card.expiresAtMs) return ['card_expired'];
  return exceeds ? ['amount_exceeds_due'] : [];
}

/** Why a payment cannot be made by its quote; null if it can (interface: Quotes). */
export function checkQuote(
  model: BookingModel,
  operation: Of<'pay'>,
  card: CardState | null,
): Answer | null {
  const quote = quoteOf(model, operation);
  const isOfThis =
    quote.kind === operation.kind &&
    quote.purpose === operation.purpose &&
    quote.requestedMinor === operation.requestedMinor &&
    quote.virtual === operation.virtual &&
    ((quote.named === null && operation.token === null) ||
      (quote.card !== null && quote.card === card?.token));
  if (!isOfThis) return refusal('quote_invalid');
  const { paidMinor, uncertainMinor } = balanceOf(model);
  const holds =
    model.nowMs < quote.untilMs &&
    quote.card !== null &&
    quote.card === card?.token &&
    quote.version === model.version &&
    quote.paidMinor === paidMinor &&
    quote.uncertainMinor === uncertainMinor &&
    !model.quotesUsed.includes(operation.quote ?? '');
  return holds ? null : refusal('quote_stale');
}

function quoteOf({ quotes }: BookingModel, { quote: name }: Of<'pay'>): Quote {
  const quote = quotes[name ?? ''];
  if (!quote) throw new Error('the model has no such quote');
  return quote;
}

/** Whether what is charged costs what was quoted. */
export function isQuotedPrice(model: BookingModel, operation: Of<'pay'>, card: CardState): boolean {
  const terms = termsNow(model, card, operation.virtual);
  return (
    price(operation.requestedMinor, terms).amountMinor === quoteOf(model, operation).amountMinor
  );
}
