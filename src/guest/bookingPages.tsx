import { z } from 'zod';
import type { Address } from '../bookings/reply.ts';
import { callBooking } from '../bookings/stub.ts';
import type { Failure } from '../core/failure.ts';
import { exponentOf, toMinor } from '../core/money.ts';
import type { TransactionRow } from '../db/schema.ts';
import type { AppContext } from '../http/context.ts';
import type { Api } from '../http/operation.ts';
import { paymentCommand } from '../payments/commands.ts';
import { guestCards, guestPrice } from '../payments/guestRules.ts';
import { type Account, readAccount } from './account.ts';
import { enterCard, refusalWords } from './enterCard.tsx';
import { AccountPage, type Happened } from './pages/account.tsx';
import { CardPage } from './pages/card.tsx';
import { ReceiptPage } from './pages/receipt.tsx';
import { ReviewPage } from './pages/review.tsx';
import { expiredLink, failurePage, page, readForm, unknownLink, visitOver } from './site.tsx';
import { type BookingTicket, openBookingTicket } from './tickets.ts';
import { keepVisit, readVisit } from './visit.ts';

const HOME = '/guest/v1/payments';

/** What a guest is told when a payment cannot be made, by the failure's code. */
const refusals: Readonly<Partial<Record<Failure['code'], string>>> = {
  amount_out_of_range: 'That is more than is due. Part of it may have been paid meanwhile.',
  token_not_found: 'That card is not on file any more. Please choose another one.',
  card_expired: 'That card has expired. Please add another one.',
  invalid_state: 'Something has changed since the price was shown. Please look at it again.',
  rate_limited: 'Too many cards were declined. Please wait ten minutes, or ask the property.',
  gateway_error: 'The payment company did not take the payment. Nothing was charged.',
  busy: 'There is much to do right now. Nothing was charged: please try again.',
};

const ticketShape = z.object({
  propertyId: z.string(),
  reference: z.string(),
  linkVersion: z.int(),
  expiresAtMs: z.int(),
  linkId: z.string(),
}) satisfies z.ZodType<BookingTicket>;

/** The guest's payment page (decisions: section 7). */
export function registerBookingPages(api: Api): void {
  api.get(HOME, (c) => open(c));
  api.get(`${HOME}/:visit`, (c) => visit(c, (here) => showAccount(c, here)));
  api.get(`${HOME}/:visit/review`, (c) => visit(c, (here) => review(c, here)));
  api.post(`${HOME}/:visit/pay`, (c) => visit(c, (here) => pay(c, here)));
  api.get(`${HOME}/:visit/receipt/:chargeId`, (c) => visit(c, (here) => receipt(c, here)));
  api.get(`${HOME}/:visit/card`, (c) => visit(c, (here) => cardForm(c, here)));
  api.post(`${HOME}/:visit/card`, (c) => visit(c, (here) => addCard(c, here)));
}

/** A guest who has come by a link. */
interface Here {
  readonly ticket: BookingTicket;
  /** Where the pages of this visit are. */
  readonly home: string;
  readonly account: Account;
}

type Answer = Response | Promise<Response>;

/** Takes the link out of the address bar. Whoever only looks at a link, such as a mail scanner, uses nothing up. */
async function open(c: AppContext): Promise<Response> {
  const ticket = await openBookingTicket(c.get('config').keyring, sealedOf(c));
  if (ticket === null) return unknownLink(c);
  if (ticket.expiresAtMs <= Date.now()) return expiredLink(c);
  const home = `${HOME}/${ticket.linkId}`;
  await keepVisit(c, home, ticket);
  return c.redirect(home, 303);
}

/** The whole query is one sealed value. */
export function sealedOf(c: AppContext): string {
  return new URL(c.req.url).search.slice(1);
}

/** Shows a page to whoever has a visit whose link still stands. */
async function visit(c: AppContext, show: (here: Here) => Answer): Promise<Response> {
  const home = `${HOME}/${c.req.param('visit')}`;
  const ticket = await readVisit(c, home, ticketShape);
  if (ticket === null) return visitOver(c);
  const { propertyId, reference, linkVersion, expiresAtMs } = ticket;
  const account = await readAccount(c.get('database'), propertyId, reference);
  if (account === null) return unknownLink(c);
  if (expiresAtMs <= Date.now() || account.state.booking.linkVersion !== linkVersion) {
    return expiredLink(c);
  }
  await keepVisit(c, home, ticket);
  return show({ ticket, home, account });
}

function showAccount(c: AppContext, { account, home }: Here, status = 200): Answer {
  return accountPage(c, { account, home }, happenedOf(c, account), status);
}

function accountPage(
  c: AppContext,
  { account, home }: Pick<Here, 'account' | 'home'>,
  happened: Happened,
  status: number,
): Answer {
  const attempt = crypto.randomUUID();
  return page(
    c,
    status,
    <AccountPage
      account={account}
      home={home}
      attempt={attempt}
      happened={happened}
      nowMs={Date.now()}
    />,
  );
}

/** What the page before has done, as its redirect says. */
function happenedOf(c: AppContext, { transactions }: Account): Happened {
  if (c.req.query('added') !== undefined) return { kind: 'card-added' };
  const declined = Number(c.req.query('declined'));
  const row = transactions.find(({ id, status }) => id === declined && status === 'Declined');
  return row ? { kind: 'declined', declineCode: row.declineCode } : { kind: 'nothing' };
}

const attemptShape = z.uuid();

/** The price of what the guest chose; nothing is done yet. */
function review(c: AppContext, { account, home }: Here): Answer {
  const { booking } = account.state;
  const attempt = attemptShape.safeParse(c.req.query('attempt'));
  const typed = (c.req.query('amount') ?? '').replaceAll(/[\s\u00a0]/g, '');
  const minor = /^\d{1,12}(?:\.\d{1,6})?$/.test(typed)
    ? toMinor(typed, exponentOf(booking.currency) ?? 2, 1)
    : null;
  const card = guestCards(account.state, Date.now()).find(
    ({ token }) => token === c.req.query('card'),
  );
  const words = refuseChoice(account, minor?.ok ? minor.value : null);
  if (words !== null || !minor?.ok || !card || !attempt.success) {
    return refuse(c, { account, home }, words ?? 'Please choose a card.', 422);
  }
  const priced = guestPrice(account.state, card, minor.value);
  return page(
    c,
    200,
    <ReviewPage account={account} home={home} attempt={attempt.data} card={card} priced={priced} />,
  );
}

function refuseChoice({ balance, state }: Account, requestedMinor: number | null): string | null {
  if (state.booking.status === 'cancelled') return 'Your booking is cancelled.';
  if (requestedMinor === null) return 'Please write the amount in figures, such as 100.50.';
  return requestedMinor > balance.payableMinor ? (refusals.amount_out_of_range ?? '') : null;
}

function refuse(
  c: AppContext,
  here: Pick<Here, 'account' | 'home'>,
  words: string,
  status: number,
): Answer {
  return accountPage(c, here, { kind: 'refused', words }, status);
}

const paymentForm = z.object({
  attempt: z.uuid(),
  card: z.string().regex(/^[0-9a-f]{32}$/),
  requestedMinor: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number)
    .pipe(z.int().positive()),
  agreedMinor: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number)
    .pipe(z.int().positive()),
});

async function pay(c: AppContext, here: Here): Promise<Response> {
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const wanted = paymentForm.safeParse(form);
  if (!wanted.success) return refuse(c, here, refusals.invalid_state ?? '', 422);
  const { attempt, card: cardToken, requestedMinor, agreedMinor } = wanted.data;
  const { currency } = here.account.state.booking;
  const body = { amount: requestedMinor, transactionType: 'Balance', token: cardToken } as const;
  const caller = {
    operation: 'create',
    key: `guest-${attempt}`,
    request: { cardToken, requestedMinor, agreedMinor },
  } as const;
  const address = addressOf(c, here);
  const command = {
    ...paymentCommand(body, 'charge', null, currency, caller),
    cardToken,
    agreedMinor,
    caller,
  };
  const { answer } = await callBooking(c.env, c.get('crossings'), address, (it) =>
    it.payAsGuest(address, command),
  );
  return answer.ok
    ? c.redirect(`${here.home}/receipt/${answer.value.transaction.id}`, 303)
    : unpaid(c, here, answer.error);
}

/** A payment that was not made, or of which nobody knows yet. */
async function unpaid(c: AppContext, { ticket, home }: Here, failure: Failure): Promise<Response> {
  const { transaction } = (failure.members as { transaction?: { id: number } }) ?? {};
  if (transaction && failure.code === 'card_declined') {
    return c.redirect(`${home}?declined=${transaction.id}`, 303);
  }
  if (transaction && failure.code === 'outcome_unknown') {
    return c.redirect(`${home}/receipt/${transaction.id}`, 303);
  }
  const account = await readAccount(c.get('database'), ticket.propertyId, ticket.reference);
  const words = refusals[failure.code];
  return account === null || words === undefined
    ? failurePage(c, failure)
    : refuse(c, { account, home }, words, 409);
}

function receipt(c: AppContext, { account, home }: Here): Answer {
  const id = Number(c.req.param('chargeId'));
  const row = account.transactions.find((one) => one.id === id);
  if (!row || !isPayment(row)) return c.redirect(home, 303);
  if (row.status === 'Declined') return c.redirect(`${home}?declined=${row.id}`, 303);
  return page(c, 200, <ReceiptPage account={account} home={home} row={row} />);
}

/** Whether there is something to show for it. */
function isPayment({ status }: TransactionRow): boolean {
  return ['Accepted', 'Processing', 'Declined'].includes(status);
}

function cardForm(c: AppContext, { account, home }: Here): Answer {
  if (account.state.booking.status === 'cancelled') return c.redirect(home, 303);
  return page(
    c,
    200,
    <CardPage
      propertyName={account.state.property.name}
      action={`${home}/card`}
      attempt={crypto.randomUUID()}
      faults={{}}
      refusal={null}
    >
      <p>
        <a href={home}>Back to your booking</a>
      </p>
    </CardPage>,
  );
}

async function addCard(c: AppContext, here: Here): Promise<Response> {
  const { account, home, ticket } = here;
  const { booking, property } = account.state;
  if (booking.status === 'cancelled') return c.redirect(home, 303);
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const action = `${home}/card`;
  const entered = await enterCard(c, form, {
    propertyId: ticket.propertyId,
    linkId: ticket.linkId,
    requestId: null,
    keep: async (card) => {
      const address = addressOf(c, here);
      const { answer } = await callBooking(c.env, c.get('crossings'), address, (it) =>
        it.attachCard(address, card),
      );
      return answer;
    },
  });
  if (entered.kind === 'added') return c.redirect(`${home}?added`, 303);
  const faults = entered.kind === 'faulty' ? entered.faults : {};
  return page(
    c,
    entered.kind === 'too-many' ? 429 : 422,
    <CardPage
      propertyName={property.name}
      action={action}
      attempt={crypto.randomUUID()}
      faults={faults}
      refusal={refusalWords(entered)}
    />,
  );
}

function addressOf(c: AppContext, { ticket }: Pick<Here, 'ticket'>): Address {
  const { propertyId, reference } = ticket;
  return { propertyId, reference, requestId: c.get('requestId'), actor: 'guest' };
}
