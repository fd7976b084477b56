import * as fc from 'fast-check';
import { formerSchedule, newAccount } from './accountPlans.ts';
import * as draft from './drafts.ts';
import { nextDueAtMs } from './due.ts';
import { guestAtBank, guestPays } from './guestPlans.ts';
import type { Operation } from './operation.ts';
import { failing, failingForDays } from './outagePlans.ts';
import { perform } from './perform.ts';
import { anyOperation, BACK, doing, onNewCard, type Plan, WAKE } from './planning.ts';
import { capturedAndRestored, restoredAfter } from './restorePlans.ts';
import type { BookingModel, Payment } from './state.ts';
import type { Session, Step } from './steps.ts';

/** A kind of command, and how often it is drawn beside the others. */
interface PlannedKind {
  readonly weight: number;
  readonly plan: fc.Arbitrary<Plan>;
}

const lag = fc.nat(4);
const besideAlarm = fc.record({ lag, swapped: fc.boolean(), justBefore: fc.nat(3) });

/** Every kind of command, by the name under which it is counted. */
export const kinds: Readonly<Record<string, PlannedKind>> = {
  'attach a card': single(6, draft.attach),
  charge: single(11, draft.charge),
  'send again under the same key': single(8, draft.repeat),
  schedule: single(11, draft.schedule),
  'schedule on a card that declines': {
    weight: 2,
    plan: fc.tuple(draft.attachDeclining, draft.schedule).map(
      ([attach, schedule]) =>
        (session) =>
          onNewCard(session, attach, schedule).flatMap(doing),
    ),
  },
  'a schedule is declined for good': { weight: 5, plan: declinedForGood() },
  'schedule on a card that will have expired': { weight: 4, plan: onExpiringCard() },
  'a new card for what failed': { weight: 12, plan: newCardForFailed() },
  'time passes until something is done about a card': { weight: 22, plan: untilRecovery() },
  'schedule on a card that is rejected': {
    weight: 2,
    plan: fc.tuple(draft.attachRejected, draft.schedule).map(
      ([attach, schedule]) =>
        (session) =>
          onNewCard(session, attach, schedule).flatMap(doing),
    ),
  },
  'cancel a schedule': single(6, draft.cancelSchedule),
  'cancel all schedules': single(2, draft.cancelSchedules),
  'pre-authorize': single(9, draft.hold),
  capture: single(10, draft.capture),
  release: single(10, draft.release),
  'refund a charge': single(6, draft.refundCharge),
  'refund of any charge': single(7, draft.refundAny),
  'refund that a card refuses': { weight: 2, plan: refusedRefund() },
  'cancel the booking': single(2, draft.cancelBooking),
  'book again': {
    weight: 8,
    plan: fc.constant(({ model: { status, totalMinor } }) =>
      status === 'cancelled' ? doing({ do: 'save', status: 'booked', totalMinor }) : null,
    ),
  },
  'change the stay': single(5, draft.changeStay),
  'change the settings': single(5, draft.changeTerms),
  'a guest adds a card': single(5, draft.addAsGuest),
  'a guest pays': { weight: 8, plan: guestPays(draft.guestPays) },
  'a guest is at the bank': { weight: 7, plan: guestAtBank() },
  'a guest at the bank decides, comes back or gives up': single(
    40,
    fc.oneof(draft.decideAtBank, draft.comeBack),
  ),
  'a guest pays the deposit': { weight: 12, plan: guestPays(draft.guestPaysDeposit) },
  quote: single(4, draft.quote),
  'charge by a quote': { weight: 8, plan: byQuote() },
  'the acquirer fails': {
    weight: 3,
    plan: draft.fail.map((outage) => () => doing({ do: 'outage', outage })),
  },
  'the acquirer fails, and is back': {
    weight: 3,
    plan: fc.oneof(failing(draft.fail, draft.duration), failing(draft.failBriefly, draft.minutes)),
  },
  'the acquirer fails for days': { weight: 5, plan: failingForDays() },
  'the acquirer is back': {
    weight: 25,
    plan: fc.constant(({ model }) => (model.outage ? doing(BACK) : null)),
  },
  'D1 is restored': { weight: 16, plan: restoredAfter(fc.constant([])) },
  'payments are made, and D1 is restored': { weight: 6, plan: restoredAfter(draft.someNew) },
  'a hold is captured, and D1 is restored': { weight: 8, plan: capturedAndRestored() },
  'the account changes': single(2, draft.changeAccount),
  'the account changes, and another card is given': { weight: 3, plan: newAccount() },
  'the account changes before a schedule': { weight: 3, plan: formerSchedule() },
  'time passes': {
    weight: 5,
    plan: fc
      .record({ ms: draft.duration, early: fc.boolean() })
      .map(({ ms, early }) => ({ model }) => [{ step: 'pass', untilMs: model.nowMs + ms, early }]),
  },
  'an outage, then an alarm': {
    weight: 3,
    plan: draft.outage.map((ms) => ({ model }) => [
      { step: 'stall', untilMs: model.nowMs + ms },
      { step: 'do', operation: WAKE },
    ]),
  },
  list: { weight: 2, plan: fc.constant(() => [{ step: 'list' }]) },
  'resolve by hand': single(8, draft.resolveByHand),
  'resolve by hand, hours later': { weight: 6, plan: resolvedLater() },
  'a lost request arrives late': single(8, draft.arriveLate),
  'capture at the desk': onHoldAtDesk(4, draft.deskCapture),
  'release at the desk': onHoldAtDesk(4, draft.deskRelease),
  'refund at the desk': atDesk(4, draft.deskRefund),
  'charge at the desk': single(2, draft.deskCharge),
  dispute: atDesk(3, draft.dispute),
  inquiry: atDesk(3, draft.inquiry),
  'a dispute is won or lost': atDesk(10, draft.closeDispute),
  'a refund fails after all': atDesk(3, draft.failRefund),
  'the acquirer tells of a payment': single(8, draft.tell),
  'the acquirer tells of a dispute': single(6, draft.tellDispute),
  reconcile: { weight: 2, plan: fc.constant(() => [{ step: 'reconcile' }]) },
  'capture at the desk races capture or release': onHold(
    4,
    fc.oneof(draft.deskCapture, draft.deskRelease),
    fc.oneof(draft.capture, draft.release),
  ),
  'news of a payment race': {
    weight: 4,
    plan: racing(
      draft.tell,
      fc.oneof(draft.tell, draft.tellDispute, draft.capture, draft.release, draft.refundAny),
    ),
  },
  'cancelling a schedule races its firing': cancelAtFiring(6),
  'capture races the expiry': captureAtExpiry(4),
  'capture races release': onHold(4, draft.capture, draft.release),
  'two captures race': onHold(4, draft.capture, draft.capture),
  'two refunds race': {
    weight: 3,
    plan: racing(fc.oneof(draft.refundCharge, draft.refundAny), draft.refundAny),
  },
  'cancelling the booking races a charge': {
    weight: 2,
    plan: racing(draft.cancelBooking, fc.oneof(draft.charge, draft.hold, draft.schedule)),
  },
  'one key twice at once': {
    weight: 2,
    plan: fc.tuple(fc.oneof(draft.charge, draft.hold, draft.refundAny), lag).map(twice),
  },
  'any two operations race': {
    weight: 5,
    plan: fc
      .oneof(draft.attach, anyOperation())
      .chain((one) => racing(fc.constant(one), anyOperation())),
  },
  'any operation races what is due': {
    weight: 5,
    plan: fc.tuple(anyOperation(), lag, fc.boolean()).map(besideWake),
  },
};

/** A schedule whose card is dead, and its time. */
function declinedForGood(): fc.Arbitrary<Plan> {
  return fc.tuple(draft.attachDead, draft.schedule, draft.moments).map(
    ([attach, schedule, ms]): Plan =>
      (session) => {
        const operations = onNewCard(session, attach, schedule);
        const [, scheduled] = operations;
        if (scheduled?.do !== 'pay' || session.model.status === 'cancelled') return null;
        const untilMs = (scheduled.atMs ?? 0) + ms;
        return [...operations.flatMap(doing), { step: 'pass', untilMs, early: false }];
      },
  );
}

/** A schedule on a card of this month for a time after it, sometimes on that card alone. */
function onExpiringCard(): fc.Arbitrary<Plan> {
  return fc.tuple(draft.attachSoon, draft.schedule, fc.boolean()).map(
    ([attach, schedule, isNamed]): Plan =>
      (session) => {
        const [attached, scheduled] = onNewCard(session, attach, schedule);
        if (attached?.do !== 'attach' || scheduled?.do !== 'pay') return null;
        const atMs = attached.expiresAtMs + (scheduled.atMs ?? 0) - session.model.nowMs;
        const token = isNamed ? attached.token : null;
        return [...doing(attached), ...doing({ ...scheduled, atMs, token })];
      },
  );
}

/** A card is attached while something is done about one that failed. */
function newCardForFailed(): fc.Arbitrary<Plan> {
  return fc.oneof(draft.attach, draft.attachAccepting, draft.addAsGuest).map(
    (attach): Plan =>
      (session) => {
        const isOpen = session.model.recoveries.some(({ ended }) => ended === null);
        const attached = isOpen ? attach(session) : null;
        return attached && doing(attached);
      },
  );
}

/** Time passes until the next step is due about a card that fails, or until just before. */
function untilRecovery(): fc.Arbitrary<Plan> {
  return fc.boolean().map(
    (early): Plan =>
      ({ model }) => {
        const times = model.recoveries.flatMap(({ dueAtMs }) => dueAtMs ?? []);
        if (times.length === 0) return null;
        return [{ step: 'pass', untilMs: Math.min(...times), early }];
      },
  );
}

/** A quote and its charge, at once or later; or the charge of an earlier quote. */
function byQuote(): fc.Arbitrary<Plan> {
  return fc.tuple(draft.quote, draft.payByQuote, fc.nat(2)).map(
    ([quote, pay, fresh]): Plan =>
      (session) => {
        const quoted = fresh > 0 ? quote(session) : null;
        const { model } = quoted ? perform(session.model, quoted) : session;
        const paid = pay({ ...session, model });
        return paid && [...(quoted ? doing(quoted) : []), ...doing(paid)];
      },
  );
}

function single(weight: number, drafts: fc.Arbitrary<draft.Draft>): PlannedKind {
  return {
    weight,
    plan: drafts.map((make) => (session) => {
      const operation = make(session);
      return operation && doing(operation);
    }),
  };
}

/** Something happens at the acquirer's desk; it tells of it at once, twice, or later, if ever. */
function atDesk(weight: number, drafts: fc.Arbitrary<draft.Draft>): PlannedKind {
  const plan = fc.tuple(drafts, fc.nat(3)).map(
    ([make, times]): Plan =>
      (session) => {
        const acted = make(session);
        if (!acted) return null;
        const { model } = perform(session.model, acted);
        const news = model.untold.filter((name) => !session.model.untold.includes(name));
        const told = news.flatMap((name) => doing(newsOf(name)));
        return [...doing(acted), ...(times > 0 ? told : []), ...(times > 2 ? told : [])];
      },
  );
  return { weight, plan };
}

/** The same with a hold, which is made where the booking has none. */
function onHoldAtDesk(weight: number, drafts: fc.Arbitrary<draft.Draft>): PlannedKind {
  const plan = fc.tuple(atDesk(weight, drafts).plan, draft.attachAccepting, draft.hold).map(
    ([act, attach, hold]): Plan =>
      (session) => {
        const { steps, model } = withHold(session, attach, hold);
        const acted = act({ ...session, model });
        return acted && [...steps, ...acted];
      },
  );
  return { weight, plan };
}

/** The news of what the model notes as untold: a payment, or a dispute by its entry. */
function newsOf(name: string): Operation {
  const [ref = ''] = name.split(' ');
  return name === ref ? { do: 'tell', ref } : { do: 'tell dispute', ref, dispute: name };
}

/** A payment whose answer is lost, and what an administrator says of it when it has been so for a while. */
function resolvedLater(): fc.Arbitrary<Plan> {
  const kinds = fc.oneof(draft.charge, draft.hold);
  return fc.tuple(draft.attachLosing, kinds, draft.resolveByHand, draft.duration).map(
    ([attach, pay, resolve, ms]): Plan =>
      (session) => {
        const operations = onNewCard(session, attach, pay);
        const model = operations.reduce(
          (before, operation) => perform(before, operation).model,
          session.model,
        );
        const resolved = resolve({ ...session, model });
        if (!resolved) return null;
        const untilMs = model.nowMs + ms;
        return [
          ...operations.flatMap(doing),
          { step: 'stall', untilMs },
          { step: 'do', operation: resolved },
        ];
      },
  );
}

function racing(
  first: fc.Arbitrary<draft.Draft>,
  second: fc.Arbitrary<draft.Draft>,
): fc.Arbitrary<Plan> {
  return fc
    .tuple(first, second, lag, fc.boolean())
    .map(([first, second, lag, swapped]) => (session) => {
      const [one, two] = [first(session), second(session)];
      if (!one || !two) return null;
      return [{ step: 'race', both: swapped ? [two, one] : [one, two], lag }];
    });
}

/** A refund over several charges, of which one refuses its part: the others have to give it. */
function refusedRefund(): fc.Arbitrary<Plan> {
  return fc
    .tuple(draft.attachRefusing, draft.charge, draft.attachAccepting, draft.charge, draft.refundAny)
    .map(
      ([attachRefusing, charge, attachAccepting, chargeToo, refund]): Plan =>
        (session) => {
          const operations = [
            ...onNewCard(session, attachRefusing, charge),
            ...onNewCard(session, attachAccepting, chargeToo),
          ];
          const model = operations.reduce(
            (it, operation) => perform(it, operation).model,
            session.model,
          );
          const refunded = refund({ ...session, model });
          return refunded && [...operations, refunded].flatMap(doing);
        },
    );
}

/** Two operations on one and the same hold. */
function onHold(
  weight: number,
  first: fc.Arbitrary<draft.Draft>,
  second: fc.Arbitrary<draft.Draft>,
): PlannedKind {
  const plan = fc.tuple(racing(first, second), draft.attachAccepting, draft.hold).map(
    ([race, attach, hold]): Plan =>
      (session) => {
        const { steps, model } = withHold(session, attach, hold);
        const held = waitingIn(model, 'Authorized');
        // What the drafts see of the booking is the hold alone, so that both take it.
        const raced = held && race({ ...session, model: { ...model, payments: [held] } });
        return raced && [...steps, ...raced];
      },
  );
  return { weight, plan };
}

/** A capture of a hold at the very time that it ends, or just before, beside the alarm. */
function captureAtExpiry(weight: number): PlannedKind {
  const plan = fc.tuple(besideAlarm, draft.attachAccepting, draft.hold).map(
    ([drawn, attach, hold]): Plan =>
      (session) => {
        const { steps, model } = withHold(session, attach, hold);
        const held = waitingIn(model, 'Authorized');
        if (!held) return null;
        const capture = { do: 'capture', ref: held.ref, amountMinor: null, key: null } as const;
        return [...steps, ...atItsTime(model, held, capture, drawn)];
      },
  );
  return { weight, plan };
}

/** The cancellation of a schedule at the very time that it fires, or just before, beside the alarm. */
function cancelAtFiring(weight: number): PlannedKind {
  const plan = besideAlarm.map(
    (drawn): Plan =>
      ({ model }) => {
        const waiting = waitingIn(model, 'Pending');
        if (!waiting) return null;
        return atItsTime(
          model,
          waiting,
          { do: 'cancel schedule', ref: waiting.ref, key: null },
          drawn,
        );
      },
  );
  return { weight, plan };
}

/** The steps that see to it that the booking has a hold, and the booking after them; it may still have none. */
function withHold(session: Session, attach: draft.Draft, hold: draft.Draft) {
  const { model } = session;
  if (waitingIn(model, 'Authorized')) return { steps: [], model };
  const operations = onNewCard(session, attach, hold);
  return {
    steps: operations.flatMap(doing),
    model: operations.reduce((before, operation) => perform(before, operation).model, model),
  };
}

function waitingIn({ payments }: BookingModel, status: 'Pending' | 'Authorized'): Payment | null {
  return payments.findLast((payment) => payment.status === status) ?? null;
}

/** An operation on a payment that waits for its time, at that time or a millisecond before it, beside the alarm. */
function atItsTime(
  { nowMs }: BookingModel,
  waiting: Payment,
  operation: Operation,
  { lag, swapped, justBefore }: { lag: number; swapped: boolean; justBefore: number },
): Step[] {
  const dueAtMs = Math.max(nowMs, waiting.dueAtMs ?? 0);
  const atMs = Math.max(nowMs, justBefore === 0 ? dueAtMs - 1 : dueAtMs);
  return [
    { step: 'pass', untilMs: Math.max(nowMs, atMs - 1), early: false },
    { step: 'stall', untilMs: atMs },
    { step: 'race', both: swapped ? [operation, WAKE] : [WAKE, operation], lag },
  ];
}

/** An operation beside the alarm, at the time that something is due. */
function besideWake([make, lag, swapped]: [draft.Draft, number, boolean]): Plan {
  return (session) => {
    const dueAtMs = nextDueAtMs(session.model);
    if (dueAtMs === null) return null;
    const nowMs = Math.max(session.model.nowMs, dueAtMs);
    const operation = make({ ...session, model: { ...session.model, nowMs } });
    return (
      operation && [
        { step: 'stall', untilMs: nowMs },
        { step: 'race', both: swapped ? [operation, WAKE] : [WAKE, operation], lag },
      ]
    );
  };
}

/** The same request twice at once, as an impatient client sends it. */
function twice([make, lag]: [draft.Draft, number]): Plan {
  return (session) => {
    const operation = make(session);
    if (!operation || !('key' in operation)) return null;
    const one = { ...operation, key: `key ${session.fresh()}` };
    if (one.do === 'pay' || one.do === 'guest pays') {
      return [{ step: 'race', both: [one, { ...one, ref: session.fresh() }], lag }];
    }
    if (one.do === 'refund') {
      return [{ step: 'race', both: [one, { ...one, command: session.fresh() }], lag }];
    }
    return [{ step: 'race', both: [one, one], lag }];
  };
}
