import { callBooking } from '../booking/stub.ts';
import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';
import type { Answered } from '../operation/idempotency.ts';
import { WritesArchived } from '../platform/db/database.ts';
import { databaseWith } from '../records/archive/read.ts';
import type { BookingName } from '../records/bookings/store.ts';
import type { AppContext } from './context.ts';

type Handled<T> = Result<T, Failure> | Answered<T>;

/**
 * Handles a request. Where it finds no booking and the booking that it names is archived, handles it again as if that stood
 * in the database; if it writes, the booking is brought back first. So what is not archived costs nothing.
 */
export async function orFromArchive<T>(
  c: AppContext,
  body: object,
  handle: () => Promise<Handled<T>>,
): Promise<Handled<T>> {
  const handled = await handle();
  const name = isMissing(handled) ? bookingIn(c, body) : null;
  if (name === null) return handled;
  const { database, trace } = c.var;
  const archived = await databaseWith({ database, bucket: c.env.EXPORTS, trace }, name);
  if (archived === null) return handled;
  c.set('database', archived);
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof WritesArchived)) throw error;
  } finally {
    c.set('database', database);
  }
  const context = { ...name, requestId: c.get('requestId'), actor: c.get('caller').clientId };
  await callBooking({ env: c.env, trace }, context, 'requireBooking', null);
  return handle();
}

function isMissing(handled: Handled<unknown>): boolean {
  const answer = 'answer' in handled ? handled.answer : handled;
  const code = answer.ok ? null : answer.error.code;
  return code === 'booking_not_found' || code === 'transaction_not_found';
}

/** The booking that a request names; null if it names none. */
function bookingIn(c: AppContext, body: object): BookingName | null {
  const { property, reference } = body as Readonly<Record<string, unknown>>;
  const propertyId = c.get('caller').property?.id ?? property;
  return typeof reference === 'string' && typeof propertyId === 'string'
    ? { propertyId, reference }
    : null;
}
