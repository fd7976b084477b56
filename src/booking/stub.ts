import { err, ok, type Result } from '../core/result.ts';
import type { Answered } from '../operation/idempotency.ts';
import { type CallContext, refusal } from '../operation/reply.ts';
import type { Env } from '../platform/env.ts';
import { aboutBooking, logError } from '../platform/log.ts';
import { objectNamed } from '../platform/objects.ts';
import type { Trace } from '../platform/trace.ts';
import { busy, uncertain } from '../records/bookings/rules.ts';
import type { BookingObject } from './object.ts';
import type { AnswerOf, CommandOf, OperationName } from './operations.ts';

/** The calls that the Worker makes to a booking's object. */
export type BookingCalls = Pick<BookingObject, 'perform' | 'wake'>;

/** A call of these is made again if the platform says that it may: doing them twice equals doing them once. */
const REPEATABLE: ReadonlySet<OperationName> = new Set([
  'saveBooking',
  'archive',
  'eraseGuest',
  'forgetGuest',
  'refreshFromGateway',
  'refreshDispute',
]);

/** These change nothing, so that nothing about them is ever unknown. */
const READS: ReadonlySet<OperationName> = new Set(['countGuest', 'requireBooking']);

interface Caller {
  readonly env: Env;
  readonly trace: Trace;
}

/**
 * Has a booking's object do an operation, and adds the call's cost to the trace. A failed call may have taken effect, so
 * it answers `outcome_unknown`. The object answers errors of its own code itself, so a call that throws was cut off.
 */
export async function callBooking<N extends OperationName>(
  caller: Caller,
  context: CallContext,
  name: N,
  command: CommandOf<N>,
): Promise<Answered<AnswerOf<N>>> {
  const call = () => attempt(caller, context, name, command);
  const outcome = await call();
  if (outcome.ok) return outcome.value;
  const { error } = outcome;
  if (wasNotStarted(error)) return refusal(context, busy());
  logError('object_broke_off', error, aboutBooking(context));
  if (READS.has(name)) return refusal(context, busy());
  caller.trace.writeSent();
  const retried = REPEATABLE.has(name) && flagged(error, 'retryable') ? await call() : outcome;
  return retried.ok && !isBusy(retried.value) ? retried.value : refusal(context, uncertain());
}

/** Brings a booking back if it is in the archive. Fails where there is none, and with `busy` where nobody can tell. */
export async function bringBack(caller: Caller, context: CallContext): Promise<Result<null>> {
  return (await callBooking(caller, context, 'requireBooking', null)).answer;
}

/** A fresh stub of a booking's object. A stub that threw cannot be used again. */
export function bookingObject(env: Env, propertyId: string, reference: string): BookingCalls {
  // A list as JSON, so that no reference can be read as another property's.
  const name = JSON.stringify([propertyId, reference]);
  // The platform's type of a stub forgets which answer belongs to which command.
  const objects = env.BOOKINGS as DurableObjectNamespace<BookingObject>;
  return objectNamed(env, objects, name) as BookingCalls;
}

async function attempt<N extends OperationName>(
  { env, trace }: Caller,
  context: CallContext,
  name: N,
  command: CommandOf<N>,
): Promise<Result<Answered<AnswerOf<N>>, unknown>> {
  try {
    const reply = await trace.span('object.booking', () =>
      bookingObject(env, context.propertyId, context.reference).perform(name, context, command),
    );
    trace.add(reply.cost);
    if (!isBusy(reply.answered) && !READS.has(name)) trace.writeSent();
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
