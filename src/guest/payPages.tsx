import { z } from 'zod';
import { callBooking } from '../bookings/stub.ts';
import type { Failure } from '../core/failure.ts';
import { exponentOf, toMinor } from '../core/money.ts';
import type { Result } from '../core/result.ts';
import type { AppContext } from '../http/context.ts';
import { statusOf } from '../http/problem.ts';
import { aboutBooking, logError } from '../io/log.ts';
import { plainMoney } from '../pages/format.ts';
import { page, tellRetryAfter } from '../pages/page.ts';
import { paymentCommand } from '../payments/commands.ts';
import type { GuestPaymentCommand } from '../payments/guestPayment.ts';
import { guestCards, guestPrice } from '../payments/guestRules.ts';
import type { TransactionAnswer } from '../payments/views.ts';
import type { Account } from './account.ts';
import { again, type Here, refused } from './here.tsx';
import { ReceiptPage } from './pages/receipt.tsx';
import { ReviewPage } from './pages/review.tsx';
import { UnsurePage } from './pages/unsure.tsx';
import { failurePage, readForm } from './site.tsx';
import { guestAddress } from './visit.ts';

const CHANGED = 'Something has changed since the price was shown. Please look at it again.';

/** What a guest is told when a payment cannot be made, by the failure's code. */
const refusals: Readonly<Partial<Record<Failure['code'], string>>> = {
  amount_out_of_range: 'That is more than is due. Part of it may have been paid meanwhile.',
  token_not_found: 'That card is not on file any more. Please choose another one.',
  card_expired: 'That card has expired. Please add another one.',
  invalid_state: CHANGED,
  idempotency_key_reused: CHANGED,
  rate_limited: 'Too many cards were declined. Please wait ten minutes, or ask the property.',
  gateway_error: 'The payment company did not take the payment. Nothing was charged.',
  busy: 'There is much to do right now. Nothing was charged: please try again.',
};

const attemptShape = z.uuid();

/** The price of what the guest chose; nothing is done yet. */
export function review(c: AppContext, here: Here): Promise<Response> {
  const { account, home } = here;
  const { booking } = account.state;
  const attempt = attemptShape.safeParse(c.req.query('attempt'));
  const typed = (c.req.query('amount') ?? '').replaceAll(/[\s\u00a0]/g, '');
  const minor = /^\d{1,12}(?:\.\d{1,6})?$/.test(typed)
    ? toMinor(typed, exponentOf(booking.currency) ?? 2, 1)
    : null;
  const requestedMinor = minor?.ok ? minor.value : null;
  const words = refuseAmount(account, requestedMinor);
  if (words !== null || requestedMinor === null) return refused(c, here, words ?? CHANGED, 422);
  const chosen = c.req.query('card');
  const card = guestCards(account.state, Date.now()).find(({ token }) => token === chosen);
  if (!card) return refused(c, here, 'Please choose a card.', 422);
  if (!attempt.success) return refused(c, here, CHANGED, 422);
  const priced = guestPrice(account.state, card, requestedMinor);
  return page(
    c,
    200,
    <ReviewPage account={account} home={home} attempt={attempt.data} card={card} priced={priced} />,
  );
}

/** What is wrong with an amount; null when nothing is. `requestedMinor` is null for what is no amount. */
function refuseAmount({ balance, state }: Account, requestedMinor: number | null): string | null {
  if (state.booking.status === 'cancelled') return 'Your booking is cancelled.';
  if (requestedMinor === null) {
    const example = plainMoney(balance.payableMinor, state.booking.currency);
    return `Please write the amount in figures, such as ${example}, without a comma.`;
  }
  return requestedMinor > balance.payableMinor ? (refusals.amount_out_of_range ?? null) : null;
}

const minorText = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)
  .pipe(z.int().positive());

const paymentForm = z.object({
  attempt: attemptShape,
  card: z.string().regex(/^[0-9a-f]{32}$/),
  requestedMinor: minorText,
  agreedMinor: minorText,
});

/** Charges what the page before has shown. */
export async function pay(c: AppContext, here: Here): Promise<Response> {
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const wanted = paymentForm.safeParse(form);
  if (!wanted.success) return refused(c, here, CHANGED, 422);
  const { attempt, card: cardToken, requestedMinor, agreedMinor } = wanted.data;
  const { currency } = here.account.state.booking;
  const body = { amount: requestedMinor, transactionType: 'Balance', token: cardToken } as const;
  const caller = {
    operation: 'create',
    key: `guest-${attempt}`,
    request: { cardToken, requestedMinor, agreedMinor },
  } as const;
  const payment = paymentCommand(body, 'charge', null, currency, caller);
  const command = { ...payment, cardToken, agreedMinor, caller };
  const answer = await askFor(c, here, command);
  if (answer === null) return unsure(c, here, command.transactionReference, form);
  return answer.ok
    ? c.redirect(`${here.home}/receipt/${answer.value.transaction.id}`, 303)
    : unpaid(c, here, answer.error);
}

/** Has the booking's object charge; null when nobody knows whether anything was recorded. */
async function askFor(
  c: AppContext,
  here: Here,
  command: GuestPaymentCommand,
): Promise<Result<TransactionAnswer, Failure> | null> {
  const address = guestAddress(c, here.ticket);
  try {
    const { answer } = await callBooking(c.env, c.get('crossings'), address, (it) =>
      it.payAsGuest(address, command),
    );
    const unknown = !answer.ok && answer.error.code === 'outcome_unknown';
    return unknown && transactionOf(answer.error) === null ? null : answer;
  } catch (error) {
    logError('guest_payment_unknown', error, aboutBooking(address));
    return null;
  }
}

/** Looks at what D1 has; where that does not tell either, the very same payment can be asked for again, and no other. */
async function unsure(
  c: AppContext,
  here: Here,
  transactionReference: string,
  form: Readonly<Record<string, string>>,
): Promise<Response> {
  const { account, home } = await again(c, here);
  const row = account.transactions.find(({ reference }) => reference === transactionReference);
  if (row) return c.redirect(`${home}/receipt/${row.id}`, 303);
  const { name } = account.state.property;
  return page(c, 504, <UnsurePage propertyName={name} action={`${home}/pay`} form={form} />);
}

/** A payment that was not made, or of which nobody knows yet. */
async function unpaid(c: AppContext, here: Here, failure: Failure): Promise<Response> {
  const transaction = transactionOf(failure);
  if (transaction && failure.code === 'card_declined') {
    return c.redirect(`${here.home}?declined=${transaction.id}`, 303);
  }
  if (transaction && failure.code === 'outcome_unknown') {
    return c.redirect(`${here.home}/receipt/${transaction.id}`, 303);
  }
  const words = refusals[failure.code];
  if (words === undefined) return failurePage(c, failure);
  tellRetryAfter(c, failure.retryAfterSeconds);
  return refused(c, await again(c, here), words, statusOf(failure.code));
}

/** The transaction that a failure tells of. */
function transactionOf({ members }: Failure): { readonly id: number } | null {
  const { transaction } = (members ?? {}) as { transaction?: { readonly id: number } };
  return transaction ?? null;
}

/** What a payment came to. */
export function receipt(c: AppContext, { account, home }: Here): Response | Promise<Response> {
  const id = Number(c.req.param('chargeId'));
  const row = account.transactions.find((one) => one.id === id);
  switch (row?.status) {
    case 'Accepted':
    case 'Processing':
      return page(c, 200, <ReceiptPage account={account} home={home} row={row} />);
    case 'Declined':
      return c.redirect(`${home}?declined=${id}`, 303);
    case 'Failed':
      return c.redirect(`${home}?failed`, 303);
    default:
      return c.redirect(home, 303);
  }
}
