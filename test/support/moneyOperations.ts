/** Every operation that moves money, and what each must come to whatever goes wrong. */
import { DAY_MS, HOUR_MS, localTimestamp, MINUTE_MS } from '../../src/core/time.ts';
import {
  type Answer,
  atTime,
  attachCard,
  bookingOf,
  call,
  makeBooking,
  testEnv,
  transactionsOf,
} from './api.ts';
import { allow, cancelPayment, refuse, toBank } from './bank.ts';
import { applied, cancellationOf, unsettled } from './cancellation.ts';
import { ASKS_GUEST, GOOD, INSUFFICIENT_FUNDS } from './cards.ts';
import {
  type Crossed,
  type FaultKind,
  loseAlarm,
  loseAnswers,
  sweepFrom,
  wakeAt,
  withFault,
} from './faults.ts';
import { enterCard, type Guest, visit } from './guest.ts';
import { readRows } from './model/rows.ts';
import { disagreements, type Ledger } from './oracle.ts';

/** An operation that moves money, on a booking that `prepare` has made ready for it. */
export interface MoneyOperation {
  readonly name: string;
  /** Makes the booking ready, and returns what `run` needs to know of it. */
  readonly prepare: (reference: string) => Promise<number>;
  readonly run: (reference: string, prepared: number) => Promise<unknown>;
  /** What else does not agree once it has recovered, in words. */
  readonly check?: (reference: string) => Promise<string[]>;
}

export const CREATE = '/payment/v1/create';

/** Everything that waits for a time in these tests is due here. */
const DUE_MS = Math.ceil(Date.now() / 1000) * 1000 + DAY_MS;
const DUE = new Date(DUE_MS).toISOString();

const keyed = (reference: string) => ({ headers: { 'Idempotency-Key': reference } });

async function withCard(reference: string): Promise<number> {
  await makeBooking(reference, GOOD);
  return 0;
}

async function withCharge(reference: string): Promise<number> {
  await withCard(reference);
  return (await call(CREATE, { reference, amount: 10 })).json.transaction.id;
}

async function withHold(reference: string): Promise<number> {
  await withCard(reference);
  const body = { reference, amount: 10, preAuth: true, expiryTime: DUE };
  return (await call(CREATE, body)).json.transaction.id;
}

async function withSchedule(reference: string): Promise<number> {
  await withCard(reference);
  return (await call('/payment/v1/schedule', { reference, amount: 10, time: DUE })).json.transaction
    .id;
}

/** A booking with an agency's card, which takes ten at most. */
async function withVirtualCard(reference: string, terms: object): Promise<number> {
  await makeBooking(reference);
  const virtualCard = { limit: 10, ...terms };
  const card = { reference, cardNumber: GOOD, cardExpiry: '12/2030', virtualCard };
  await call('/payment/v1/tokenize', card);
  return 0;
}

/** What of a booking's virtual card was counted wrongly: ten were taken, and nothing is held. */
async function miscounted(reference: string): Promise<string[]> {
  const card = await testEnv.DB.prepare(
    'SELECT taken_minor AS taken, held_minor AS held FROM cards WHERE booking_reference = ?',
  )
    .bind(reference)
    .first<{ taken: number; held: number }>();
  return card?.taken === 1_000 && card.held === 0 ? [] : [`counted ${JSON.stringify(card)}`];
}

/** A plan whose first part is due by then, and whose second is not. */
async function withPlan(reference: string, card = GOOD): Promise<number> {
  await makeBooking(reference, card);
  const terms = [0, 9 * DAY_MS].map((later) => {
    const [date, time = ''] = localTimestamp(DUE_MS + later, 'Australia/Perth').split(' ');
    return { amount: 10, due: { anchor: 'date', date, time: time.slice(0, 5) } };
  });
  await call('/payment-plan/v1/put', { reference, terms });
  return 0;
}

/** Such a plan, whose first part was declined and waits for its retry, and a card that pays. */
async function withWaitingPart(reference: string): Promise<number> {
  await withPlan(reference, INSUFFICIENT_FUNDS);
  await wakeAt(reference, DUE_MS);
  await attachCard(reference, GOOD);
  return 0;
}

/** Such a plan, whose first part was charged, but the answer was lost. */
async function withLostPart(reference: string): Promise<number> {
  await withPlan(reference);
  const found = loseAnswers('gateway.charge', 1);
  await wakeAt(reference, DUE_MS);
  found();
  return 0;
}

/** Does something about a booking's plan when its first part is due, and what is due then. */
async function aboutPlan(what: 'put' | 'cancel', reference: string, body: object) {
  const path = `/payment-plan/v1/${what}`;
  const answer = await atTime(DUE_MS, () => call(path, { reference, ...body }, keyed(reference)));
  if (answer.status === 200) await wakeAt(reference, DUE_MS + MINUTE_MS);
  return answer;
}

/** What of a booking's plan does not agree with its charges: each part that has one, and what they came to. */
async function misplanned(reference: string): Promise<string[]> {
  const { plan } = (await call('/payment-plan/v1/get', { reference })).json;
  const charges = (await transactionsOf(reference)).map(
    ({ amount, creditCardFee, id, status, transactionFee }) => ({
      id,
      status,
      cents: Math.round((amount - creditCardFee - transactionFee) * 100),
    }),
  );
  const own = plan.parts.filter(({ chargeId }) => chargeId !== null);
  const wrong = own.filter(({ amount, chargeId, paid, status }) => {
    const charge = charges.find(({ id }) => id === chargeId);
    const cents = charge?.status === 'Accepted' ? charge.cents : 0;
    return cents !== (status === 'paid' ? amount * 100 : 0) || cents !== paid * 100;
  });
  const strays = charges.filter(
    ({ id, status }) => status === 'Pending' && !own.some(({ chargeId }) => chargeId === id),
  );
  const taken = charges.filter(({ status }) => status === 'Accepted');
  const cents = taken.reduce((sum, charge) => sum + charge.cents, 0);
  return [
    ...wrong.map((part) => `not as its charge: ${JSON.stringify(part)}`),
    ...strays.map(({ id }) => `${id} waits, but is of no part`),
    ...(cents === plan.paid * 100 ? [] : [`taken ${cents}, but the plan says ${plan.paid}`]),
  ];
}

/** A schedule that was charged, but whose answer was lost. */
async function withLostAnswer(reference: string): Promise<number> {
  const chargeId = await withSchedule(reference);
  const found = loseAnswers('gateway.charge', 1);
  await wakeAt(reference, DUE_MS);
  found();
  return chargeId;
}

/** A booking with more rows than its object remembers, and a refund whose answer was lost. */
async function withManySchedules(reference: string): Promise<number> {
  const chargeId = await withCharge(reference);
  const time = new Date(DUE_MS + 9 * DAY_MS).toISOString();
  for (let made = 0; made < 10; made += 1) {
    await call('/payment/v1/schedule', { reference, amount: 1, time });
  }
  const found = loseAnswers('gateway.refund', 1);
  await call('/refund/v1/create', { reference, chargeId, amount: 5 });
  found();
  return chargeId;
}

/** The guest whom `prepare` left on a page, by booking. */
const guests = new Map<string, Guest>();

/** A guest whose bank wants to verify them: before the page that pays. */
async function beforePaying(reference: string): Promise<Guest> {
  await call('/booking/v1/create/manage-payments', bookingOf(reference));
  const guest = await visit(reference);
  await enterCard(guest, ASKS_GUEST);
  await guest.submit({ amount: '10' });
  return guest;
}

/** The same guest on the page that leads to the bank. */
async function atTheStep(reference: string): Promise<Guest> {
  const guest = await beforePaying(reference);
  await guest.submit();
  return guest;
}

/** The same guest on the bank's page, remembered for what they do there. */
async function atTheBank(reference: string): Promise<number> {
  const guest = await atTheStep(reference);
  await toBank(guest);
  guests.set(reference, guest);
  return 0;
}

function guestOf(reference: string): Guest {
  const guest = guests.get(reference);
  if (!guest) throw new Error('there is no guest');
  return guest;
}

/** Wakes a booking when a payment on it is certainly abandoned. */
const wakeAbandoned = (reference: string) => wakeAt(reference, Date.now() + HOUR_MS);

/** The operations. */
export const moneyOperations: MoneyOperation[] = [
  {
    name: 'charge',
    prepare: withCard,
    run: (reference) => call(CREATE, { reference, amount: 10 }),
  },
  {
    name: 'charge with a key',
    prepare: withCard,
    run: (reference) => call(CREATE, { reference, amount: 10 }, keyed(reference)),
  },
  {
    name: 'pre-authorization',
    prepare: withCard,
    run: (reference) =>
      call(CREATE, { reference, amount: 10, preAuth: true, expiryTime: DUE }, keyed(reference)),
  },
  {
    name: 'charge on a virtual card',
    prepare: (reference) => withVirtualCard(reference, { activeFrom: new Date(0).toISOString() }),
    run: (reference) => call(CREATE, { reference, amount: 10 }, keyed(reference)),
  },
  {
    name: 'virtual card that charges by itself',
    prepare: (reference) =>
      // It is charged from nine in the morning on, so at the latest an hour before the others.
      withVirtualCard(reference, {
        activeFrom: new Date(DUE_MS - 10 * HOUR_MS).toISOString(),
        autoCharge: true,
      }),
    run: (reference) => wakeAt(reference, DUE_MS),
    check: miscounted,
  },
  {
    name: 'schedule that fires',
    prepare: withSchedule,
    run: (reference) => wakeAt(reference, DUE_MS),
  },
  {
    name: 'part of a plan that is charged',
    prepare: (reference) => withPlan(reference),
    run: (reference) => wakeAt(reference, DUE_MS),
    check: misplanned,
  },
  {
    name: 'plan that is put again',
    prepare: withWaitingPart,
    run: (reference) =>
      aboutPlan('put', reference, { terms: [{ amount: 20, due: { anchor: 'now' } }] }),
    check: misplanned,
  },
  {
    name: 'plan that is cancelled',
    prepare: withLostPart,
    run: (reference) => aboutPlan('cancel', reference, {}),
    check: misplanned,
  },
  {
    name: 'capture',
    prepare: withHold,
    run: (reference, chargeId) =>
      call('/payment/v1/charge-pre-auth', { reference, chargeId, amount: 5 }, keyed(reference)),
  },
  {
    name: 'release',
    prepare: withHold,
    run: (reference, chargeId) =>
      call('/payment/v1/cancel-pre-auth', { reference, chargeId }, keyed(reference)),
  },
  {
    name: 'expiry',
    prepare: withHold,
    run: (reference) => wakeAt(reference, DUE_MS),
  },
  {
    name: 'refund',
    prepare: withCharge,
    run: (reference, chargeId) =>
      call('/refund/v1/create', { reference, chargeId, amount: 5 }, keyed(reference)),
  },
  {
    name: 'refund over two charges',
    prepare: async (reference) => {
      await withCharge(reference);
      return (await call(CREATE, { reference, amount: 7 })).json.transaction.id;
    },
    run: (reference) => call('/refund/v1/create', { reference, amount: 15 }, keyed(reference)),
  },
  {
    name: 'lost refund of a long booking',
    prepare: withManySchedules,
    run: (reference) => wakeAt(reference, Date.now() + HOUR_MS),
  },
  {
    name: 'guest who never goes to their bank',
    prepare: async (reference) => {
      guests.set(reference, await beforePaying(reference));
      return 0;
    },
    run: async (reference) => {
      await guestOf(reference).submit();
      await wakeAbandoned(reference);
    },
  },
  {
    name: 'guest who allows it at their bank',
    prepare: atTheBank,
    run: (reference) => allow(guestOf(reference)),
  },
  {
    name: 'guest who refuses it at their bank',
    prepare: atTheBank,
    // It ends on another page, whose own answer says nothing of what was recorded before.
    run: async (reference) => {
      await refuse(guestOf(reference));
    },
  },
  {
    name: 'guest who gives it up',
    prepare: async (reference) => {
      guests.set(reference, await atTheStep(reference));
      return 0;
    },
    run: async (reference) => {
      await cancelPayment(guestOf(reference));
    },
  },
  {
    name: 'guest who never comes back',
    prepare: atTheBank,
    run: wakeAbandoned,
  },
  {
    name: 'end of a lost schedule',
    prepare: withLostAnswer,
    run: (reference, chargeId) =>
      atTime(DUE_MS, () =>
        call('/payment/v1/cancel-schedule', { reference, chargeId }, keyed(reference)),
      ),
  },
  {
    name: 'guest at the bank is cancelled',
    prepare: atTheBank,
    run: (reference) =>
      call('/booking/v1/create/manage-payments', bookingOf(reference, { status: 'cancelled' })),
  },
  {
    name: 'cancellation',
    prepare: async (reference) => {
      await withHold(reference);
      const body = { reference, amount: 3, time: DUE };
      return (await call('/payment/v1/schedule', body)).json.transaction.id;
    },
    run: (reference) =>
      call('/booking/v1/create/manage-payments', bookingOf(reference, { status: 'cancelled' })),
  },
  {
    name: 'settlement that takes',
    prepare: async (reference) => {
      await withHold(reference);
      const charge = { reference, amount: 4, transactionType: 'Bond' };
      await call(CREATE, charge);
      await call(CREATE, { ...charge, preAuth: true, expiryTime: DUE });
      await call('/payment/v1/schedule', { reference, amount: 3, time: DUE });
      await quoteCancellation(reference, 25);
      return 0;
    },
    run: applyQuote,
    check: unsettled,
  },
  {
    name: 'settlement that gives back',
    prepare: async (reference) => {
      await withCharge(reference);
      await call(CREATE, { reference, amount: 7 });
      await call(CREATE, { reference, amount: 4, transactionType: 'Bond' });
      await quoteCancellation(reference, 2);
      return 0;
    },
    run: applyQuote,
    check: unsettled,
  },
];

/** The quotes of bookings that are to be cancelled, by booking. */
const quotes = new Map<string, string>();

async function quoteCancellation(reference: string, amount: number): Promise<void> {
  const quote = await cancellationOf(reference, { keep: { amount, why: 'agreed' } });
  quotes.set(reference, quote.cancellationQuoteId);
}

function applyQuote(reference: string): Promise<Answer> {
  return applied(reference, quotes.get(reference) ?? '', reference);
}

/** All that D1 has of a booking's money and its state. */
async function recordsOf(reference: string): Promise<string> {
  return JSON.stringify(await readRows({ propertyId: 'demo', reference }));
}

/** `busy` says that nothing was begun. */
function isBusy(answer: unknown): boolean {
  return (
    answer !== null && typeof answer === 'object' && 'status' in answer && answer.status === 503
  );
}

/**
 * Does an operation with one fault at one of its crossings, lets the sweep alone recover it, and tells what does not
 * agree then.
 */
export async function cutOff(
  { check, name, prepare, run }: MoneyOperation,
  kind: FaultKind,
  { index, boundary }: Crossed,
  ledger?: Ledger,
): Promise<string[]> {
  const reference = `${name} ${kind} ${index}`;
  const ready = await prepare(reference);
  const before = await recordsOf(reference);
  const answer = await withFault(index, kind, () => run(reference, ready));
  const denied = isBusy(answer) && (await recordsOf(reference)) !== before;
  const found = await recovered(reference, ledger);
  const further = check ? await check(reference) : [];
  const denials = denied ? ['busy, but something was recorded'] : [];
  return [...denials, ...found, ...further].map(
    (words) => `${kind} at ${index} ${boundary}: ${words}`,
  );
}

/** Lets a booking recover without any alarm, and tells what does not agree then. */
export async function recovered(reference: string, ledger?: Ledger): Promise<string[]> {
  await loseAlarm(reference);
  await sweepFrom(Date.now(), 3, 20);
  await sweepFrom(DUE_MS, 3, 20);
  return disagreements(reference, ledger);
}
