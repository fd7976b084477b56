import * as fc from 'fast-check';
import * as draft from './drafts.ts';
import { anyOperation, BACK, doing, onNewCard, type Plan } from './planning.ts';
import type { Outage } from './state.ts';

const HOUR = 60 * 60_000;

/** The acquirer fails while something is done and time passes. */
export function failing(
  fail: fc.Arbitrary<Outage>,
  lasting: fc.Arbitrary<number>,
): fc.Arbitrary<Plan> {
  return fc.tuple(fail, anyOperation(), lasting).map(
    ([outage, make, ms]): Plan =>
      (session) => {
        const operation = make({ ...session, model: { ...session.model, outage } });
        if (!operation) return null;
        return [
          ...doing({ do: 'outage', outage }),
          ...doing(operation),
          { step: 'pass', untilMs: session.model.nowMs + ms, early: false },
          ...doing(BACK),
        ];
      },
  );
}

/** The acquirer fails beyond the time of a schedule, until it is too late to be charged or just before. */
export function failingForDays(): fc.Arbitrary<Plan> {
  const drawn = [
    draft.failLong,
    draft.attachAccepting,
    draft.schedule,
    draft.daysOfOutage,
  ] as const;
  return fc.tuple(...drawn, fc.boolean()).map(
    ([outage, attach, schedule, ms, late]): Plan =>
      (session) => {
        const { payments, recoveries, refunds, status } = session.model;
        const isOpen = [...payments, ...refunds].some(({ status }) => status === 'Processing');
        // What waits for an outcome, or answers a decline, would ask every five minutes.
        const isAsking = isOpen || recoveries.some(({ answerCard }) => answerCard !== null);
        const operations = onNewCard(session, attach, schedule);
        const [, scheduled] = operations;
        if (isAsking || status === 'cancelled' || scheduled?.do !== 'pay') return null;
        const atMs = scheduled.atMs ?? 0;
        return [
          ...operations.flatMap(doing),
          ...doing({ do: 'outage', outage }),
          // Some alarms ring so late that the acquirer is asked first.
          { step: late ? 'stall' : 'pass', untilMs: atMs + (late ? HOUR : 0), early: false },
          { step: 'pass', untilMs: atMs + ms, early: false },
          ...doing(BACK),
        ];
      },
  );
}
