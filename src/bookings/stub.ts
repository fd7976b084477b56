import { err, ok, type Result } from '../core/result.ts';
import type { Env } from '../env.ts';
import type { Answered } from '../idempotency/actions.ts';
import type { Crossings } from '../io/crossings.ts';
import type { BookingCalls } from './object.ts';
import { type Address, type Reply, refusal } from './reply.ts';
import { busy, uncertain } from './rules.ts';

/** A booking's object, as callers see it. */
export type Booking = BookingCalls;

/**
 * Calls a booking's object and takes over what the call cost. A call that broke may have been carried out: one that
 * moves money is not made again, but answered as unknown; one that is `repeatable`, since doing it twice comes to
 * the same, is made once more where the platform says that this may help.
 */
export async function callBooking<T>(
  env: Env,
  crossings: Crossings,
  address: Address,
  call: (booking: BookingCalls) => Promise<Reply<T>>,
  { repeatable }: { readonly repeatable: boolean } = { repeatable: false },
): Promise<Answered<T>> {
  const outcome = await attempt(env, crossings, address, call);
  if (outcome.ok) return outcome.value;
  const { error } = outcome;
  if (flagged(error, 'overloaded')) return refusal(address, busy());
  if (!flagged(error, 'retryable')) throw error;
  const again = repeatable ? await attempt(env, crossings, address, call) : outcome;
  return again.ok ? again.value : refusal(address, uncertain());
}

/** A fresh stub of a booking's object: one that threw is of no use again. */
export function bookingObject(env: Env, propertyId: string, reference: string): BookingCalls {
  // A list as JSON, so that no reference can be read as another property's.
  const name = JSON.stringify([propertyId, reference]);
  return env.BOOKINGS.getByName(name);
}

async function attempt<T>(
  env: Env,
  crossings: Crossings,
  address: Address,
  call: (booking: BookingCalls) => Promise<Reply<T>>,
): Promise<Result<Answered<T>, unknown>> {
  try {
    const reply = await crossings.cross('object.booking', () =>
      call(bookingObject(env, address.propertyId, address.reference)),
    );
    crossings.add(reply.cost);
    return ok(reply.answered);
  } catch (error) {
    return err(error);
  }
}

function flagged(error: unknown, flag: 'overloaded' | 'retryable'): boolean {
  return error instanceof Error && (error as Error & Record<string, unknown>)[flag] === true;
}
