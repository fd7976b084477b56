import type { Failure } from '../../core/failure.ts';
import { typedMoney } from '../../core/format.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Reader } from '../../core/words/reader.ts';
import type { CardElement } from '../../gateways/cardElement.ts';
import { selectCardElement, selectGateway } from '../../gateways/select.ts';
import type { AppContext } from '../../http/context.ts';
import type { Folio } from '../../money/guest/folio.ts';
import { priceOfNewCard, priceOnCard } from '../../money/guest/rules/price.ts';
import {
  type AmountToPay,
  type GuestPurpose,
  guestCards,
  isAsShown,
  isRefused,
  type PaidInstead,
  type PaymentChoice,
  paidInstead,
  paymentChoices,
  wasRefused,
} from '../../money/guest/rules.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { Priced } from '../../records/properties/rules/takenPrice.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { readerOfGuest } from './language.ts';
import { NEW_CARD, type PayForm, requestedMinor } from './payForm.ts';

/** What the booking's page offers to pay, and with what. */
export interface Offer {
  readonly choices: readonly PaymentChoice[];
  /** The guest's own cards that can be charged. */
  readonly cards: readonly CardRow[];
  /** The acquirer's own form for new cards; null where it is ours. */
  readonly element: CardElement | null;
  /** What is selected when the page opens. */
  readonly selected: Selected;
  /** Whether the guest has to type a new card again that they have sent. */
  readonly isTypedAgain: boolean;
  /** The price of what is selected; null where that is not known. */
  readonly quote: Quote | null;
}

export type Selected = Pick<
  PayForm,
  'amount' | 'card' | 'cardExpiry' | 'cardHolderName' | 'choice'
>;

/**
 * What is selected after a payment that was not made: the same amount, and a new card where the bank refused the one that
 * the guest chose.
 */
export function selectedAgain(
  { asked, balance, state }: Folio,
  row: TransactionRow,
  { words }: Reader,
): Selected {
  const { currency, firstNightCostMinor } = state.booking;
  const { requestedMinor: minor, purpose } = row;
  const same = paymentChoices(balance, firstNightCostMinor, asked).find(
    ({ amountMinor, name }) =>
      amountMinor === minor && (name === 'deposit') === (purpose === 'Deposit'),
  );
  return {
    choice: same?.name ?? 'other',
    amount: same ? '' : typedMoney(minor, currency, words.locale),
    card: isRefused(row) ? NEW_CARD : row.cardToken,
    cardExpiry: '',
    cardHolderName: '',
  };
}

/** Makes the offer of a booking's page; `sent` is what a guest who sees it again has sent. */
export function offerOf(c: AppContext, folio: Folio, sent: Selected | null): Offer {
  const { asked, balance, state } = folio;
  const choices = paymentChoices(balance, state.booking.firstNightCostMinor, asked);
  const cards = guestCards(state, propertyNow(state.property));
  const wanted = sent?.card ?? null;
  const isOffered = wanted === NEW_CARD || cards.some(({ token }) => token === wanted);
  const proposed = cards.find((one) => !wasRefused(folio.transactions, one));
  const selected = {
    choice: sent?.choice ?? choices[0]?.name ?? 'other',
    amount: sent?.amount ?? '',
    card: isOffered ? wanted : (proposed?.token ?? NEW_CARD),
    cardExpiry: sent?.cardExpiry ?? '',
    cardHolderName: sent?.cardHolderName ?? '',
  };
  const card = cards.find(({ token }) => token === selected.card) ?? null;
  const quote = quoteOf(c, folio, { ...selected, brand: null }, card);
  const element = selectCardElement(c.get('config'));
  const isTypedAgain = sent !== null && sent.cardExpiry !== '' && selected.card === NEW_CARD;
  return { choices, cards, element, selected, isTypedAgain, quote: quote.ok ? quote.value : null };
}

/** What a guest would pay now. */
export interface Quote extends AmountToPay {
  readonly purpose: GuestPurpose;
  readonly choice: PayForm['choice'];
  /** Null where the fee depends on a card that is not there yet. */
  readonly priced: Priced | null;
  /** The schedules that this payment is instead of. */
  readonly instead: PaidInstead;
}

/** The price of what a guest chose on a card, or why the amount cannot be paid. `card` is null for a new one. */
export function quoteOf(
  c: AppContext,
  folio: Folio,
  { choice, ...form }: Pick<PayForm, 'amount' | 'choice' | 'brand'>,
  card: CardRow | null,
): Result<Quote, string> {
  const reader = readerOfGuest(c);
  const requested = requestedMinor({ choice, ...form }, folio, reader);
  if (!requested.ok) return requested;
  const payment = {
    requestedMinor: requested.value,
    purpose: choice === 'deposit' ? 'Deposit' : 'Balance',
    asked: choice === 'asked' ? folio.asked.schedules : [],
  } as const;
  const { balance, state } = folio;
  const stepMinor = selectGateway(c.get('config'), c.env).amountStepMinor(state.booking.currency);
  const facts = { state, totals: balance, nowMs: propertyNow(state.property), stepMinor };
  const priced =
    card === null ? priceOfNewCard(payment, facts, form.brand) : priceOnCard(payment, facts, card);
  if (!priced.ok) {
    return err(issueOf(priced.error.code, folio, reader) ?? reader.words.payIssues.changed);
  }
  const instead = paidInstead(folio.transactions, balance, payment, stepMinor);
  return ok({ ...payment, choice, priced: priced.value, instead });
}

/** Whether this is the price, and these are the schedules, that the page showed to the guest. */
export function isAgreed({ priced, instead }: Quote, form: PayForm): boolean {
  const { agreedMinor, lowers, replaces } = form;
  const isPrice = priced !== null && agreedMinor === priced.amountMinor;
  return isPrice && isAsShown(instead, { replaces: replaces ?? [], lowers });
}

/** Why a payment is not possible; undefined for what no guest can mend. */
export function issueOf(
  code: Failure['code'],
  { balance, state }: Folio,
  { money, words }: Reader,
): string | undefined {
  const { payIssues } = words;
  switch (code) {
    case 'amount_precision':
      return payIssues.amountPrecision;
    case 'amount_out_of_range':
    case 'amount_exceeds_due':
      return payIssues.amountTooMuch({
        amount: money(balance.payableMinor, state.booking.currency),
      });
    case 'token_not_found':
      return payIssues.cardGone;
    case 'card_expired':
      return payIssues.cardExpired;
    case 'invalid_state':
    case 'idempotency_key_reused':
      return payIssues.changed;
    case 'rate_limited':
      return payIssues.tooManyDeclines;
    case 'gateway_error':
      return payIssues.gateway;
    case 'busy':
      return payIssues.busy;
    default:
      return undefined;
  }
}
