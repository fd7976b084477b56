import * as fc from 'fast-check';
import { heldMinor, paymentThere, refundableMinor } from './acquirer.ts';
import { testCards } from './cards.ts';
import { monthEnd } from './clock.ts';
import { openDisputes } from './desk.ts';
import type { DeskAct, Operation } from './operation.ts';
import type { Verdict } from './settle.ts';
import type { BookingModel, Payment, PaymentKind, Status } from './state.ts';
import { roomOf } from './state.ts';
import type { Session } from './steps.ts';

/** An operation that is only chosen as far as it can be without knowing the booking; null when the booking has nothing for it. */
export type Draft = (session: Session) => Operation | null;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Picks one of a list that is not known yet. */
const place = fc.nat(9_999);
const keyed = fc.integer({ min: 1, max: 3 }).map((number) => number === 1);
const requested = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 50_000 }));

const moments = fc.integer({ min: 1, max: 15_000 });
const minutes = fc.integer({ min: 15_000, max: 90 * MINUTE });
const hours = fc.integer({ min: HOUR, max: 26 * HOUR });
const days = fc.integer({ min: DAY, max: 6 * DAY });

/** A length of time in milliseconds: from seconds to days. */
export const duration = fc.oneof(moments, minutes, hours, days);

/** An outage: some are longer than an attempt may be late, or than a key lives. */
export const outage = fc.oneof(moments, hours, days, days);

/** How far ahead something is asked for. */
const ahead = fc.oneof(moments, minutes, minutes, hours, hours, days);

/** A card is attached; one in ten expires at the end of this month. */
function attaching(places: readonly number[]): fc.Arbitrary<Draft> {
  const cards = places.map((place) => ({
    weight: testCards[place]?.weight ?? 1,
    arbitrary: fc.constant(place),
  }));
  return fc
    .record({ card: fc.oneof(...cards), soon: fc.nat(9).map((number) => number === 0) })
    .map(({ card, soon }) => ({ fresh, model }) => {
      const expiry = monthEnd(model.nowMs, soon ? 0 : 120);
      return { do: 'attach', token: fresh(), card, ...expiry };
    });
}

const everyPlace = [...testCards.keys()];

export const attach = attaching(everyPlace);

/** A card that does as it is asked. */
export const attachAccepting = attaching(
  everyPlace.filter((place) => testCards[place]?.behaviour.does === 'accept'),
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

/** A charge, a schedule or a hold; on the card in use or on one of the others, seldom on one that does not exist. */
function payment(kind: PaymentKind): fc.Arbitrary<Draft> {
  const named = fc.option(place, { nil: null });
  return fc
    .record({ requested, virtual: fc.boolean(), named, inMs: ahead, keyed })
    .map((drawn) => (session) => {
      const { model } = session;
      // No two of a booking fall due at one instant, so that it is known which comes first.
      const atMs = model.nowMs + drawn.inMs + model.payments.length;
      return {
        do: 'pay',
        kind,
        ref: session.fresh(),
        requestedMinor: drawn.requested,
        virtual: drawn.virtual,
        token: tokenNamed(model, drawn.named),
        atMs: kind === 'charge' ? null : atMs,
        key: keyFor(session, drawn.keyed),
      };
    });
}

function tokenNamed({ cards }: BookingModel, named: number | null): string | null {
  if (named === null) return null;
  return named % 20 === 0 ? 'f'.repeat(32) : (pick(cards, named)?.token ?? 'f'.repeat(32));
}

export const charge = payment('charge');
export const schedule = payment('schedule');
export const hold = payment('authorization');

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

export const refundCharge: fc.Arbitrary<Draft> = fc
  .record({ place, percent, keyed })
  .map(({ place, percent, keyed }) => (session) => {
    const { model } = session;
    const open = model.payments.filter((payment) => roomOf(model, payment) > 0);
    const target = place % 10 === 0 ? pick(model.payments, place) : pick(open, place);
    if (!target) return null;
    const amountMinor = shareOf(roomOf(model, target), percent);
    const key = keyFor(session, keyed);
    return { do: 'refund', command: session.fresh(), amountMinor, ref: target.ref, key };
  });

export const refundAny: fc.Arbitrary<Draft> = fc
  .record({ percent, keyed })
  .map(({ percent, keyed }) => (session) => {
    const { model } = session;
    const room = model.payments.reduce((sum, payment) => sum + roomOf(model, payment), 0);
    const amountMinor = shareOf(room, percent);
    const key = keyFor(session, keyed);
    return { do: 'refund', command: session.fresh(), amountMinor, ref: null, key };
  });

export const cancelBooking: fc.Arbitrary<Draft> = fc.constant(() => ({
  do: 'save',
  status: 'cancelled',
}));

/** A request under a key, sent again as it was or with something changed. */
export const repeat: fc.Arbitrary<Draft> = fc
  .record({ place, changed: fc.nat(4).map((number) => number === 0) })
  .map(({ place, changed }) => ({ keyed, fresh }) => {
    const sent = pick(keyed, place);
    if (!sent) return null;
    if (sent.do === 'pay') {
      const requestedMinor = sent.requestedMinor + (changed ? 1 : 0);
      return { ...sent, ref: fresh(), requestedMinor };
    }
    if (sent.do === 'refund') {
      const amountMinor = sent.amountMinor + (changed ? 1 : 0);
      return { ...sent, command: fresh(), amountMinor };
    }
    return changed && 'ref' in sent ? { ...sent, ref: 'missing' } : sent;
  });

const verdicts: readonly Verdict[] = ['Failed', 'Failed', 'Declined', 'Accepted'];

/** An administrator says what became of something, mostly that nothing was done. */
export const resolveByHand: fc.Arbitrary<Draft> = fc
  .tuple(place, fc.constantFrom(...verdicts))
  .map(([place, verdict]) => ({ model }) => {
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

function onTakenThere(action: 'refund' | 'dispute'): fc.Arbitrary<Draft> {
  return fc.tuple(place, percent).map(([place, percent]) => ({ model }) => {
    const taken = model.payments.filter(({ ref }) => paymentThere(model, ref)?.taken);
    const target = pick(taken, place);
    if (!target) return null;
    const leftMinor = Math.max(1, refundableMinor(paymentThere(model, target.ref)));
    const amountMinor = percent === 100 ? null : shareOf(leftMinor, percent);
    return desk({ action, ref: target.ref, amountMinor });
  });
}

/** A dispute is won or lost. */
export const closeDispute: fc.Arbitrary<Draft> = fc
  .tuple(place, fc.boolean())
  .map(([place, won]) => ({ model }) => {
    const open = model.payments.flatMap(({ ref }) =>
      openDisputes(model, ref).map((dispute) => ({ ref, dispute })),
    );
    const target = pick(open, place);
    return target && desk({ action: won ? 'winDispute' : 'loseDispute', ...target });
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
  const key = pick(Object.keys(model.onTheWay), place);
  return key === null ? null : { do: 'arrive late', request: key };
});

/** The acquirer tells of a payment, mostly of one that the service does not know all of. */
export const tell: fc.Arbitrary<Draft> = place.map((place) => ({ model }) => {
  const there = model.payments.filter(({ ref }) => paymentThere(model, ref) !== null);
  const untold = there.filter(({ ref }) => model.untold.includes(ref));
  const target = pick(place % 4 === 0 || untold.length === 0 ? there : untold, place);
  return target && { do: 'tell', ref: target.ref };
});

/** The acquirer tells of a dispute. */
export const tellDispute: fc.Arbitrary<Draft> = place.map((place) => ({ model }) => {
  const target = pick(
    model.effects.filter(({ kind }) => kind === 'dispute'),
    place,
  );
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
