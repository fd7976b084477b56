import { bringBack } from '../booking/stub.ts';
import { ok, type Result } from '../core/result.ts';
import type { Answered } from '../operation/idempotency.ts';
import { WritesArchived } from '../platform/db/database.ts';
import { databaseWith } from '../records/archive/read.ts';
import { BookingArchived } from '../records/archive/store.ts';
import type { BookingName } from '../records/bookings/store.ts';
import type { AppContext } from './context.ts';

type Handled<T> = Result<T> | Answered<T>;

/**
 * Handles a request. Where it finds no booking and the booking that it names is archived, handles it again as if that stood
 * in the database; if it writes, the booking is brought back first. So what is not archived costs nothing.
 */
export async function orFromArchive<T>(
  c: AppContext,
  body: object,
  handle: () => Promise<Handled<T>>,
): Promise<Handled<T>> {
  const handled = await orBroughtBack(c, handle);
  const name = isMissing(handled) ? bookingIn(c, body) : null;
  if (name === null) return handled;
  const again = await fromArchive(c, name, callerOf(c), handle);
  if (again === null) return handled;
  return again.ok ? again.value : again;
}

/**
 * Handles a request about an archived booking as if that stood in the database; if it throws {@link WritesArchived}, the
 * booking is brought back first, and the request handled again. Null if the booking is not archived. `actor` is who asks.
 */
export async function fromArchive<H>(
  c: AppContext,
  name: BookingName,
  actor: string,
  handle: (isBack: boolean) => Promise<H>,
): Promise<Result<H> | null> {
  const { database, trace } = c.var;
  const archived = await databaseWith({ database, bucket: c.env.EXPORTS, trace }, name);
  if (archived === null) return null;
  c.set('database', archived);
  try {
    return ok(await handle(false));
  } catch (error) {
    if (!(error instanceof WritesArchived)) throw error;
  } finally {
    c.set('database', database);
  }
  const back = await broughtBack(c, name, actor);
  return back.ok ? ok(await handle(true)) : back;
}

/** Handles a request. Where it goes on with the history of a booking that is archived, brings that back and handles it again. */
export async function orBroughtBack<H>(
  c: AppContext,
  handle: () => Promise<H>,
): Promise<H | Result<never>> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof BookingArchived)) throw error;
    const back = await broughtBack(c, error.booking, callerOf(c));
    return back.ok ? handle() : back;
  }
}

function broughtBack(
  c: AppContext,
  { propertyId, reference }: BookingName,
  actor: string,
): Promise<Result<null>> {
  const { requestId, trace } = c.var;
  return bringBack({ env: c.env, trace }, { propertyId, reference, requestId, actor });
}

/** Who calls an operation. A PMS that names its credentials in the body has no client. */
function callerOf(c: AppContext): string {
  const { caller } = c.var;
  return caller?.clientId ?? 'pms';
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
