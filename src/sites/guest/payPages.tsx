import { z } from 'zod';
import { callBooking } from '../../booking/stub.ts';
import type { Failure } from '../../core/failure.ts';
import { plainMoney } from '../../core/format.ts';
import { exponentOf, toMinor } from '../../core/money.ts';
import type { Result } from '../../core/result.ts';
import { selectGateway } from '../../gateways/select.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext } from '../../http/context.ts';
import { statusOf } from '../../http/problem.ts';
import { schedulesToReplace } from '../../money/balance/balance.ts';
import type { GuestPaymentCommand } from '../../money/guest/pay.ts';
import { GUEST_PURPOSE, guestCards, guestPrice } from '../../money/guest/rules.ts';
import { paymentCommand } from '../../money/payments/paymentCommand.ts';
import type { TransactionAnswer } from '../../money/payments/views.ts';
import { aboutBooking, logError } from '../../platform/log.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { Reader } from '../../platform/words/reader.ts';
import { setRetryAfter } from '../web/page.ts';
import { folioPageWithError, type GuestContext, reload } from './guestContext.tsx';
import { readerOfGuest } from './language.ts';
import { ReviewPage } from './pages/review.tsx';
import { UnsurePage } from './pages/unsure.tsx';
import type { Folio } from './readFolio.ts';
import { receiptsOf } from './receiptPages.tsx';
import { guestCallContext } from './session.ts';
import { failurePage, guestPage, readForm } from './site.tsx';

/** Why a payment is not possible; undefined for what no guest can mend. */
function issueOf(code: Failure['code'], folio: Folio, reader: Reader): string | undefined {
  const { payIssues } = reader.words;
  switch (code) {
    case 'amount_precision':
      return payIssues.amountPrecision;
    case 'amount_out_of_range':
    case 'amount_exceeds_due':
      return tooMuch(folio, reader);
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

function tooMuch({ balance, state }: Folio, { money, words }: Reader): string {
  return words.payIssues.amountTooMuch(money(balance.payableMinor, state.booking.currency));
}

const attemptShape = z.uuid();

/** Shows the total price of the chosen amount and card; charges nothing. */
export function review(c: AppContext, guest: GuestContext): Promise<Response> {
  const { folio, home } = guest;
  const { booking } = folio.state;
  const reader = readerOfGuest(c);
  const { changed, chooseCard } = reader.words.payIssues;
  const attempt = attemptShape.safeParse(c.req.query('attempt'));
  const typed = (c.req.query('amount') ?? '').replaceAll(/[\s\u00a0]/g, '');
  const minor = /^\d{1,12}(?:\.\d{1,6})?$/.test(typed)
    ? toMinor(typed, exponentOf(booking.currency) ?? 2, 1)
    : null;
  const requestedMinor = minor?.ok ? minor.value : null;
  const issue = amountIssue(folio, requestedMinor, reader);
  if (issue !== null || requestedMinor === null) {
    return folioPageWithError(c, guest, issue ?? changed, 422);
  }
  const chosen = c.req.query('card');
  const atMs = propertyNow(folio.state.property);
  const card = guestCards(folio.state, atMs).find(({ token }) => token === chosen);
  if (!card) return folioPageWithError(c, guest, chooseCard, 422);
  if (!attempt.success) return folioPageWithError(c, guest, changed, 422);
  const stepMinor = selectGateway(c.get('config'), c.env).amountStepMinor(booking.currency);
  const priced = guestPrice(folio.state, card, requestedMinor, { atMs, stepMinor });
  if (!priced.ok) {
    const why = issueOf(priced.error.code, folio, reader) ?? changed;
    return folioPageWithError(c, guest, why, 422);
  }
  const { data: sent } = attempt;
  return guestPage(
    c,
    200,
    <ReviewPage
      folio={folio}
      home={home}
      attempt={sent}
      card={card}
      priced={priced.value}
      replaced={schedulesToReplace(folio.transactions, folio.balance, requestedMinor)}
    />,
  );
}

/** Why the amount cannot be paid; null if it can. `requestedMinor` is null if the guest typed no valid amount. */
function amountIssue(folio: Folio, requestedMinor: number | null, reader: Reader): string | null {
  const { balance, state } = folio;
  const { payIssues } = reader.words;
  if (state.booking.status === 'cancelled') return payIssues.cancelled;
  if (requestedMinor === null) {
    return payIssues.amountFormat(plainMoney(balance.payableMinor, state.booking.currency));
  }
  return requestedMinor > balance.payableMinor ? tooMuch(folio, reader) : null;
}

const minorText = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)
  .pipe(z.int().positive());

/** The ids of the schedules that the guest pays early. */
const idsText = z
  .string()
  .regex(/^(\d{1,16}(,\d{1,16})*)?$/)
  .default('')
  .transform((text) => (text === '' ? [] : text.split(',').map(Number)));

const paymentForm = z.object({
  replaces: idsText,
  attempt: attemptShape,
  card: z.string().regex(/^[0-9a-f]{32}$/),
  requestedMinor: minorText,
  agreedMinor: minorText,
});

/** Charges the price that the review page showed. */
export async function pay(c: AppContext, guest: GuestContext): Promise<Response> {
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const wanted = paymentForm.safeParse(form);
  if (!wanted.success) {
    return folioPageWithError(c, guest, readerOfGuest(c).words.payIssues.changed, 422);
  }
  const { attempt, card: cardToken, requestedMinor, agreedMinor, replaces } = wanted.data;
  const { currency } = guest.folio.state.booking;
  const body = {
    amount: requestedMinor,
    transactionType: GUEST_PURPOSE,
    token: cardToken,
    initiator: 'guest',
  } as const;
  const caller = {
    operation: 'create',
    key: `guest-${attempt}`,
    request: { cardToken, requestedMinor, agreedMinor, replaces },
  } as const;
  const payment = paymentCommand(body, 'charge', null, currency, caller);
  const returnBase = `${publicBaseUrl(c)}${receiptsOf(guest)}`;
  const command = { ...payment, cardToken, agreedMinor, replaces, returnBase, caller };
  const answer = await submitPayment(c, guest, command);
  if (answer === null) return unsure(c, guest, command.transactionReference, form);
  return answer.ok
    ? c.redirect(`${receiptsOf(guest)}/${answer.value.transaction.id}`, 303)
    : unpaid(c, guest, answer.error);
}

/** Asks the booking's object to charge; null if it is unknown whether the payment was recorded. */
async function submitPayment(
  c: AppContext,
  guest: GuestContext,
  command: GuestPaymentCommand,
): Promise<Result<TransactionAnswer, Failure> | null> {
  const context = guestCallContext(c, guest.claims, guest.folio.state.property);
  try {
    const { answer } = await callBooking(c.env, c.get('trace'), context, (it) =>
      it.payAsGuest(context, command),
    );
    const unknown = !answer.ok && answer.error.code === 'outcome_unknown';
    return unknown && transactionOf(answer.error) === null ? null : answer;
  } catch (error) {
    logError('guest_payment_unknown', error, aboutBooking(context));
    return null;
  }
}

/** Looks for the payment in D1. If it is not there, the guest can only send the same payment again. */
async function unsure(
  c: AppContext,
  guest: GuestContext,
  transactionReference: string,
  form: Readonly<Record<string, string>>,
): Promise<Response> {
  const { folio, home } = await reload(c, guest);
  const row = folio.transactions.find(({ reference }) => reference === transactionReference);
  if (row) return c.redirect(`${receiptsOf(guest)}/${row.id}`, 303);
  const { property } = folio.state;
  return guestPage(c, 504, <UnsurePage property={property} action={`${home}/pay`} form={form} />);
}

/** Answers a payment that failed or whose outcome is unknown. */
async function unpaid(c: AppContext, guest: GuestContext, failure: Failure): Promise<Response> {
  const transaction = transactionOf(failure);
  if (transaction && failure.code === 'card_declined') {
    return c.redirect(`${guest.home}?declined=${transaction.id}`, 303);
  }
  if (transaction && failure.code === 'outcome_unknown') {
    return c.redirect(`${receiptsOf(guest)}/${transaction.id}`, 303);
  }
  const after = await reload(c, guest);
  const text = issueOf(failure.code, after.folio, readerOfGuest(c));
  if (text === undefined) return failurePage(c, failure);
  setRetryAfter(c, failure.retryAfterSeconds);
  return folioPageWithError(c, after, text, statusOf(failure.code));
}

/** The transaction that a failure names. */
function transactionOf({ members }: Failure): { readonly id: number } | null {
  const { transaction } = (members ?? {}) as { transaction?: { readonly id: number } };
  return transaction ?? null;
}
