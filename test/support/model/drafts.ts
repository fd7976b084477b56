import * as fc from 'fast-check';
import {
  answers,
  disputeThere,
  heldMinor,
  opensDispute,
  paymentThere,
  refsThere,
  refundableMinor,
} from './acquirer.ts';
import { balanceOf } from './balance.ts';
import { testCards } from './cards.ts';
import { CHOICES } from './choices.ts';
import { openDisputes } from './desk.ts';
import { depositMinor, guestCards, paidInstead, payableMinor } from './guest.ts';
import type { DeskAct, KeyedOperation, Operation } from './operation.ts';
import { price, termsNow } from './price.ts';
import type { Verdict } from './settle.ts';
import {
  type BookingModel,
  type GuestPurpose,
  type Outage,
  type Payment,
  type PaymentKind,
  type Purpose,
  roomOf,
  type Status,
  type Terms,
} from './state.ts';
import type { Session } from './steps.ts';
import { monthEnd } from './times.ts';

/** An operation that is only chosen as far as it can be without knowing the booking; null when the booking has nothing for it. */
export type Draft = (session: Session) => Operation | null;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Picks one of a list that is not known yet. */
const place = fc.nat(9_999);
const keyed = fc.integer({ min: 1, max: 3 }).map((number) => number === 1);
const requested = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 50_000 }));

const purpose = fc.constantFrom<Purpose>(
  'Manual',
  'Manual',
  'Balance',
  'Balance',
  'Deposit',
  'Bond',
);

/** In percent of what is due; null for an amount of its own. */
const share = fc.option(fc.constantFrom(30, 60, 100, 110), { nil: null });
const limitToDue = fc.integer({ min: 1, max: 5 }).map((number) => number === 1);
const virtual = fc.integer({ min: 1, max: 4 }).map((number) => number === 1);

export const moments = fc.integer({ min: 1, max: 15_000 });
export const minutes = fc.integer({ min: 15_000, max: 90 * MINUTE });
const hours = fc.integer({ min: HOUR, max: 26 * HOUR });
const days = fc.integer({ min: DAY, max: 6 * DAY });

/** A length of time in milliseconds: from seconds to days. */
export const duration = fc.oneof(moments, minutes, hours, days);

/** An outage: some are longer than an attempt may be late, or than a key lives. */
export const outage = fc.oneof(moments, hours, days, days);

/** How far ahead something is asked for. */
const ahead = fc.oneof(moments, minutes, minutes, hours, hours, days);

/** A card is attached; one in ten expires at the end of this month. */
function attaching(
  places: readonly number[],
  enteredBy: 'api' | 'guest' = 'api',
  soonInTen = 1,
): fc.Arbitrary<Draft> {
  const cards = places.map((place) => ({
    weight: testCards[place]?.weight ?? 1,
    arbitrary: fc.constant(place),
  }));
  return fc
    .record({ card: fc.oneof(...cards), soon: fc.nat(9).map((number) => number < soonInTen) })
    .map(({ card, soon }) => ({ fresh, model }) => {
      const expiry = monthEnd(model.nowMs, soon ? 0 : 120);
      const { account } = model.terms;
      return { do: 'attach', token: fresh(), card, enteredBy, account, toPay: false, ...expiry };
    });
}

const everyPlace = [...testCards.keys()];

export const attach = attaching(everyPlace);

/** The guest adds a card on the page. */
export const addAsGuest = attaching(everyPlace, 'guest');

/** A card that expires at the end of this month. */
export const attachSoon = attaching(everyPlace, 'api', 10);

/** A card that does as it is asked. */
export const attachAccepting = attaching(
  everyPlace.filter((place) => testCards[place]?.behaviour.does === 'accept'),
);

/** A guest's card whose bank asks at every payment. */
export const addAskingBank = attaching(
  everyPlace.filter((place) => testCards[place]?.behaviour.does === 'ask the bank'),
  'guest',
);

/** A card whose requests are lost, on their way or back. */
export const attachLosing = attaching(
  everyPlace.filter((place) => testCards[place]?.behaviour.does.endsWith('answer lost')),
);

/** A card that the acquirer rejects for reasons of its own: mostly a while, else until it is given up. */
export const attachRejected = attaching(
  everyPlace.filter((place) =>
    ['error', 'refuse twice'].includes(testCards[place]?.behaviour.does ?? ''),
  ),
);

/** A card whose refunds fail. */
export const attachRefusing = attaching(
  everyPlace.filter((place) => testCards[place]?.behaviour.does === 'refuse refunds'),
);

/** A card that declines, so that a schedule on it is tried again. */
export const attachDeclining = attaching(
  everyPlace.filter((place) => testCards[place]?.behaviour.does.startsWith('decline')),
);

/** A card that declines for good. */
export const attachDead = attaching(
  everyPlace.filter((place) => {
    const behaviour = testCards[place]?.behaviour;
    const needsGuest = behaviour?.does === 'ask the bank';
    return needsGuest || (behaviour?.does === 'decline' && !behaviour.retryable);
  }),
);

/** A charge, a schedule or a hold; on the card in use or on one of the others, seldom on one that does not exist. */
function payment(kind: PaymentKind): fc.Arbitrary<Draft> {
  const named = fc.option(place, { nil: null });
  return fc
    .record({ requested, purpose, share, limitToDue, virtual, named, inMs: ahead, keyed })
    .map((drawn) => (session) => {
      const { model } = session;
      // No two of a booking fall due at one instant, so that it is known which comes first.
      const atMs = model.nowMs + drawn.inMs + model.payments.length;
      return {
        do: 'pay',
        kind,
        ref: session.fresh(),
        purpose: drawn.purpose,
        requestedMinor: amountFor(model, drawn),
        limitToDue: drawn.limitToDue,
        virtual: drawn.virtual,
        token: tokenNamed(model, drawn.named),
        atMs: kind === 'charge' ? null : atMs,
        quote: null,
        key: keyFor(session, drawn.keyed),
      };
    });
}

/** Some amounts are about what is due. */
function amountFor(
  model: BookingModel,
  drawn: { readonly requested: number; readonly share: number | null },
): number {
  const { dueMinor } = balanceOf(model);
  return drawn.share === null || !dueMinor ? drawn.requested : shareOf(dueMinor, drawn.share);
}

function tokenNamed({ cards }: BookingModel, named: number | null): string | null {
  if (named === null) return null;
  return named % 20 === 0 ? 'f'.repeat(32) : (pick(cards, named)?.token ?? 'f'.repeat(32));
}

export const charge = payment('charge');
export const schedule = payment('schedule');
export const hold = payment('authorization');

/** One or two new charges, without keys: what is restored of a booking has none. Holds are not played yet. */
export const someNew = fc.array(fc.oneof(charge, schedule).map(withoutKey), {
  minLength: 1,
  maxLength: 2,
});

function withoutKey(make: Draft): Draft {
  return (session) => {
    const operation = make(session);
    return operation?.do === 'pay' ? { ...operation, key: null } : operation;
  };
}

export const capture: fc.Arbitrary<Draft> = fc
  .record({ place, percent: fc.option(fc.integer({ min: 1, max: 120 })), keyed })
  .map(({ place, percent, keyed }) => (session) => {
    const target = targetOf(session.model, 'authorization', 'Authorized', place);
    if (!target) return null;
    const amountMinor = percent === null ? null : shareOf(target.requestedMinor, percent);
    return { do: 'capture', ref: target.ref, amountMinor, key: keyFor(session, keyed) };
  });

export const release: fc.Arbitrary<Draft> = fc
  .record({ place, keyed })
  .map(({ place, keyed }) => (session) => {
    const target = targetOf(session.model, 'authorization', 'Authorized', place);
    return target && { do: 'release', ref: target.ref, key: keyFor(session, keyed) };
  });

export const cancelSchedule: fc.Arbitrary<Draft> = fc
  .record({ place, keyed })
  .map(({ place, keyed }) => (session) => {
    const target = targetOf(session.model, 'schedule', 'Pending', place);
    return target && { do: 'cancel schedule', ref: target.ref, key: keyFor(session, keyed) };
  });

export const cancelSchedules: fc.Arbitrary<Draft> = keyed.map((keyed) => (session) => ({
  do: 'cancel schedules',
  key: keyFor(session, keyed),
}));

/** Of what is left: mostly a large part, so that a refund often takes several charges; above 100 it is too much. */
const percent = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 99 }) },
  { weight: 4, arbitrary: fc.integer({ min: 50, max: 99 }) },
  { weight: 2, arbitrary: fc.constant(100) },
  { weight: 1, arbitrary: fc.constant(101) },
);

/** Whether the stay costs less by a refund. */
const waive = fc.integer({ min: 1, max: 4 }).map((number) => number === 1);

export const refundCharge: fc.Arbitrary<Draft> = fc
  .record({ place, percent, waive, keyed })
  .map(({ place, percent, waive, keyed }) => (session) => {
    const { model } = session;
    const open = model.payments.filter((payment) => roomOf(model, payment) > 0);
    const target = place % 10 === 0 ? pick(model.payments, place) : pick(open, place);
    if (!target) return null;
    const amountMinor = shareOf(roomOf(model, target), percent);
    const key = keyFor(session, keyed);
    return { do: 'refund', command: session.fresh(), amountMinor, waive, ref: target.ref, key };
  });

export const refundAny: fc.Arbitrary<Draft> = fc
  .record({ percent, waive, keyed })
  .map(({ percent, waive, keyed }) => (session) => {
    const { model } = session;
    const room = model.payments.reduce((sum, payment) => sum + roomOf(model, payment), 0);
    const amountMinor = shareOf(room, percent);
    const key = keyFor(session, keyed);
    return { do: 'refund', command: session.fresh(), amountMinor, waive, ref: null, key };
  });

export const cancelBooking: fc.Arbitrary<Draft> = fc.constant(({ model }) => ({
  do: 'save',
  status: 'cancelled',
  totalMinor: model.totalMinor,
}));

/** What a stay costs; one in nine is not known. */
export const total = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 90_000 }) },
);

/** The stay becomes longer or shorter, or is saved as it is. */
export const changeStay: fc.Arbitrary<Draft> = fc
  .tuple(total, fc.nat(3))
  .map(([drawn, same]) => ({ model: { status, totalMinor } }) => ({
    do: 'save',
    status,
    totalMinor: same === 0 ? totalMinor : drawn,
  }));

/** What a property lays down. */
export const anyTerms: fc.Arbitrary<Terms> = fc
  .record({
    fees: fc.constantFrom(...CHOICES.fees),
    keepsSchedules: fc.constantFrom(...CHOICES.keepsSchedules),
    guard: fc.constantFrom(...CHOICES.guard),
    recovery: fc.constantFrom(...CHOICES.recovery),
    account: fc.constantFrom(...CHOICES.account),
  })
  .map(({ fees, ...others }) => ({ ...fees, ...others }));

/** The property lays down something else: one part of it. */
export const changeTerms: fc.Arbitrary<Draft> = fc.oneof(
  fc.constantFrom(...CHOICES.fees).map((fees) => setting(fees)),
  fc.constantFrom(...CHOICES.keepsSchedules).map((keepsSchedules) => setting({ keepsSchedules })),
  fc.constantFrom(...CHOICES.guard).map((guard) => setting({ guard })),
  fc.constantFrom(...CHOICES.recovery).map((recovery) => setting({ recovery })),
);

/** The property's account becomes another one. */
export const changeAccount: fc.Arbitrary<Draft> = fc.constant((session) => {
  const account = CHOICES.account.find((other) => other !== session.model.terms.account);
  return account ? setting({ account })(session) : null;
});

function setting(part: Partial<Terms>): Draft {
  return ({ model }) => ({ do: 'set', terms: { ...model.terms, ...part } });
}

/** A guest pays on the page, mostly what it proposes: all that is due, or a part of it. */
export const guestPays = payingAsGuest('Balance', (model, percent) => {
  const payable = payableMinor(model);
  return payable === 0 ? null : shareOf(payable, percent);
});

/** A guest pays the deposit that the page offers; seldom another amount, as if it had changed since. */
export const guestPaysDeposit = payingAsGuest('Deposit', (model, percent) => {
  const offered = depositMinor(model);
  return offered === null ? null : offered + Math.max(0, percent - 100);
});

function payingAsGuest(
  purpose: GuestPurpose,
  amountOf: (model: BookingModel, percent: number) => number | null,
): fc.Arbitrary<Draft> {
  return fc.record({ place, percent }).map(({ place, percent }) => ({ fresh, model }) => {
    const card = pick(guestCards(model), place);
    const requestedMinor = amountOf(model, percent);
    if (!card || requestedMinor === null) return null;
    const { amountMinor } = price(requestedMinor, termsNow(model, card, false));
    return {
      do: 'guest pays',
      ref: fresh(),
      purpose,
      requestedMinor,
      agreedMinor: amountMinor,
      ...paidInstead(model, requestedMinor),
      token: card.token,
      key: `guest-${fresh()}`,
    };
  });
}

/** A guest allows or refuses a payment on their bank's page. */
export const decideAtBank: fc.Arbitrary<Draft> = fc
  .record({ place, allows: fc.nat(2).map((number) => number > 0) })
  .map(({ place, allows }) => ({ model }) => {
    const target = pick(guestsUnderWay(model), place);
    return target && { do: 'decide at bank', ref: target.ref, allows };
  });

/** A guest comes back to the page of a payment, or gives it up there. */
export const comeBack: fc.Arbitrary<Draft> = fc
  .record({ place, givesUp: fc.nat(2).map((number) => number === 0) })
  .map(({ place, givesUp }) => ({ model }) => {
    const target = pick(guestsUnderWay(model), place);
    return target && { do: 'come back', ref: target.ref, givesUp };
  });

function guestsUnderWay({ payments }: BookingModel): Payment[] {
  return payments.filter(({ byGuest, status }) => byGuest && status === 'Processing');
}

/** What a charge or hold would come to. */
export const quote: fc.Arbitrary<Draft> = fc
  .record({
    kind: fc.constantFrom('charge', 'charge', 'authorization'),
    requested,
    purpose,
    share,
    virtual,
    named: fc.option(place, { nil: null }),
  })
  .map((drawn) => ({ fresh, model }) => ({
    do: 'quote',
    name: fresh(),
    kind: drawn.kind,
    purpose: drawn.purpose,
    requestedMinor: amountFor(model, drawn),
    virtual: drawn.virtual,
    token: tokenNamed(model, drawn.named),
  }));

/** A charge by one of the latest quotes; seldom of something else than was quoted. */
export const payByQuote: fc.Arbitrary<Draft> = fc
  .record({ back: fc.nat(2), changed: fc.nat(9), inMs: ahead, keyed })
  .map(({ back, changed, inMs, keyed }) => (session) => {
    const { model } = session;
    const [name, quoted] = Object.entries(model.quotes).at(-1 - back) ?? [];
    if (name === undefined || quoted === undefined) return null;
    const { kind, named, purpose, requestedMinor, virtual } = quoted;
    return {
      do: 'pay',
      kind,
      ref: session.fresh(),
      purpose,
      requestedMinor: requestedMinor + (changed === 0 ? 1 : 0),
      limitToDue: false,
      virtual,
      token: named,
      atMs: kind === 'charge' ? null : model.nowMs + inMs + model.payments.length,
      quote: name,
      key: keyFor(session, keyed),
    };
  });

/** The acquirer fails: nobody knows what it did, or it refuses all, mostly for now. */
export const fail: fc.Arbitrary<Outage> = fc.constantFrom(
  { status: 503, lookUps: false, retryAfterMs: null },
  { status: 429, lookUps: false, retryAfterMs: 50 * MINUTE },
  { status: 403, lookUps: false, retryAfterMs: 2 * HOUR },
  { status: 400, lookUps: false, retryAfterMs: null },
);

/** The acquirer answers nothing at all, or asks for a short wait: that is not played for long, for it is asked often. */
export const failBriefly: fc.Arbitrary<Outage> = fc.constantFrom(
  { status: 429, lookUps: false, retryAfterMs: 40_000 },
  { status: 503, lookUps: true, retryAfterMs: null },
  { status: 429, lookUps: true, retryAfterMs: 40_000 },
);

/** The acquirer answers nothing for days, and asks for long waits. */
export const failLong: fc.Arbitrary<Outage> = fc.constantFrom(
  { status: 429, lookUps: true, retryAfterMs: 5 * HOUR },
  { status: 403, lookUps: true, retryAfterMs: 7 * HOUR },
  { status: 429, lookUps: true, retryAfterMs: null },
);

/** As long as that lasts: mostly longer than an attempt may be late. */
export const daysOfOutage = fc.integer({ min: 60 * HOUR, max: 90 * HOUR });

/** A request under a key, sent again as it was or with something changed. */
export const repeat: fc.Arbitrary<Draft> = fc
  .record({ place, changed: fc.nat(4).map((number) => number === 0) })
  .map(({ place, changed }) => ({ keyed, fresh }) => {
    const sent = pick(keyed, place);
    return sent && sentAgain(sent, fresh, changed ? 1 : 0);
  });

/** A request that is sent again, with an amount that is so much more, or about something else. */
function sentAgain(sent: KeyedOperation, fresh: Session['fresh'], moreMinor: number): Operation {
  switch (sent.do) {
    case 'pay':
    case 'guest pays':
      return { ...sent, ref: fresh(), requestedMinor: sent.requestedMinor + moreMinor };
    case 'refund':
      return { ...sent, command: fresh(), amountMinor: sent.amountMinor + moreMinor };
    case 'cancel schedules':
      return sent;
    default:
      return moreMinor > 0 ? { ...sent, ref: 'missing' } : sent;
  }
}

const verdicts: readonly Verdict[] = ['Failed', 'Failed', 'Declined', 'Accepted'];

/** An administrator says what became of something, mostly that nothing was done. */
export const resolveByHand: fc.Arbitrary<Draft> = fc
  .tuple(place, fc.constantFrom(...verdicts))
  .map(([place, verdict]) => ({ model }) => {
    if (!answers(model)) return null;
    const open: Operation[] = [
      ...model.payments
        .filter(({ status }) => status === 'Processing')
        .map(({ ref }) => ({ do: 'resolve by hand' as const, ref, verdict })),
      ...model.refunds
        .filter(({ status }) => status === 'Processing')
        .map(({ command, part }) => ({
          do: 'resolve refund by hand' as const,
          command,
          part,
          verdict,
        })),
    ];
    return pick(open, place);
  });

/** A hold is captured at the acquirer's desk, wholly or in part. */
export const deskCapture = onHoldThere('capture');

/** A hold is let go at the acquirer's desk. */
export const deskRelease = onHoldThere('release');

function onHoldThere(action: 'capture' | 'release'): fc.Arbitrary<Draft> {
  return fc.tuple(place, percent).map(([place, percent]) => ({ model }) => {
    const held = model.payments.filter(({ ref }) => heldMinor(paymentThere(model, ref)) > 0);
    const target = pick(held, place);
    if (!target) return null;
    const whole = action === 'release' || percent === 100;
    const amountMinor = whole ? null : shareOf(target.amountMinor, percent);
    return desk({ action, ref: target.ref, amountMinor });
  });
}

/** Something is given back at the acquirer's desk, or disputed by the cardholder. */
export const deskRefund = onTakenThere('refund');
export const dispute = onTakenThere('dispute');

/** The cardholder's bank asks about a payment. */
export const inquiry = onTakenThere('inquiry');

function onTakenThere(action: 'refund' | 'inquiry' | 'dispute'): fc.Arbitrary<Draft> {
  return fc.tuple(place, percent).map(([place, percent]) => ({ model }) => {
    const taken = model.payments.filter(({ ref }) => paymentThere(model, ref)?.taken);
    const target = pick(taken, place);
    if (!target) return null;
    const leftMinor = Math.max(1, refundableMinor(paymentThere(model, target.ref)));
    const amountMinor = percent === 100 ? null : shareOf(leftMinor, percent);
    return desk({ action, ref: target.ref, amountMinor });
  });
}

/** A dispute is won, often in part, or lost. */
export const closeDispute: fc.Arbitrary<Draft> = fc
  .tuple(place, fc.boolean(), percent)
  .map(([place, won, percent]) => ({ model }) => {
    const open = model.payments.flatMap(({ ref }) =>
      openDisputes(model, ref).map((dispute) => ({ ref, dispute })),
    );
    const target = pick(open, place);
    if (!target) return null;
    const withdrawn = disputeThere(model, target.dispute)?.withdrawnMinor ?? 0;
    const isPart = won && withdrawn > 0 && percent < 100;
    const amountMinor = isPart ? shareOf(withdrawn, percent) : null;
    return desk({ action: won ? 'winDispute' : 'loseDispute', ...target, amountMinor });
  });

/** A refund fails after all. */
export const failRefund: fc.Arbitrary<Draft> = place.map((place) => ({ model }) => {
  const made = model.effects.filter(
    ({ ended, kind, outcome }) =>
      kind === 'refund' && outcome.kind === 'approved' && ended === undefined,
  );
  const target = pick(made, place);
  return target && desk({ action: 'failRefund', refund: target.id });
});

/** Something is taken at the acquirer's desk for no booking. */
export const deskCharge: fc.Arbitrary<Draft> = fc
  .tuple(place, requested)
  .map(([place, amountMinor]) => ({ model }) => {
    const card = pick(model.cards, place);
    return card && desk({ action: 'charge', token: card.token, amountMinor });
  });

function desk(act: DeskAct): Operation {
  return { do: 'desk', act };
}

/** A request that was lost on its way arrives. */
export const arriveLate: fc.Arbitrary<Draft> = place.map((place) => ({ model }) => {
  if (model.outage) return null;
  const key = pick(Object.keys(model.onTheWay), place);
  return key === null ? null : { do: 'arrive late', request: key };
});

/** The acquirer tells of a payment, mostly of one that the service does not know all of. */
export const tell: fc.Arbitrary<Draft> = place.map((place) => ({ model }) => {
  const there = refsThere(model);
  const untold = there.filter((ref) => model.untold.includes(ref));
  const ref = pick(place % 4 === 0 || untold.length === 0 ? there : untold, place);
  return ref === null ? null : { do: 'tell', ref };
});

/** The acquirer tells of a dispute. */
export const tellDispute: fc.Arbitrary<Draft> = place.map((place) => ({ model }) => {
  const target = pick(model.effects.filter(opensDispute), place);
  return target && { do: 'tell dispute', dispute: target.id, ref: target.payment };
});

/** A payment of a kind, mostly in the state that the operation is for, else in any. */
function targetOf(
  { payments }: BookingModel,
  kind: PaymentKind,
  status: Status,
  place: number,
): Payment | null {
  const fitting = payments.filter((it) => it.kind === kind && it.status === status);
  return place % 8 === 0 ? pick(payments, place) : pick(fitting, place);
}

function pick<T>(list: readonly T[], place: number): T | null {
  return list[place % Math.max(1, list.length)] ?? null;
}

function shareOf(minor: number, percent: number): number {
  return percent > 100 ? minor + percent - 100 : Math.max(1, Math.floor((minor * percent) / 100));
}

function keyFor({ fresh }: Session, wanted: boolean): string | null {
  return wanted ? `key ${fresh()}` : null;
}
