import * as fc from 'fast-check';
import * as draft from './drafts.ts';
import { nextDueAtMs } from './due.ts';
import type { Operation } from './operation.ts';
import { after, doing, onNewCard, type Plan, WAKE } from './planning.ts';
import type { BookingModel } from './state.ts';
import type { Step } from './steps.ts';

/** Something is paid, time passes, and D1 forgets it, once; mostly what was due then is due again at once. */
export function restoredAfter(payments: fc.Arbitrary<readonly draft.Draft[]>): fc.Arbitrary<Plan> {
  return fc.record({ payments, ms: draft.duration, wakes: fc.boolean() }).map(
    ({ payments, ms, wakes }): Plan =>
      (session) => {
        const { model } = session;
        const made = payments.flatMap((make) => make(session) ?? []);
        const isIdle = made.length < payments.length || (!made.length && !nextDueAtMs(model));
        return isIdle || !mayBeRestored(model) ? null : restored(model, made, ms, wakes);
      },
  );
}

/**
 * A hold is captured, wholly or in part, time passes, and D1 forgets the capture, mostly the hold too: the acquirer tells of
 * it, or it is captured, let go or ended once more.
 */
export function capturedAndRestored(): fc.Arbitrary<Plan> {
  const drawn = {
    attach: draft.attachAccepting,
    hold: draft.hold,
    percent: fc.option(fc.integer({ min: 1, max: 99 }), { nil: null }),
    forgets: fc.nat(2).map((number) => number > 0),
    ms: draft.duration,
    wakes: fc.boolean(),
  };
  return fc.record(drawn).map(
    ({ attach, forgets, hold, ms, percent, wakes }): Plan =>
      (session) => {
        const [attached, held] = onNewCard(session, attach, hold);
        if (held?.do !== 'pay' || !attached) return null;
        // What is restored of a booking has no keys.
        const made: Operation = { ...held, key: null };
        const capture = captureOf(held, percent);
        const before = forgets ? [attached] : [attached, made];
        const model = after(session.model, before);
        const forgotten = forgets ? [made, capture] : [capture];
        const isCaptured = after(model, forgotten).payments.at(-1)?.status === 'Accepted';
        // The card may be one that a recovery waits for.
        if (!isCaptured || !mayBeRestored(model)) return null;
        return [...before.flatMap(doing), ...restored(model, forgotten, ms, wakes)];
      },
  );
}

/** The capture of a hold that is to be made: of all, or of so much of it. */
function captureOf(
  { ref, requestedMinor }: Extract<Operation, { do: 'pay' }>,
  percent: number | null,
): Operation {
  const amountMinor =
    percent === null ? null : Math.max(1, Math.floor((requestedMinor * percent) / 100));
  return { do: 'capture', ref, amountMinor, key: null };
}

/** D1 is restored once in a story, and the model knows no name of a charge that was made on a new card and is forgotten. */
function mayBeRestored({ recoveries, wasRestored }: BookingModel): boolean {
  return !wasRestored && recoveries.every(({ answerCard }) => answerCard === null);
}

function restored(
  { nowMs }: BookingModel,
  operations: readonly Operation[],
  ms: number,
  wakes: boolean,
): Step[] {
  const pass: Step = { step: 'pass', untilMs: nowMs + ms, early: false };
  const steps = [...operations.flatMap(doing), pass];
  return [{ step: 'restored', steps }, ...(wakes ? doing(WAKE) : [])];
}
