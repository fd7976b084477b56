import type { Failure } from '../core/failure.ts';
import type { PropertyClock } from '../core/propertyClock.ts';
import { err } from '../core/result.ts';
import type { Cost } from '../platform/trace.ts';
import type { Answered } from './idempotency.ts';

/** The booking that a call is about, and the request and the actor that make it. */
export interface CallContext {
  readonly propertyId: string;
  readonly reference: string;
  readonly requestId: string;
  readonly actor: string;
  /** The name of the actor, if that is a person of the staff. */
  readonly actorName?: string | null;
  /** The property's clock as the caller read it; without it, the object reads it itself. */
  readonly clock?: PropertyClock;
}

/** The result of every call: the operation's answer and its cost. */
export interface Reply<T> {
  readonly answered: Answered<T>;
  readonly cost: Cost;
}

/** The answer to a request that failed. */
export function refusal<T>(
  { requestId }: Pick<CallContext, 'requestId'>,
  failure: Failure,
): Answered<T> {
  return { answer: err(failure), requestId, replayed: false };
}
