import type { Failure } from '../../core/failure.ts';
import { hex } from '../../core/ids.ts';
import { err, type Result } from '../../core/result.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import type { Folio } from '../../money/guest/folio.ts';
import type { GuestPaymentCommand } from '../../money/guest/pay.ts';
import { guestCards } from '../../money/guest/rules.ts';
import { paymentCommand } from '../../money/payments/charge.ts';
import type { TransactionAnswer } from '../../money/payments/views.ts';
import { aboutBooking, logError } from '../../platform/log.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { Form } from '../web/forms.tsx';
import { setRetryAfter } from '../web/page.tsx';
import { agreedToPay } from './agreement.ts';
import { enterPayingCard } from './cardPages.tsx';
import { folioPage, reload } from './guestContext.tsx';
import { readerOfGuest } from './language.ts';
import { PriceBox, ReviewPage, UnsurePage } from './pages/price.tsx';
import { NEW_CARD, type PayForm, type PayIssues, readPayForm } from './payForm.ts';
import { isAgreed, issueOf, type Quote, quoteOf } from './quote.ts';
import { receiptsOf } from './receiptPages.tsx';
import { callAsGuest, type GuestContext } from './session.ts';
import { failurePage, frameOf, guestPage, readForm } from './site.tsx';

/** The price of what is chosen at the moment, or why it has none, as a part of the booking's page; charges nothing. */
export function price(guest: GuestContext): Promise<Response> {
  const { c, folio } = guest;
  const form = readPayForm(c.req.query());
  const card = cardOf(folio, form.card);
  const quote =
    card === null && form.card !== NEW_CARD
      ? err(readerOfGuest(c).words.payIssues.chooseCard)
      : quoteOf(c, folio, form, card);
  const box = quote.ok ? { quote: quote.value } : { quote: null, issue: quote.error };
  // The page asks while an amount is being typed: that it is not a whole one yet is no failure.
  return guestPage(c, 200, <PriceBox {...box} />, { guest });
}

/** Shows the total price of the chosen amount and card; charges nothing. A payment that was made has its receipt. */
export async function review(guest: GuestContext): Promise<Response> {
  const { c, folio } = guest;
  const form = readPayForm(c.req.query());
  const { changed, chooseCard } = readerOfGuest(c).words.payIssues;
  if (form.attempt === null) return folioPage(guest, changed, { status: 422 });
  const earlier = paymentOf(folio, await referenceOf(guest, form.attempt));
  if (earlier) return c.redirect(`${receiptsOf(guest)}/${earlier.id}`, 303);
  const card = cardOf(folio, form.card);
  if (card === null) return sentAgain(guest, form, { card: chooseCard });
  const quote = quoteOf(c, folio, form, card);
  if (!quote.ok) return sentAgain(guest, form, { amount: quote.error });
  return guestPage(
    c,
    200,
    <ReviewPage
      attempt={form.attempt}
      card={card}
      quote={quote.value}
      isChanged={form.reviewed !== null}
    />,
    frameOf(guest),
  );
}

function sentAgain(guest: GuestContext, sent: PayForm, issues: PayIssues): Promise<Response> {
  return folioPage(guest, { kind: 'none' }, { status: 422, sent, issues });
}

/** The guest's own card with a token; null if there is none. */
function cardOf({ state }: Folio, token: string | null): CardRow | null {
  const cards = guestCards(state, propertyNow(state.property));
  return cards.find((card) => card.token === token) ?? null;
}

/**
 * A payment's reference follows from its form's id, so that a guest who comes back to the form finds the payment, and
 * from its booking, so that no form can name another's payment.
 */
async function referenceOf({ claims }: GuestContext, attempt: string): Promise<string> {
  const { propertyId, reference } = claims;
  const text = JSON.stringify([propertyId, reference, attempt.toLowerCase()]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hex(new Uint8Array(digest).subarray(0, 16));
}

function paymentOf({ transactions }: Folio, reference: string): TransactionRow | undefined {
  return transactions.find((row) => row.reference === reference);
}

/**
 * Pays on one page. What the page showed is charged at once: a saved card, or a new one, which is saved first. Where
 * the page could not show the price, or it has changed since, the next page shows it.
 */
export async function pay(guest: GuestContext): Promise<Response> {
  const { c } = guest;
  const fields = await readForm(c);
  if (fields instanceof Response) return fields;
  const form = readPayForm(fields);
  const { payIssues } = readerOfGuest(c).words;
  const { attempt } = form;
  if (attempt === null) return folioPage(guest, payIssues.changed, { status: 422 });
  const paymentReference = await referenceOf(guest, attempt);
  const earlier = paymentOf(guest.folio, paymentReference);
  if (earlier) return c.redirect(`${receiptsOf(guest)}/${earlier.id}`, 303);
  // The amount is checked before a card goes to the vault.
  const checked = quoteOf(c, guest.folio, form, cardOf(guest.folio, form.card));
  const entered = form.card === NEW_CARD ? await enterPayingCard(guest, fields, checked.ok) : null;
  if (entered?.kind === 'answer') return entered.response;
  const issues: PayIssues = {
    ...(checked.ok ? {} : { amount: checked.error }),
    ...(entered?.kind === 'invalid' ? entered.issues : {}),
    ...(form.card === null ? { card: payIssues.chooseCard } : {}),
  };
  if (!checked.ok || Object.keys(issues).length > 0) return sentAgain(guest, form, issues);
  const card = entered?.kind === 'saved' ? entered.card : cardOf(guest.folio, form.card);
  const cardToken = card?.token ?? form.card ?? '';
  if (card && !isAgreedFor(c, guest.folio, form, card)) {
    return c.redirect(reviewOf(guest, form, cardToken), 303);
  }
  return submit(guest, { form, fields, cardToken, quote: checked.value, paymentReference });
}

/** Whether the page showed this price of this card. */
function isAgreedFor(c: AppContext, folio: Folio, form: PayForm, card: CardRow): boolean {
  const quote = quoteOf(c, folio, form, card);
  return quote.ok && isAgreed(quote.value, form);
}

/** The path of the page that shows the price of a payment. */
function reviewOf({ home }: GuestContext, form: PayForm, cardToken: string): string {
  const { amount, attempt, choice, reviewed } = form;
  const query = new URLSearchParams({ attempt: attempt ?? '', choice, amount, card: cardToken });
  if (reviewed !== null) query.set('reviewed', '1');
  return `${home}/review?${query.toString()}`;
}

interface Agreed {
  readonly form: PayForm;
  readonly fields: Form;
  readonly cardToken: string;
  readonly quote: Quote;
  readonly paymentReference: string;
}

async function submit(
  guest: GuestContext,
  { form, fields, cardToken, quote, paymentReference }: Agreed,
): Promise<Response> {
  const { c } = guest;
  const { agreedMinor, replaces } = form;
  const { asked, purpose, requestedMinor } = quote;
  const lowers = quote.instead.lowered?.to ?? null;
  const agreed = {
    requestedMinor,
    purpose,
    agreedMinor: agreedMinor ?? 0,
    asked,
    replaces: replaces ?? [],
    lowers,
  };
  const { currency } = guest.folio.state.booking;
  const body = {
    amount: requestedMinor,
    transactionType: purpose,
    token: cardToken,
    initiator: 'guest',
  } as const;
  const caller = {
    operation: 'create',
    key: `guest-${paymentReference}`,
    request: { cardToken, ...agreed },
  } as const;
  const payment = paymentCommand(body, 'charge', null, currency, caller);
  const card = cardOf(guest.folio, cardToken);
  const command = {
    ...payment,
    ...agreed,
    agreed: agreedToPay(c, quote, currency, card),
    cardToken,
    caller,
    returnBase: `${publicBaseUrl(c)}${receiptsOf(guest)}`,
    transactionReference: paymentReference,
  };
  const answer = await submitPayment(guest, command);
  if (answer === null) {
    const own = Object.entries(fields).filter(([name]) => !OF_A_CARD.has(name));
    return unsure(guest, paymentReference, { ...Object.fromEntries(own), card: cardToken });
  }
  return answer.ok
    ? c.redirect(`${receiptsOf(guest)}/${answer.value.transaction.id}`, 303)
    : unpaid(guest, form, answer.error);
}

/** The fields of a form that are a card's, which no page repeats. */
const OF_A_CARD = new Set([
  'cardNumber',
  'cardExpiry',
  'cvv',
  'cardHolderName',
  'confirmationToken',
]);

/** Asks the booking's object to charge; null if it is unknown whether the payment was recorded. */
async function submitPayment(
  guest: GuestContext,
  command: GuestPaymentCommand,
): Promise<Result<TransactionAnswer> | null> {
  const { c, claims, folio } = guest;
  try {
    const answer = await callAsGuest(c, claims, folio.state.property, 'payAsGuest', command);
    const unknown = !answer.ok && answer.error.code === 'outcome_unknown';
    return unknown && transactionOf(answer.error) === null ? null : answer;
  } catch (error) {
    const about = aboutBooking({ ...claims, requestId: c.get('requestId') });
    logError('guest_payment_unknown', error, about);
    return null;
  }
}

/** Looks for the payment in D1. If it is not there, the guest can only send the same payment again. */
async function unsure(
  guest: GuestContext,
  paymentReference: string,
  form: Form,
): Promise<Response> {
  const { c } = guest;
  const after = await reload(guest);
  const row = paymentOf(after.folio, paymentReference);
  if (row) return c.redirect(`${receiptsOf(guest)}/${row.id}`, 303);
  return guestPage(c, 504, <UnsurePage form={form} />, frameOf(after));
}

/** Answers a payment that failed or whose outcome is unknown. */
async function unpaid(guest: GuestContext, form: PayForm, failure: Failure): Promise<Response> {
  const { c } = guest;
  const transaction = transactionOf(failure);
  if (transaction && failure.code === 'card_declined') {
    return c.redirect(`${guest.home}?declined=${transaction.id}`, 303);
  }
  if (transaction && failure.code === 'outcome_unknown') {
    return c.redirect(`${receiptsOf(guest)}/${transaction.id}`, 303);
  }
  const after = await reload(guest);
  const text = issueOf(failure.code, after.folio, readerOfGuest(c));
  if (text === undefined) return failurePage(c, failure);
  setRetryAfter(c, failure.retryAfterSeconds);
  const sent = form.card === NEW_CARD ? null : form;
  return folioPage(after, text, { status: statusOf(failure.code), sent });
}

function transactionOf({ members }: Failure): { readonly id: number } | null {
  const { transaction } = (members ?? {}) as { transaction?: { readonly id: number } };
  return transaction ?? null;
}
