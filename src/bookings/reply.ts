import type { Failure } from '../core/failure.ts';
import { err } from '../core/result.ts';
import type { Answered } from '../idempotency/actions.ts';
import type { Cost } from '../io/crossings.ts';

/** Whose booking is meant, and who asks. */
export interface Address {
  readonly propertyId: string;
  readonly reference: string;
  readonly requestId: string;
  readonly actor: string;
}

/** What every call answers: the operation's answer and what it cost. */
export interface Reply<T> {
  readonly answered: Answered<T>;
  readonly cost: Cost;
}

/** The answer to a request that was not carried out. */
export function refusal<T>(address: Address, failure: Failure): Answered<T> {
  return { answer: err(failure), requestId: address.requestId, replayed: false };
}
