import { err, ok, type Result } from '../core/result.ts';
import type { Answered } from '../operation/idempotency.ts';
import { type CallContext, type Reply, refusal } from '../operation/reply.ts';
import type { Env } from '../platform/env.ts';
import { aboutBooking, logError } from '../platform/log.ts';
import type { Trace } from '../platform/trace.ts';
import { busy, uncertain } from '../records/bookings/rules.ts';
import type { BookingCalls } from './calls.ts';
import type { BookingObject } from './object.ts';

/**
 * Calls a booking's object and adds the call's cost to the trace. A failed call may have taken effect, so it answers
 * `outcome_unknown`. Idempotent calls (`repeatable`) are retried once if the platform marks the error retryable. The
 * object answers errors of its own code itself, so a call that throws was cut off.
 */
export async function callBooking<T>(
  env: Env,
  trace: Trace,
  context: CallContext,
  call: (booking: BookingCalls) => Promise<Reply<T>>,
  { repeatable }: { readonly repeatable: boolean } = { repeatable: false },
): Promise<Answered<T>> {
  const outcome = await attempt(env, trace, context, call);
  if (outcome.ok) return outcome.value;
  const { error } = outcome;
  if (wasNotStarted(error)) return refusal(context, busy());
  trace.writeSent();
  logError('object_broke_off', error, aboutBooking(context));
  const retried =
    repeatable && flagged(error, 'retryable') ? await attempt(env, trace, context, call) : outcome;
  return retried.ok && !isBusy(retried.value) ? retried.value : refusal(context, uncertain());
}

/** A fresh stub of a booking's object. A stub that threw cannot be used again. */
export function bookingObject(env: Env, propertyId: string, reference: string): BookingCalls {
  // A list as JSON, so that no reference can be read as another property's.
  const name = JSON.stringify([propertyId, reference]);
  return (env.BOOKINGS as DurableObjectNamespace<BookingObject>).getByName(name);
}

async function attempt<T>(
  env: Env,
  trace: Trace,
  context: CallContext,
  call: (booking: BookingCalls) => Promise<Reply<T>>,
): Promise<Result<Answered<T>, unknown>> {
  try {
    const reply = await trace.span('object.booking', () =>
      call(bookingObject(env, context.propertyId, context.reference)),
    );
    trace.add(reply.cost);
    if (!isBusy(reply.answered)) trace.writeSent();
    return ok(reply.answered);
  } catch (error) {
    return err(error);
  }
}

/** Whether the object answered that it started nothing. */
function isBusy<T>({ answer }: Answered<T>): boolean {
  return !answer.ok && answer.error.code === 'busy';
}

/** Whether the platform refused a call before the object started it. An object that was reset may have started it. */
function wasNotStarted(error: unknown): boolean {
  return flagged(error, 'overloaded') && !flagged(error, 'durableObjectReset');
}

/** The flags that the platform sets on the errors of calls to objects. */
type ErrorFlag = 'durableObjectReset' | 'overloaded' | 'retryable';

function flagged(error: unknown, flag: ErrorFlag): boolean {
  return error instanceof Error && (error as Error & Record<string, unknown>)[flag] === true;
}
